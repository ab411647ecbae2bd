import { existsSync } from "node:fs";
import { join } from "node:path";
import type * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type ProgressToken,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import { VERSION } from "../protocol";
import { ServerProgress } from "./progress";

/** A server that is about to start, and what is to be done once it is gone. */
export interface ClientOptions {
  readonly python: string;
  readonly extensionPath: string;
  readonly viewId: string;
  readonly log: vscode.LogOutputChannel;
  readonly closed: () => void;
}

/**
 * How the server is started: isolated, so that neither the workspace nor the environment adds to
 * what it imports. Without `bundled/`, as in a checkout, GradPeek has to be installed in that
 * Python.
 */
export function commandLine(python: string, extensionPath: string): [string, string[]] {
  const bundled = join(extensionPath, "bundled");
  return existsSync(bundled)
    ? [python, ["-I", bundled, "--stdio"]]
    : [python, ["-I", "-m", "gradpeek", "serve", "--stdio"]];
}

/** A language client that starts the server once and never again by itself. */
export function createClient(options: ClientOptions): LanguageClient {
  const [command, args] = commandLine(options.python, options.extensionPath);
  const cancel = (token: ProgressToken) =>
    void client.sendNotification("window/workDoneProgress/cancel", { token }).catch(() => {});
  const progress = new ServerProgress(options.viewId, cancel);
  const client = new LanguageClient(
    "gradpeek",
    "GradPeek",
    { command, args, options: { cwd: options.extensionPath } },
    {
      outputChannel: options.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: { protocol: VERSION },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          progress.dispose();
          options.closed();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      middleware: {
        handleWorkDoneProgress: (token, report, next) => {
          progress.show(token, report);
          // The client's own display never begins; it only has to let go of the token.
          if (report.kind === "end") next(token, report);
        },
      },
    },
  );
  return client;
}
