import type * as vscode from "vscode";

const SEEN = "gradpeek.seen";

/**
 * Unfolds the view once for a user, at the first stop of a Python program: VS Code starts every view
 * of an extension folded, and one who has just installed this one would look for it in vain. What
 * the user does with the view from then on stays as it is.
 */
export class Introduction {
  /**
   * @param memory what lasts for the user.
   * @param open unfolds the view; the focus stays where it is.
   */
  constructor(
    private readonly memory: vscode.Memento,
    private readonly open: () => Promise<void>,
  ) {}

  /** A Python program has stopped. */
  async stopped(): Promise<void> {
    if (this.memory.get<boolean>(SEEN)) return;
    await this.seen();
    await this.open();
  }

  /** The view has been in sight. */
  async seen(): Promise<void> {
    if (!this.memory.get<boolean>(SEEN)) await this.memory.update(SEEN, true);
  }
}
