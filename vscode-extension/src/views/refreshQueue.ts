/**
 * Collects what has to be drawn again. The editor's trees wait until nothing has changed for 200 ms
 * when they hear of changes faster than that, so a stream of changes would never show: it hears of
 * them at this distance instead, and of one that comes alone at once.
 */
export const INTERVAL_MS = 220;

/** Nodes by id, or null for the whole tree. */
export type Changes = ReadonlySet<string> | null;

/** Tells what has changed, at most once an interval. */
export class RefreshQueue {
  private waiting: Set<string> | null | undefined;
  private timer: NodeJS.Timeout | undefined;
  private last = Number.NEGATIVE_INFINITY;

  constructor(private readonly fire: (changes: Changes) => void) {}

  /** Adds nodes, or null for the whole tree. */
  add(nodes: readonly string[] | null): void {
    if (nodes === null) this.waiting = null;
    else if (this.waiting !== null) this.waiting = new Set([...(this.waiting ?? []), ...nodes]);
    this.schedule();
  }

  /** Whether the whole tree waits to be drawn again. */
  get holdsAll(): boolean {
    return this.waiting === null;
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const wait = this.last + INTERVAL_MS - Date.now();
    if (wait <= 0) this.flush();
    else this.timer = setTimeout(() => this.flush(), wait);
  }

  private flush(): void {
    const changes = this.waiting;
    if (changes === undefined) return;
    this.waiting = undefined;
    this.last = Date.now();
    this.fire(changes);
  }
}
