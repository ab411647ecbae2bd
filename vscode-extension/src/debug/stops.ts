import type { Notifications } from "../protocol";
import type { Message } from "./messages";
import { type SessionInfo, SessionStops, type Turn } from "./sessionStops";

/** A notification to the server about stops. */
export type StopNotification = {
  [Name in "stopped" | "frame" | "continued" | "ended"]: {
    readonly name: Name;
    readonly params: Notifications[Name];
  };
}["stopped" | "frame" | "continued" | "ended"];

interface Selection {
  readonly session: string;
  readonly frame: number;
}

/**
 * The stops of all debug sessions, and the frame that the user has selected, told from what passes
 * by. Says each change once.
 */
export class Stops {
  private readonly sessions = new Map<string, SessionStops>();
  private readonly unseen = new Set<string>();
  private selection: Selection | undefined;
  private said: Notifications["frame"] | undefined;

  /** @param say hears of every change, in order. */
  constructor(private readonly say: (notification: StopNotification) => void) {}

  /** A session begins whose messages will pass by; one of the same name before it is over. */
  begins(info: SessionInfo): SessionStops {
    const stops = new SessionStops(info);
    this.sessions.set(info.id, stops);
    this.unseen.delete(info.id);
    return stops;
  }

  /** A message of the editor to the adapter of a session. */
  sent(session: string, message: Message): void {
    this.sessions.get(session)?.sent(message);
  }

  /** A message of the adapter of a session. */
  received(session: string, message: Message): void {
    const stops = this.sessions.get(session);
    if (stops !== undefined) this.turned(stops, stops.received(message));
  }

  /**
   * The session is over, whatever its adapter has said.
   *
   * @param only ends it only if it is this one: a session that starts anew keeps its name, and its
   *   old adapter may be gone late.
   */
  ended(session: string, only?: SessionStops): void {
    const stops = this.sessions.get(session);
    if (stops === undefined || (only !== undefined && only !== stops)) return;
    this.turned(stops, stops.end());
    this.sessions.delete(session);
    this.unseen.delete(session);
  }

  /**
   * The user, or the editor at a stop, has selected a frame.
   *
   * @param frame undefined where the selected thread runs.
   */
  selected(info: SessionInfo, frame: number | undefined): void {
    let stops = this.sessions.get(info.id);
    if (stops === undefined) {
      stops = new SessionStops(info);
      this.sessions.set(info.id, stops);
      this.unseen.add(info.id);
    }
    this.selection = frame === undefined ? undefined : { session: info.id, frame };
    if (this.unseen.has(info.id)) {
      this.turned(stops, frame === undefined ? stops.runs() : stops.shown(frame));
    }
    this.saySelection();
  }

  /** The session of that name, if it lasts. */
  at(session: string): SessionStops | undefined {
    const stops = this.sessions.get(session);
    return stops?.state === "ended" ? undefined : stops;
  }

  /** Whether any session is stopped at a known frame. */
  get anyStopped(): boolean {
    return [...this.sessions.values()].some((stops) => stops.state === "stopped");
  }

  /** What a server has to hear that has heard nothing yet. */
  current(): StopNotification[] {
    const all: StopNotification[] = [];
    for (const stops of this.sessions.values()) {
      const params = stops.stopped;
      if (params !== undefined) all.push({ name: "stopped", params });
    }
    const frame = this.selectedFrame();
    if (frame !== undefined) all.push({ name: "frame", params: frame });
    return all;
  }

  private turned(stops: SessionStops, turn: Turn | undefined): void {
    if (turn === undefined) return;
    const session = stops.info.id;
    if (turn === "stopped") {
      const params = stops.stopped;
      if (params === undefined) return;
      this.said = { session, stop: params.stop, frame: params.frame };
      this.say({ name: "stopped", params });
      // The editor keeps the focus where it is when another session stops beside it.
      if (this.selection?.session !== session) this.saySelection();
      return;
    }
    this.say({ name: turn, params: { session } });
  }

  private saySelection(): void {
    const params = this.selectedFrame();
    if (params === undefined) return;
    const { said } = this;
    const same =
      said?.session === params.session && said.stop === params.stop && said.frame === params.frame;
    if (same) return;
    this.said = params;
    this.say({ name: "frame", params });
  }

  private selectedFrame(): Notifications["frame"] | undefined {
    if (this.selection === undefined) return undefined;
    const { session, frame } = this.selection;
    const stops = this.sessions.get(session);
    return stops?.holds(frame) ? { session, stop: stops.stop, frame } : undefined;
  }
}
