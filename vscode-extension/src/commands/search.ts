import * as vscode from "vscode";
import type { Found, Match } from "../protocol";
import { escapeIcons, messageOf } from "../text";
import { sayError, sayWarning } from "./errors";
import type { Parts } from "./show";

const LIMIT = 200;
const TYPING_MS = 80;

interface Item extends vscode.QuickPickItem {
  readonly match: Match;
}

/** Searches all rows while the user types, and reveals the one that is chosen. */
export function search({ server, view, log }: Parts): void {
  const pick = vscode.window.createQuickPick<Item>();
  const title = vscode.l10n.t("Search Gradients");
  pick.title = title;
  pick.placeholder = vscode.l10n.t("Words of a name, class, shape or state, e.g. conv frozen");
  pick.matchOnDescription = true;
  let source = new vscode.CancellationTokenSource();
  let timer: NodeJS.Timeout | undefined;

  const look = async (query: string) => {
    source.cancel();
    source.dispose();
    source = new vscode.CancellationTokenSource();
    const { token } = source;
    pick.busy = true;
    try {
      const found = await server.request("search", { query, limit: LIMIT }, token);
      if (token.isCancellationRequested) return;
      pick.items = found.matches.map(itemOf);
      pick.title = `${title} · ${count(found)}`;
    } catch (error) {
      if (token.isCancellationRequested) return;
      log.warn(`Search: ${error}`);
      pick.items = [];
      pick.title = `${title} · ${messageOf(error)}`;
    }
    pick.busy = false;
  };

  pick.onDidChangeValue((query) => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(query), TYPING_MS);
  });
  pick.onDidAccept(async () => {
    const chosen = pick.selectedItems[0]?.match.node.id;
    pick.hide();
    if (chosen === undefined) return;
    try {
      const { path, message } = await server.request("reveal", { node: chosen });
      if (message !== null) sayWarning(message);
      await view.reveal(path);
    } catch (error) {
      sayError(error);
    }
  });
  pick.onDidHide(() => {
    clearTimeout(timer);
    source.cancel();
    source.dispose();
    pick.dispose();
  });
  pick.show();
  void look("");
}

function itemOf(match: Match): Item {
  const cells = match.node.cells.map((cell) => cell.text).join("  ");
  return {
    label: escapeIcons(match.name),
    description: escapeIcons(cells),
    // What matches is the server's to say.
    alwaysShow: true,
    match,
  };
}

function count({ matches, total }: Found): string {
  return matches.length < total
    ? vscode.l10n.t("first {0} of {1}", matches.length, total)
    : vscode.l10n.t("{0} found", total);
}
