/**
 * The little of the editor's API that unit tests need; the real one exists only inside the editor,
 * where the end-to-end tests run.
 */
type Listener<T> = (event: T) => unknown;

export class EventEmitter<T> {
  private readonly listeners = new Set<Listener<T>>();
  readonly event = (listener: Listener<T>) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(event: T): void {
    for (const listener of [...this.listeners]) listener(event);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class CancellationTokenSource {
  private readonly cancelled = new EventEmitter<void>();
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: this.cancelled.event,
  };
  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.cancelled.fire();
  }
  dispose(): void {}
}

export class Disposable {
  static from(...parts: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const part of parts) part.dispose();
    });
  }
  constructor(readonly dispose: () => unknown) {}
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export class ThemeIcon {
  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

export class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState: number,
  ) {}
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

export class MarkdownString {
  isTrusted?: boolean;
  supportHtml?: boolean;
  constructor(readonly value: string) {}
}

export const Uri = {
  from: (parts: { scheme: string; path: string }) => ({
    ...parts,
    toString: () => `${parts.scheme}:${parts.path}`,
  }),
};

export const l10n = {
  t: (text: string, ...values: unknown[]) =>
    text.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
};

/** What commands have been run, with their arguments. */
export const ran: unknown[][] = [];

export const commands = {
  executeCommand: async (...call: unknown[]) => {
    ran.push(call);
  },
};

/** The tree views that have been made. */
export const treeViews: {
  visible: boolean;
  message: string;
  description: string;
  revealed: unknown[];
}[] = [];

export const window = {
  createTreeView: () => {
    const view = {
      visible: true,
      message: "",
      description: "",
      revealed: [] as unknown[],
      onDidChangeVisibility: new EventEmitter<void>().event,
      reveal: async (element: unknown) => {
        view.revealed.push(element);
      },
      dispose: () => {},
    };
    treeViews.push(view);
    return view;
  },
};
