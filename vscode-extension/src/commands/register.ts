import * as vscode from "vscode";
import type { Node } from "../protocol";
import { choosePython } from "../server/start";
import type { ViewOptions } from "../views/options";
import { sayError } from "./errors";
import { onRow, ROW_COMMANDS } from "./rows";
import { search } from "./search";
import { type Parts, showExpression, showGradients } from "./show";
import { sort } from "./sort";

/** Registers all commands of the extension. */
export function registerCommands(parts: Parts, options: ViewOptions): vscode.Disposable {
  const commands: Record<string, (argument: unknown) => unknown> = {
    showGradients: (argument) => showGradients(parts, argument),
    showGradientsOfExpression: () => showExpression(parts),
    search: () => search(parts),
    sort: () => sort(options),
    refresh: () => refresh(parts),
    "hidePlain.on": () => options.choose({ hide_plain: true }),
    "hidePlain.off": () => options.choose({ hide_plain: false }),
    "onlyProblems.on": () => options.choose({ only_problems: true }),
    "onlyProblems.off": () => options.choose({ only_problems: false }),
    "callers.on": () => options.setCallers(true),
    "callers.off": () => options.setCallers(false),
    showLog: () => parts.log.show(),
    choosePython: () => choosePython(),
  };
  for (const [name, command] of Object.entries(ROW_COMMANDS)) {
    commands[name] = (node) => onRow(parts, command, node as Node | undefined);
  }
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, command]) =>
      vscode.commands.registerCommand(`gradpeek.${name}`, command),
    ),
  );
}

/** Has the frames looked into anew; after a failure it starts the server again. */
async function refresh({ server, view }: Parts): Promise<void> {
  server.retry();
  if (!server.running) {
    view.refresh();
    return;
  }
  try {
    await server.request("refresh", {});
  } catch (error) {
    sayError(error);
  }
}
