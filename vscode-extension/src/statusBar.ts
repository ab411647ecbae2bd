import * as vscode from "vscode";
import type { Status, Tone } from "./protocol";
import { escapeIcons } from "./text";
import { VIEW_ID } from "./views/gradients";

const BACKGROUNDS: Record<Tone, string | undefined> = {
  normal: undefined,
  faint: undefined,
  warning: "statusBarItem.warningBackground",
  error: "statusBarItem.errorBackground",
};

/** The line about the selected session; a click leads to the view. */
export class StatusLine implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "gradpeek.status",
    vscode.StatusBarAlignment.Left,
  );

  constructor() {
    this.item.name = "GradPeek";
    this.item.command = `${VIEW_ID}.focus`;
  }

  /** Shows what the server says, or nothing. */
  show({ text, tooltip, tone }: Status): void {
    if (text === null) {
      this.hide();
      return;
    }
    const background = BACKGROUNDS[tone];
    this.item.text = escapeIcons(text);
    this.item.tooltip = tooltip;
    this.item.backgroundColor =
      background === undefined ? undefined : new vscode.ThemeColor(background);
    this.item.show();
  }

  /** Shows nothing. */
  hide(): void {
    this.item.hide();
  }

  dispose(): void {
    this.item.dispose();
  }
}
