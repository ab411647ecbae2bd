import * as vscode from "vscode";
import { ConsoleCompletions } from "./completions";
import type { Message } from "./messages";
import { isPython } from "./python";
import type { SessionInfo } from "./sessionStops";
import type { Stops } from "./stops";
import { markTorchVariables } from "./torchVariables";

/** The running debug sessions by their names. */
export class Sessions {
  private readonly byId = new Map<string, vscode.DebugSession>();

  get(id: string): vscode.DebugSession | undefined {
    return this.byId.get(id);
  }

  /** How many sessions there are. */
  get count(): number {
    return this.byId.size;
  }

  /** The session whose Python may run the server: the active one, else the first. */
  get preferred(): vscode.DebugSession | undefined {
    return vscode.debug.activeDebugSession ?? [...this.byId.values()].at(0);
  }

  add(session: vscode.DebugSession): void {
    this.byId.set(session.id, session);
  }

  delete(id: string): void {
    this.byId.delete(id);
  }
}

/** What the extension's parts need to know of debug sessions. */
export interface Watched extends vscode.Disposable {
  readonly sessions: Sessions;
  /** Fires when a session has begun or is over. */
  readonly onDidChangeSessions: vscode.Event<void>;
  /** Notes what was there before us, as when the extension is installed at a stop. */
  lookAround(): void;
}

/**
 * Watches all debug sessions and tells `stops` what passes by. It only watches: nothing is sent,
 * and an error in here goes to the log, never into a session.
 */
export function watchSessions(
  stops: Stops,
  completes: () => boolean,
  log: vscode.LogOutputChannel,
): Watched {
  const sessions = new Sessions();
  const changed = new vscode.EventEmitter<void>();
  const guarded = (what: () => void) => {
    try {
      what();
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
    }
  };
  const begins = (session: vscode.DebugSession) => {
    sessions.add(session);
    changed.fire();
  };
  const ends = (session: vscode.DebugSession) => {
    stops.ended(session.id);
    sessions.delete(session.id);
    changed.fire();
  };
  const track = (session: vscode.DebugSession): vscode.DebugAdapterTracker => {
    const { id } = session;
    const completions = isPython(session.type) ? new ConsoleCompletions() : undefined;
    const its = stops.begins(info(session));
    begins(session);
    return {
      onWillReceiveMessage: (message: Message) =>
        guarded(() => {
          stops.sent(id, message);
          if (completes()) completions?.sent(message);
        }),
      onDidSendMessage: (message: Message) =>
        guarded(() => {
          stops.received(id, message);
          completions?.received(message);
          if (completions !== undefined) markTorchVariables(message);
        }),
      onExit: () => guarded(() => stops.ended(id, its)),
    };
  };
  const select = (item: vscode.DebugThread | vscode.DebugStackFrame | undefined) =>
    guarded(() => {
      if (item === undefined) return;
      const frame = item instanceof vscode.DebugStackFrame ? item.frameId : undefined;
      stops.selected(info(item.session), frame);
    });
  const subscriptions = vscode.Disposable.from(
    changed,
    vscode.debug.registerDebugAdapterTrackerFactory("*", { createDebugAdapterTracker: track }),
    vscode.debug.onDidStartDebugSession((session) => guarded(() => begins(session))),
    vscode.debug.onDidTerminateDebugSession((session) => guarded(() => ends(session))),
    vscode.debug.onDidChangeActiveStackItem(select),
  );
  return {
    sessions,
    onDidChangeSessions: changed.event,
    lookAround: () => {
      const { activeDebugSession, activeStackItem } = vscode.debug;
      if (activeDebugSession !== undefined) begins(activeDebugSession);
      select(activeStackItem);
    },
    dispose: () => subscriptions.dispose(),
  };
}

function info(session: vscode.DebugSession): SessionInfo {
  return { id: session.id, label: session.name, debugger: session.type };
}
