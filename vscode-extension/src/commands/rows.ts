import * as vscode from "vscode";
import type { CopyRequest, Node } from "../protocol";
import { escapeLinks } from "../text";
import { sayError, sayWarning } from "./errors";
import type { Parts } from "./show";

/** The commands of one row by their names behind `gradpeek.`. */
export const ROW_COMMANDS: Record<string, (parts: Parts, node: Node) => Promise<void>> = {
  copyPath: (parts, node) => copy(parts, node, "path"),
  copyExpression: (parts, node) => copy(parts, node, "expression"),
  copyValue: (parts, node) => copy(parts, node, "value"),
  addToWatch: (_, node) => addToWatch(node),
  goToClass: ({ server }, node) => goToClass(server, node),
  unpin: async ({ server }, node) => {
    await server.request("unpin", { node: node.id });
  },
  evaluateAgain: async ({ server, view }, node) => {
    const { path, message } = await server.request("rerun", { node: node.id });
    if (message !== null) sayWarning(message);
    await view.reveal(path);
  },
};

/** Runs the command of a row; what goes wrong is said in one line. */
export async function onRow(
  parts: Parts,
  command: (parts: Parts, node: Node) => Promise<void>,
  node: Node | undefined,
): Promise<void> {
  if (node === undefined) return;
  try {
    await command(parts, node);
  } catch (error) {
    sayError(error);
  }
}

async function copy({ server }: Parts, node: Node, what: CopyRequest["what"]): Promise<void> {
  const { text } = await server.request("copy", { node: node.id, what });
  await vscode.env.clipboard.writeText(text);
}

/**
 * Adds the row's expression to the Watch view. The editor's command is made for rows of its
 * Variables view and reads nothing of them but this; should it want more one day, the expression
 * goes to the clipboard and a box for it is opened.
 */
async function addToWatch({ expression }: Node): Promise<void> {
  if (expression === null) return;
  try {
    await vscode.commands.executeCommand("debug.addToWatchExpressions", {
      variable: { evaluateName: expression },
    });
  } catch {
    await vscode.env.clipboard.writeText(expression);
    await vscode.commands.executeCommand("workbench.debug.action.focusWatchView");
    await vscode.commands.executeCommand("workbench.debug.viewlet.action.addWatchExpression");
    void vscode.window.showInformationMessage(
      vscode.l10n.t("The expression is in the clipboard: paste it into the new watch expression."),
    );
  }
}

async function goToClass(server: Parts["server"], node: Node): Promise<void> {
  const { file, line, message } = await server.request("source", { node: node.id });
  if (file === null) {
    const nowhere = vscode.l10n.t("The source of this class is in no file.");
    void vscode.window.showInformationMessage(escapeLinks(message ?? nowhere));
    return;
  }
  const position = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), {
    selection: new vscode.Range(position, position),
    preview: true,
  });
}
