import * as vscode from "vscode";
import type { Node, ViewState } from "../protocol";
import type { Server } from "../server/server";
import { escapeLinks, messageOf } from "../text";
import { ShownNodes } from "./nodes";
import { type Changes, RefreshQueue } from "./refreshQueue";
import { rowOf } from "./rows";
import { shadeUri } from "./shades";

export const VIEW_ID = "gradpeek.gradients";

/** How long a row that is to be revealed waits for the tree to be asked for. */
const REVEAL_MS = 5_000;

/** What the view needs to know of debug sessions. */
export interface Situation {
  /** How many debug sessions there are. */
  sessions(): number;
  /** Whether any of them has ever stopped, so that the server may know something. */
  hasStopped(): boolean;
}

/** The tree of gradients: asks the server for what shows, and draws it. */
export class GradientsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Node[] | undefined>();
  private readonly rootsShown = new vscode.EventEmitter<void>();
  private readonly shown = new ShownNodes();
  private readonly queue = new RefreshQueue((changes) => this.redraw(changes));
  private readonly tree: vscode.TreeView<Node>;
  private readonly subscriptions: vscode.Disposable;
  private current = new vscode.CancellationTokenSource();
  private rootsDue = false;

  readonly onDidChangeTreeData = this.changed.event;
  /** Fires when the tree comes into sight or leaves it. */
  readonly onDidChangeVisibility: vscode.Event<unknown>;

  constructor(
    private readonly server: Server,
    private readonly situation: Situation,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.tree = vscode.window.createTreeView(VIEW_ID, {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.onDidChangeVisibility = this.tree.onDidChangeVisibility;
    this.subscriptions = vscode.Disposable.from(this.tree, this.changed, this.rootsShown);
  }

  /** Whether the tree can be seen. */
  get visible(): boolean {
    return this.tree.visible;
  }

  /** Asks for nodes again, null for the whole tree: what was on its way for them is left. */
  refresh(nodes: readonly string[] | null = null): void {
    this.queue.add(nodes);
  }

  /** Shows the view and moves the focus to it. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW_ID}.focus`);
  }

  /** Shows the view; the focus stays where it is. */
  async open(): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW_ID}.focus`, { preserveFocus: true });
  }

  /** Opens the way to the last node of a path from the top and selects it. */
  async reveal(path: readonly Node[]): Promise<void> {
    if (path.length === 0) return;
    await this.settled();
    const node = this.shown.adopt(path).at(-1);
    if (node === undefined) return;
    await this.tree.reveal(node, { select: true, focus: true, expand: node.expandable });
  }

  async getChildren(element?: Node): Promise<Node[]> {
    const parent = element?.id ?? null;
    const { token } = this.current;
    try {
      if (parent === null) return await this.roots(token);
      const { nodes, message } = await this.server.request("children", { node: parent }, token);
      if (token.isCancellationRequested) return [...this.shown.childrenOf(parent)];
      if (message !== null) this.tree.message = escapeLinks(message);
      return this.shown.put(parent, nodes);
    } catch (error) {
      // A newer question is on its way, and its answer counts.
      if (token.isCancellationRequested) return [...this.shown.childrenOf(parent)];
      this.log.warn(`The tree could not be asked for: ${error}`);
      if (parent !== null) return [...this.shown.childrenOf(parent)];
      this.say("failed", messageOf(error));
      return this.shown.put(null, []);
    } finally {
      if (parent === null && !token.isCancellationRequested) {
        this.rootsDue = false;
        this.rootsShown.fire();
      }
    }
  }

  getParent(node: Node): Node | undefined {
    return node.parent === null ? undefined : this.shown.get(node.parent);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const row = rowOf(node);
    const item = new vscode.TreeItem(row.label, COLLAPSIBLE[row.state]);
    const uri = shadeUri(row.shade);
    item.id = row.id;
    item.description = row.description;
    item.iconPath = new vscode.ThemeIcon(
      row.icon,
      row.color === undefined ? undefined : new vscode.ThemeColor(row.color),
    );
    item.contextValue = row.context;
    item.accessibilityInformation = { label: row.spoken };
    if (uri !== undefined) item.resourceUri = uri;
    return item;
  }

  async resolveTreeItem(
    item: vscode.TreeItem,
    node: Node,
    token: vscode.CancellationToken,
  ): Promise<vscode.TreeItem> {
    try {
      const { markdown } = await this.server.request("details", { node: node.id }, token);
      const tooltip = new vscode.MarkdownString(markdown);
      tooltip.isTrusted = false;
      tooltip.supportHtml = false;
      item.tooltip = tooltip;
    } catch (error) {
      this.log.debug(`No details of a node: ${error}`);
    }
    return item;
  }

  dispose(): void {
    this.queue.dispose();
    this.current.cancel();
    this.current.dispose();
    this.subscriptions.dispose();
  }

  private async roots(token: vscode.CancellationToken): Promise<Node[]> {
    const sessions = this.situation.sessions();
    if (!this.server.running && (sessions === 0 || !this.situation.hasStopped())) {
      this.say(sessions > 0 ? "running" : "no_session", null);
      return this.shown.put(null, []);
    }
    if (!this.server.running) this.tree.message = vscode.l10n.t("Starting GradPeek…");
    const { nodes, state, message } = await this.server.request("roots", {}, token);
    if (token.isCancellationRequested) return [...this.shown.childrenOf(null)];
    // The server knows a session from its first stop on.
    const runs = state === "no_session" && sessions > 0;
    this.say(runs ? "running" : state, message);
    return this.shown.put(null, nodes);
  }

  private say(state: ViewState, message: string | null): void {
    // A message would take the place of the text that tells what to do in an empty view. That text
    // says why the view is empty, too, but for failures, which have many reasons.
    this.tree.message = state === "shown" ? escapeLinks(message ?? "") : "";
    this.tree.description = state === "failed" ? (message ?? "") : "";
    void vscode.commands.executeCommand("setContext", "gradpeek.state", state);
  }

  private redraw(changes: Changes): void {
    if (changes === null) {
      this.current.cancel();
      this.current.dispose();
      this.current = new vscode.CancellationTokenSource();
      this.rootsDue = true;
      this.changed.fire(undefined);
    } else {
      void this.redrawNodes(changes);
    }
  }

  /** Asks for the rows of nodes through what is above them, then has just those drawn. */
  private async redrawNodes(ids: ReadonlySet<string>): Promise<void> {
    const { token } = this.current;
    const nodes = this.shown.topmost(ids);
    const parents = new Set(nodes.map((node) => node.parent));
    const redrawn: Node[] = [];
    try {
      for (const parent of parents) {
        const before = this.shown.childrenOf(parent).map((node) => node.id);
        const { nodes: fresh } =
          parent === null
            ? await this.server.request("roots", {}, token)
            : await this.server.request("children", { node: parent }, token);
        if (token.isCancellationRequested) return;
        const after = this.shown.put(parent, fresh).map((node) => node.id);
        const above = parent === null ? undefined : this.shown.get(parent);
        if (before.join("\n") === after.join("\n")) {
          redrawn.push(...nodes.filter((node) => node.parent === parent));
        } else if (above !== undefined) {
          redrawn.push(above);
        } else {
          this.refresh();
        }
      }
    } catch (error) {
      if (!token.isCancellationRequested) this.log.warn(`Rows could not be asked for: ${error}`);
      return;
    }
    if (redrawn.length > 0) this.changed.fire(redrawn);
  }

  /** Waits until the editor has asked for the tree that the server speaks of: a row must be in it. */
  private settled(): Promise<void> {
    const isDue = this.rootsDue || this.queue.holdsAll;
    // The editor asks only for a tree in sight.
    if (!isDue || !this.visible) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        subscription.dispose();
        resolve();
      };
      const subscription = this.rootsShown.event(done);
      const timer = setTimeout(done, REVEAL_MS);
    });
  }
}

const COLLAPSIBLE = {
  none: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
};
