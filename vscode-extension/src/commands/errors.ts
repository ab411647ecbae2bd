import * as vscode from "vscode";
import { ServerUnavailableError } from "../server/server";
import { messageOf } from "../text";

/** Says in one line what went wrong with a command, unless it has been said already. */
export function sayError(error: unknown): void {
  if (error instanceof ServerUnavailableError && error.isSaid) return;
  void vscode.window.showWarningMessage(messageOf(error));
}
