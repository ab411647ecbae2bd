import * as vscode from "vscode";
import type {
  ProgressToken,
  WorkDoneProgressBegin,
  WorkDoneProgressEnd,
  WorkDoneProgressReport,
} from "vscode-languageclient/node";

type Report = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/**
 * Shows the server's work, which it speaks of only where it lasts: as the bar of the view, and where
 * it can be cancelled in a notification with a button. (The language client would show it in the
 * status bar, which has none.)
 */
export class ServerProgress implements vscode.Disposable {
  private readonly running = new Map<ProgressToken, Work>();

  /** @param cancel asks the server to leave that work. */
  constructor(
    private readonly viewId: string,
    private readonly cancel: (token: ProgressToken) => void,
  ) {}

  /** Shows what the server says of the work `token`. */
  show(token: ProgressToken, report: Report): void {
    if (report.kind === "begin") {
      this.running.get(token)?.end();
      this.running.set(token, new Work(this.viewId, report, () => this.cancel(token)));
    } else if (report.kind === "report") {
      this.running.get(token)?.report(report.message, report.percentage);
    } else {
      this.running.get(token)?.end();
      this.running.delete(token);
    }
  }

  /** Ends all: the server is gone. */
  dispose(): void {
    for (const work of this.running.values()) work.end();
    this.running.clear();
  }
}

class Work {
  private bar: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  private message: string | undefined;
  private percentage = 0;
  private drawn = 0;
  private finish = () => {};

  constructor(viewId: string, begin: WorkDoneProgressBegin, cancel: () => void) {
    const finished = new Promise<void>((resolve) => {
      this.finish = resolve;
    });
    void vscode.window.withProgress({ location: { viewId } }, () => finished);
    this.report(begin.message, begin.percentage);
    if (!begin.cancellable) return;
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: begin.title,
      cancellable: true,
    };
    void vscode.window.withProgress(options, (bar, token) => {
      token.onCancellationRequested(cancel);
      this.bar = bar;
      this.draw();
      return finished;
    });
  }

  report(message: string | undefined, percentage: number | undefined): void {
    this.message = message ?? this.message;
    this.percentage = Math.max(this.percentage, Math.min(percentage ?? 0, 100));
    this.draw();
  }

  end(): void {
    this.finish();
  }

  private draw(): void {
    const increment = this.percentage - this.drawn;
    this.bar?.report({
      increment,
      ...(this.message === undefined ? {} : { message: this.message }),
    });
    if (this.bar !== undefined) this.drawn = this.percentage;
  }
}
