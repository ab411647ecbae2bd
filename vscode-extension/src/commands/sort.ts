import * as vscode from "vscode";
import type { Order } from "../protocol";
import type { ViewOptions } from "../views/options";

/** Asks for the order of the rows; the one in use is marked. */
export async function sort(options: ViewOptions): Promise<void> {
  const labels: Record<Order, string> = {
    model: vscode.l10n.t("As in the model"),
    name: vscode.l10n.t("By name"),
    gradient: vscode.l10n.t("Largest gradient first"),
    size: vscode.l10n.t("Most elements first"),
  };
  const orders = Object.keys(labels) as Order[];
  const items = orders.map((order) => ({
    order,
    label: labels[order],
    description: order === options.order ? vscode.l10n.t("now") : "",
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Sort Gradients"),
  });
  if (chosen !== undefined) await options.choose({ order: chosen.order });
}
