'use strict';

/** Everything that passed between VS Code and the debug adapters, in order, of all sessions. */
class DapLog {
  constructor() {
    /** @type {{seq: number, timeMs: number, sessionId: string, sessionName: string, from: 'editor'|'adapter', message: any}[]} */
    this.entries = [];
    this.waiting = new Set();
  }

  createDebugAdapterTracker(session) {
    return {
      onWillReceiveMessage: (message) => this.add(session, 'editor', message),
      onDidSendMessage: (message) => this.add(session, 'adapter', message),
    };
  }

  /** Notes that VS Code has let go of a session; adapters do not always say so themselves. */
  ended(session) {
    this.add(session, 'editor', { type: 'event', event: 'sessionEnded' });
  }

  add(session, from, message) {
    const entry = {
      seq: this.entries.length + 1,
      timeMs: performance.timeOrigin + performance.now(),
      sessionId: session.id,
      sessionName: session.name,
      from,
      message: structuredClone(message),
    };
    this.entries.push(entry);
    for (const check of [...this.waiting]) check(entry);
  }

  /**
   * The entries after number `after` that match `where`: keys of the entry itself (`sessionId`, `from`)
   * or of its message (`type`, `command`, `event`, …), compared by value; a list of patterns: any of them.
   */
  select({ after = 0, where = {} }) {
    return this.entries.slice(after).filter((entry) => matches(entry, where));
  }

  /** The first matching entry after number `after`, waited for if it is not there yet. */
  wait({ after = 0, where, timeoutMs }) {
    const found = this.select({ after, where })[0];
    if (found) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const check = (entry) => {
        if (matches(entry, where)) settle(resolve, entry);
      };
      const settle = (how, value) => {
        clearTimeout(timer);
        this.waiting.delete(check);
        how(value);
      };
      const timer = setTimeout(() => {
        const last = this.entries.slice(-8).map(({ from, message: m }) => `${from} ${m.type} ${m.command ?? m.event}`);
        settle(reject, new Error(`nothing matched ${JSON.stringify(where)} after ${after} within ${timeoutMs} ms; last: ${last.join(', ')}`));
      }, timeoutMs);
      this.waiting.add(check);
    });
  }
}

function matches(entry, where) {
  if (Array.isArray(where)) return where.some((pattern) => matches(entry, pattern));
  return Object.entries(where).every(([key, value]) => value === (key in entry ? entry[key] : entry.message[key]));
}

module.exports = { DapLog };
