import type { Message } from "../../src/debug/messages";
import type { SessionInfo } from "../../src/debug/sessionStops";
import { type StopNotification, Stops } from "../../src/debug/stops";

type Body = Record<string, unknown>;

/** A debug session that says to `stops` what an adapter and the editor say. */
export class Talk {
  private seq = 0;

  constructor(
    private readonly stops: Stops,
    readonly info: SessionInfo,
  ) {
    stops.begins(info);
  }

  /** An event of the adapter. */
  event(event: string, body: Body = {}): void {
    this.stops.received(this.info.id, { seq: ++this.seq, type: "event", event, body } as Message);
  }

  /** A request of the editor; returns its number. */
  ask(command: string, args: Body = {}): number {
    const seq = ++this.seq;
    this.stops.sent(this.info.id, { seq, type: "request", command, arguments: args } as Message);
    return seq;
  }

  /** The adapter's response to a request. */
  answer(request_seq: number, command: string, body: Body = {}, success = true): void {
    const response = { seq: ++this.seq, type: "response", request_seq, command, success, body };
    this.stops.received(this.info.id, response as Message);
  }

  /** A request and its response. */
  did(command: string, args: Body = {}, body: Body = {}): void {
    this.answer(this.ask(command, args), command, body);
  }

  /** A stop as the editor sees it: the event, then the stack that it asks for. */
  stop(threadId: number, ...frames: number[]): void {
    this.event("stopped", { reason: "breakpoint", threadId, allThreadsStopped: true });
    this.stack(threadId, ...frames);
  }

  /** The editor asks for a stack and gets it. */
  stack(threadId: number, ...frames: number[]): void {
    const stackFrames = frames.map((id) => ({ id, name: "f", line: 1 }));
    this.did("stackTrace", { threadId, startFrame: 0 }, { stackFrames });
  }
}

/** Stops, and a list of all that they say, each as `name session …numbers`. */
export function listening(): { stops: Stops; said: string[]; notifications: StopNotification[] } {
  const said: string[] = [];
  const notifications: StopNotification[] = [];
  const stops = new Stops((notification) => {
    notifications.push(notification);
    const { name, params } = notification;
    const numbers = "stop" in params ? ` ${params.stop}:${params.frame}` : "";
    said.push(`${name} ${params.session}${numbers}`);
  });
  return { stops, said, notifications };
}

/** A session of debugpy. */
export function session(id: string): SessionInfo {
  return { id, label: `Python: ${id}`, debugger: "debugpy" };
}
