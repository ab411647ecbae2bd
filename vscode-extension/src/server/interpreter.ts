import { PythonExtension } from "@vscode/python-extension";
import * as vscode from "vscode";
import { type Candidate, type Found, findPython, type Verdict } from "./candidates";

const ORIGINS: Record<Candidate["origin"], string> = {
  setting: "the setting gradpeek.server.python",
  session: "the debug session",
  "python-extension": "the Python extension",
  path: "PATH",
};

/**
 * The Python that runs the server; see `findPython` for the order.
 *
 * @param session whose interpreter is asked first, where there is one.
 * @throws NoPythonError where none fits.
 */
export async function chooseInterpreter(
  session: vscode.DebugSession | undefined,
  log: vscode.LogOutputChannel,
): Promise<Found> {
  const folder = session?.workspaceFolder ?? vscode.workspace.workspaceFolders?.[0];
  const setting = vscode.workspace
    .getConfiguration("gradpeek", folder)
    .get<string>("server.python", "")
    .trim()
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor's variable, as in its settings
    .replaceAll("${workspaceFolder}", folder?.uri.fsPath ?? "");
  const tell = (candidate: Candidate, verdict: Verdict) => {
    const from = `${[candidate.command, ...candidate.args].join(" ")} (${ORIGINS[candidate.origin]})`;
    if (verdict.fits) log.info(`Runs the server: ${from}, Python ${verdict.version}`);
    else log.warn(`Does not run the server: ${from}: ${verdict.reason}`);
  };
  return findPython(
    {
      setting,
      configuration: session?.configuration,
      selected: () => selectedInterpreter(folder?.uri, log),
      platform: process.platform,
    },
    tell,
  );
}

async function selectedInterpreter(
  resource: vscode.Uri | undefined,
  log: vscode.LogOutputChannel,
): Promise<string | undefined> {
  try {
    const { environments } = await PythonExtension.api();
    const path = environments.getActiveEnvironmentPath(resource);
    return (await environments.resolveEnvironment(path))?.executable.uri?.fsPath;
  } catch (error) {
    log.info(`No interpreter from the Python extension: ${error}`);
    return undefined;
  }
}
