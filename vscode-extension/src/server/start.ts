import * as vscode from "vscode";
import { escapeLinks, messageOf } from "../text";
import { NoPythonError } from "./candidates";
import { createClient } from "./client";
import { chooseInterpreter } from "./interpreter";
import { type Connect, ServerUnavailableError } from "./server";

/** The folder that holds the extension, and where to show and say things. */
export interface Surroundings {
  readonly extensionPath: string;
  readonly viewId: string;
  readonly log: vscode.LogOutputChannel;
  /** The debug session whose interpreter is asked first. */
  readonly session: () => vscode.DebugSession | undefined;
}

/** Chooses the Python and makes a client of the server in it; nothing runs without trust. */
export function connector({ extensionPath, viewId, log, session }: Surroundings): Connect {
  return async (closed) => {
    if (!vscode.workspace.isTrusted) {
      throw new ServerUnavailableError(
        vscode.l10n.t("GradPeek runs nothing until this workspace is trusted."),
      );
    }
    try {
      const { executable } = await chooseInterpreter(session(), log);
      return createClient({ python: executable, extensionPath, viewId, log, closed });
    } catch (error) {
      if (!(error instanceof NoPythonError)) throw error;
      throw new NoUsablePythonError(
        error.setting
          ? vscode.l10n.t(
              "GradPeek cannot run in the Python of its setting ({0}). It needs Python 3.10 or later.",
              error.setting,
            )
          : vscode.l10n.t("GradPeek found no Python 3.10 or later to run in."),
      );
    }
  };
}

/** No Python can run the server; the user can choose one. */
export class NoUsablePythonError extends ServerUnavailableError {}

/** Says in one line that the server does not run, with what can be done about it. */
export async function sayFailure(error: unknown, log: vscode.LogOutputChannel): Promise<void> {
  const choose = vscode.l10n.t("Choose Python…");
  const show = vscode.l10n.t("Show Log");
  const buttons = error instanceof NoUsablePythonError ? [choose, show] : [show];
  const say =
    error instanceof NoUsablePythonError
      ? vscode.window.showErrorMessage
      : vscode.window.showWarningMessage;
  const chosen = await say(escapeLinks(messageOf(error)), ...buttons);
  if (chosen === choose) await choosePython();
  if (chosen === show) log.show();
}

/** Opens the setting that names the server's Python: of the machine that it runs on. */
export async function choosePython(): Promise<void> {
  // In a remote window the page of the user's settings has none that depend on the machine.
  const { remoteName } = vscode.env;
  const command = remoteName === undefined ? "openSettings" : "openRemoteSettings";
  const query = "gradpeek.server.python";
  await vscode.commands.executeCommand(`workbench.action.${command}`, { query });
}
