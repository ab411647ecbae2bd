import * as vscode from "vscode";
import { ServerUnavailableError } from "../server/server";
import { escapeLinks, messageOf } from "../text";

/** Says in one line what went wrong with a command, unless it has been said already. */
export function sayError(error: unknown): void {
  if (error instanceof ServerUnavailableError && error.isSaid) return;
  sayWarning(messageOf(error));
}

/** Says what the server has to say, which may hold texts of the debuggee. */
export function sayWarning(message: string): void {
  void vscode.window.showWarningMessage(escapeLinks(message));
}
