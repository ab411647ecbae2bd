import * as vscode from "vscode";
import type { Server } from "../server/server";
import type { GradientsView } from "../views/gradients";
import { sayError, sayWarning } from "./errors";
import { isVariable, type Target, targetOf } from "./targets";

/** What commands act on. */
export interface Parts {
  readonly server: Server;
  readonly view: GradientsView;
  readonly log: vscode.LogOutputChannel;
}

/**
 * Show Gradients: of the row of a menu, of what is selected or under the cursor in the editor, or
 * of an expression that is asked for.
 */
export async function showGradients(parts: Parts, argument: unknown): Promise<void> {
  if (isVariable(argument)) {
    const target = targetOf(argument);
    if (target === undefined) {
      const text = vscode.l10n.t("The debugger names no expression for this row.");
      void vscode.window.showInformationMessage(text);
      return;
    }
    await show(parts, target);
    return;
  }
  if (argument instanceof vscode.Uri) {
    const expression = await expressionInEditor(parts.server);
    if (expression) {
      await show(parts, { session: null, expression });
      return;
    }
  }
  await showExpression(parts);
}

/** Asks for an expression, offering what is selected or under the cursor, and shows it. */
export async function showExpression(parts: Parts): Promise<void> {
  if (vscode.debug.activeDebugSession === undefined) {
    const text = vscode.l10n.t("Start debugging and stop at a breakpoint first.");
    void vscode.window.showInformationMessage(text);
    return;
  }
  const value = await expressionInEditor(parts.server).catch(() => "");
  const expression = await vscode.window.showInputBox({
    title: vscode.l10n.t("Show Gradients"),
    prompt: vscode.l10n.t("Expression in the selected frame, e.g. model.layers[0]"),
    value,
  });
  if (expression?.trim()) await show(parts, { session: null, expression: expression.trim() });
}

async function show({ server, view }: Parts, target: Target): Promise<void> {
  server.retry();
  try {
    await view.focus();
    const { path, message } = await server.request("show", { ...target });
    if (message !== null) sayWarning(message);
    await view.reveal(path);
  } catch (error) {
    sayError(error);
  }
}

/** The selected text, else the expression under the cursor; empty where there is none. */
async function expressionInEditor(server: Server): Promise<string> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return "";
  const { document, selection } = editor;
  if (!selection.isEmpty) return oneLine(document.getText(selection));
  const line = document.lineAt(selection.active.line).text;
  const { text } = await server.request("expression", {
    line,
    character: selection.active.character,
  });
  return text;
}

/** The text on one line: in brackets, where lines end is all the same to Python. */
function oneLine(text: string): string {
  return text.trim().replace(/\s*\r?\n\s*/g, " ");
}
