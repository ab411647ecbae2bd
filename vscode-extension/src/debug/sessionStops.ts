import type { Stopped } from "../protocol";
import {
  asEvent,
  asRequest,
  asResponse,
  booleanIn,
  fieldOf,
  listIn,
  type Message,
  numberIn,
} from "./messages";

/** What the editor knows of a debug session before any message. */
export interface SessionInfo {
  /** The editor's name of the session. */
  readonly id: string;
  /** What the editor calls it. */
  readonly label: string;
  /** The editor's type of it, e.g. debugpy. */
  readonly debugger: string;
}

/** What a message has brought about in a session. */
export type Turn = "stopped" | "continued" | "ended";

/** A request on its way whose response matters, with the count of stops when it was sent. */
interface Sent {
  readonly stop: number;
  readonly thread: number | undefined;
  readonly singleThread: boolean;
  readonly startFrame: number;
}

const RUNS = new Set(["continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue"]);

/**
 * Where one debug session stands, told from the messages that pass by: nothing is asked.
 *
 * A stop counts from its `stopped` event on, and is known once the stack of the stopped thread,
 * which the editor asks for, has passed by. Adapters use ids of frames again at later stops, and
 * the response to a step may come after the stop that the step has led to: so every request is
 * remembered with the count of stops at which it was sent.
 */
export class SessionStops {
  /** Whether the adapter evaluates in the context `clipboard`; undefined where it has not said. */
  clipboard: boolean | undefined;
  /** How many stops there have been. */
  stop = 0;
  /** stopping: it has stopped and the top frame is not known yet. */
  state: "running" | "stopping" | "stopped" | "ended" = "running";

  private process: number | null = null;
  private thread: number | undefined;
  private top: number | undefined;
  private readonly frames = new Set<number>();
  private readonly requests = new Map<number, Sent>();

  constructor(readonly info: SessionInfo) {}

  /** What is said of the stop, while there is one whose top frame is known. */
  get stopped(): Stopped | undefined {
    if (this.state !== "stopped" || this.top === undefined) return undefined;
    const { id: session, label, debugger: type } = this.info;
    return {
      session,
      stop: this.stop,
      frame: this.top,
      label,
      debugger: type,
      process: this.process,
    };
  }

  /** Whether the frame belongs to the stop that lasts. */
  holds(frame: number): boolean {
    return this.state === "stopped" && this.frames.has(frame);
  }

  /** Notes a message of the editor to the adapter. */
  sent(message: Message): void {
    const request = asRequest(message);
    if (request === undefined) return;
    if (request.command !== "stackTrace" && !RUNS.has(request.command)) return;
    this.requests.set(request.seq, {
      stop: this.stop,
      thread: numberIn(request.arguments, "threadId"),
      singleThread: booleanIn(request.arguments, "singleThread") ?? false,
      startFrame: numberIn(request.arguments, "startFrame") ?? 0,
    });
  }

  /** Notes a message of the adapter and returns what it has brought about, if anything. */
  received(message: Message): Turn | undefined {
    if (this.state === "ended") return undefined;
    const event = asEvent(message);
    if (event !== undefined) return this.happened(event.event, event.body);
    const response = asResponse(message);
    if (response === undefined) return undefined;
    const sent = this.requests.get(response.request_seq);
    this.requests.delete(response.request_seq);
    if (!response.success) return undefined;
    if (response.command === "initialize") {
      this.learn(response.body);
      return undefined;
    }
    if (sent === undefined || sent.stop !== this.stop) return undefined;
    if (response.command === "stackTrace")
      return this.saw(sent, listIn(response.body, "stackFrames"));
    return RUNS.has(response.command)
      ? this.resumed(sent, response.command, response.body)
      : undefined;
  }

  /** Notes a frame of a session whose messages cannot be seen: it is how its stops become known. */
  shown(frame: number): Turn | undefined {
    if (this.state === "ended") return undefined;
    this.frames.add(frame);
    if (this.state === "stopped") return undefined;
    this.stop += 1;
    return this.stopAt(frame);
  }

  /** Notes that the session runs, e.g. as the editor has selected a running thread. */
  runs(): Turn | undefined {
    const known = this.state === "stopped";
    if (this.state === "ended" || this.state === "running") return undefined;
    this.state = "running";
    this.frames.clear();
    return known ? "continued" : undefined;
  }

  /** Notes that the session is over; returns that only once, and only if it ever stopped. */
  end(): Turn | undefined {
    if (this.state === "ended") return undefined;
    this.state = "ended";
    this.frames.clear();
    this.requests.clear();
    return this.stop > 0 ? "ended" : undefined;
  }

  private happened(name: string, body: unknown): Turn | undefined {
    switch (name) {
      case "stopped":
        this.stop += 1;
        this.state = "stopping";
        this.thread = numberIn(body, "threadId");
        this.frames.clear();
        return undefined;
      case "continued": {
        const thread = numberIn(body, "threadId");
        const concerns = booleanIn(body, "allThreadsContinued") || thread === undefined;
        return concerns || this.thread === undefined || thread === this.thread
          ? this.runs()
          : undefined;
      }
      case "process":
        this.process = numberIn(body, "systemProcessId") ?? null;
        return undefined;
      case "capabilities":
        this.learn(fieldOf(body, "capabilities"));
        return undefined;
      case "terminated":
      case "exited":
        return this.end();
      default:
        return undefined;
    }
  }

  private learn(capabilities: unknown): void {
    const clipboard = booleanIn(capabilities, "supportsClipboardContext");
    // A later event names only what has changed.
    this.clipboard = clipboard ?? this.clipboard ?? false;
  }

  private saw(sent: Sent, stack: unknown[]): Turn | undefined {
    if (this.state !== "stopping" && this.state !== "stopped") return undefined;
    const ids = stack.map((frame) => numberIn(frame, "id")).filter((id) => id !== undefined);
    for (const id of ids) this.frames.add(id);
    const isTop =
      sent.startFrame === 0 && (this.thread === undefined || sent.thread === this.thread);
    const top = ids[0];
    return this.state === "stopping" && isTop && top !== undefined ? this.stopAt(top) : undefined;
  }

  private stopAt(frame: number): Turn {
    this.state = "stopped";
    this.top = frame;
    return "stopped";
  }

  private resumed(sent: Sent, command: string, body: unknown): Turn | undefined {
    const othersStay =
      sent.singleThread ||
      (command === "continue" && booleanIn(body, "allThreadsContinued") === false);
    const isOther = this.thread !== undefined && sent.thread !== this.thread;
    return othersStay && isOther ? undefined : this.runs();
  }
}
