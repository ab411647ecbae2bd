import * as vscode from "vscode";
import type { Options, Order } from "../protocol";

/** What the user chooses for this workspace by the view's buttons. */
type Chosen = Pick<Options, "order" | "hide_plain" | "only_problems">;

const STATE = "gradpeek.options";
const DEFAULTS: Chosen = { order: "model", hide_plain: false, only_problems: false };

/** How the tree is shown: what was chosen in this workspace, and the settings. */
export class ViewOptions implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;
  private chosen: Chosen;

  /** Fires when any of them has changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly memory: vscode.Memento) {
    this.chosen = { ...DEFAULTS, ...memory.get<Partial<Chosen>>(STATE) };
    this.subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("gradpeek")) this.announce();
    });
    this.setContexts();
  }

  /** Whether the Debug Console is to know grads(). */
  get console(): boolean {
    return setting("console.enabled", true);
  }

  /** The order of the rows. */
  get order(): Order {
    return this.chosen.order;
  }

  /** All of them, as the server takes them. */
  options(visible: boolean): Options {
    const { order, hide_plain, only_problems } = this.chosen;
    return {
      visible,
      console: this.console,
      order,
      hide_plain,
      only_problems,
      callers: setting("callers", false),
    };
  }

  /** Changes what is chosen in this workspace. */
  async choose(changes: Partial<Chosen>): Promise<void> {
    this.chosen = { ...this.chosen, ...changes };
    this.announce();
    await this.memory.update(STATE, this.chosen);
  }

  /** Changes whether callers are looked into, which is a setting. */
  async setCallers(callers: boolean): Promise<void> {
    const target =
      vscode.workspace.workspaceFolders === undefined
        ? vscode.ConfigurationTarget.Global
        : vscode.ConfigurationTarget.Workspace;
    await vscode.workspace.getConfiguration("gradpeek").update("callers", callers, target);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private announce(): void {
    this.setContexts();
    this.changed.fire();
  }

  private setContexts(): void {
    const { hide_plain, only_problems, callers } = this.options(false);
    const contexts = { hidePlain: hide_plain, onlyProblems: only_problems, callers };
    for (const [name, value] of Object.entries(contexts)) {
      void vscode.commands.executeCommand("setContext", `gradpeek.${name}`, value);
    }
  }
}

function setting(name: string, otherwise: boolean): boolean {
  return vscode.workspace.getConfiguration("gradpeek").get<boolean>(name, otherwise);
}
