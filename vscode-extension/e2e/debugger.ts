/** The tests' way into the extension host: debugging, the DAP log and commands, through `debug-extension`. */
import http from 'node:http';

const CALL_TIMEOUT_MS = 60_000;
export const STOP_TIMEOUT_MS = 90_000;

export interface Breakpoint {
  file: string;
  /** From 1. */
  line: number;
  condition?: string;
  hitCondition?: string;
  logMessage?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: DAP messages are read by tests, key by key.
export type DapMessage = any;

export interface DapEntry {
  /** From 1, over all sessions. */
  seq: number;
  timeMs: number;
  sessionId: string;
  sessionName: string;
  from: 'editor' | 'adapter';
  message: DapMessage;
}

/** Keys of an entry (`sessionId`, `from`) or of its message (`type`, `command`, `event`), compared by value. */
export type DapPattern = Readonly<Record<string, string | number | boolean>>;

export interface Stop {
  /** Number of the `stopped` event in the log. */
  seq: number;
  sessionId: string;
  threadId: number;
  reason: string;
  /** Top first; `line` from 1. */
  frames: { id: number; name: string; file: string | null; line: number }[];
}

export interface Evaluate {
  seq: number;
  sessionId: string;
  expression: string;
  context: string | undefined;
  frameId: number | undefined;
  response: DapMessage | undefined;
}

export interface WindowState {
  version: string;
  language: string;
  colorTheme: string;
  isTrusted: boolean;
  activeFile: string | null;
  activeLine: number | null;
  selectedText: string | null;
  openFiles: string[];
  activeSession: string | null;
  activeStackItem: { sessionId: string; threadId: number; frameId: number | null } | null;
  extensions: { id: string; isActive: boolean; displayName: string }[];
}

export type StepKind = 'over' | 'into' | 'out' | 'continue' | 'pause';

export class Debugger {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  /** Starts debugging with a configuration (type debugpy, request launch unless it says otherwise); the session's id. */
  start(configuration: Record<string, unknown>, options: { noDebug?: boolean } = {}): Promise<string> {
    return this.call('startDebugging', { configuration, ...options });
  }

  /** Starts debugging and waits for the first stop. */
  async startAndStop(configuration: Record<string, unknown>): Promise<Stop> {
    const after = await this.seq();
    await this.start(configuration);
    return this.waitForStop(after);
  }

  /** Ends one session, or all; returns when VS Code has let go of them. */
  stop(sessionId?: string): Promise<void> {
    return this.call('stopDebugging', { sessionId });
  }

  /** Replaces all breakpoints. */
  setBreakpoints(...breakpoints: Breakpoint[]): Promise<void> {
    return this.call('setBreakpoints', { breakpoints });
  }

  /** Presses a button of the debug toolbar; for a thread other than the focused one where named. */
  step(kind: StepKind, thread?: { sessionId: string; threadId: number }): Promise<void> {
    return this.call('step', { kind, ...thread });
  }

  /** Steps or continues, and waits for the stop after it. */
  async stepAndStop(kind: StepKind, thread?: { sessionId: string; threadId: number }): Promise<Stop> {
    const after = await this.seq();
    await this.step(kind, thread);
    return this.waitForStop(after, thread && { sessionId: thread.sessionId });
  }

  /** Continues and waits until VS Code has let go of the session. */
  async continueToEnd(sessionId: string): Promise<void> {
    const after = await this.seq();
    await this.step('continue');
    await this.waitForDap({ sessionId, event: 'sessionEnded' }, { after });
  }

  /** The first stop after entry `after` of the log, with its frames (asked for by the test, as VS Code asks for few). */
  async waitForStop(after = 0, where: DapPattern = {}, timeoutMs = STOP_TIMEOUT_MS): Promise<Stop> {
    const patterns = [{ ...where, from: 'adapter', event: 'stopped' }, { event: 'sessionEnded' }];
    let stopped = await this.waitForDap(patterns, { after, timeoutMs });
    while (stopped.message.event === 'sessionEnded') {
      if ((await this.sessions()).length === 0) throw new Error(`the program ended without a stop:\n${await this.output(after)}`);
      stopped = await this.waitForDap(patterns, { after: stopped.seq, timeoutMs });
    }
    const { sessionId } = stopped;
    const { threadId, reason } = stopped.message.body;
    const trace = await this.customRequest(sessionId, 'stackTrace', { threadId });
    return {
      seq: stopped.seq,
      sessionId,
      threadId,
      reason,
      frames: trace.stackFrames.map((frame: DapMessage) => ({
        id: frame.id,
        name: frame.name,
        file: localPath(frame.source?.path),
        line: frame.line,
      })),
    };
  }

  /** What the programs wrote, how they exited, and which breakpoints were answered; for messages. */
  async output(after = 0): Promise<string> {
    const told = await this.dapLog([{ event: 'output' }, { event: 'exited' }, { command: 'setBreakpoints' }, { success: false }], after);
    return told
      .filter(({ message }) => message.body?.category !== 'telemetry')
      .map(({ message }) => (message.event === 'output' ? message.body.output.trimEnd() : JSON.stringify(message)))
      .join('\n');
  }

  /** The number of the newest entry of the log: what follows comes `after` it. */
  seq(): Promise<number> {
    return this.call('dapSeq');
  }

  /** The first entry after number `after` that matches; waited for. */
  waitForDap(where: DapPattern | readonly DapPattern[], { after = 0, timeoutMs = STOP_TIMEOUT_MS } = {}): Promise<DapEntry> {
    return this.call('waitForDap', { where, after, timeoutMs }, timeoutMs + CALL_TIMEOUT_MS);
  }

  /** All entries after number `after` that match. */
  dapLog(where: DapPattern | readonly DapPattern[] = {}, after = 0): Promise<DapEntry[]> {
    return this.call('dapLog', { where, after });
  }

  /** The evaluate requests after number `after`, whoever sent them, with their answers. */
  async evaluates(after = 0): Promise<Evaluate[]> {
    const entries = await this.dapLog({ command: 'evaluate' }, after);
    const answers = new Map(entries.filter(({ from }) => from === 'adapter').map((e) => [`${e.sessionId} ${e.message.request_seq}`, e.message]));
    return entries
      .filter(({ from }) => from === 'editor')
      .map(({ seq, sessionId, message }) => ({
        seq,
        sessionId,
        expression: message.arguments.expression,
        context: message.arguments.context,
        frameId: message.arguments.frameId,
        response: answers.get(`${sessionId} ${message.seq}`),
      }));
  }

  /** The sessions that run, parents and children. */
  sessions(): Promise<{ id: string; name: string; type: string; parent: string | null }[]> {
    return this.call('sessions');
  }

  /** Sends a request of the test's own to an adapter; it shows in the log like any other. */
  customRequest(sessionId: string, command: string, args: object = {}): Promise<DapMessage> {
    return this.call('customRequest', { sessionId, command, args });
  }

  /** Runs a VS Code command by its id; `{$file: path}` among the arguments becomes a URI. */
  executeCommand(command: string, ...args: unknown[]): Promise<DapMessage> {
    return this.call('executeCommand', { command, args });
  }

  commands(): Promise<string[]> {
    return this.call('commands');
  }

  /** Opens a file, with a selection `[line, column, endLine, endColumn]`, all from 1. */
  openFile(file: string, selection?: readonly [number, number, number, number]): Promise<void> {
    return this.call('openFile', { file, selection });
  }

  setSetting(key: string, value: unknown): Promise<void> {
    return this.call('setting', { key, value });
  }

  getSetting(key: string): Promise<unknown> {
    return this.call('getSetting', { key });
  }

  readClipboard(): Promise<string> {
    return this.call('readClipboard');
  }

  writeClipboard(text: string): Promise<void> {
    return this.call('writeClipboard', { text });
  }

  /** What an extension sees of the window. */
  window(): Promise<WindowState> {
    return this.call('window');
  }

  /** Calls a method of `debug-extension/methods.js`. */
  call<Result>(method: string, params: object = {}, timeoutMs = CALL_TIMEOUT_MS): Promise<Result> {
    return new Promise((resolve, reject) => {
      const request = http.request({ socketPath: this.#socket, path: '/', method: 'POST', timeout: timeoutMs }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const reply = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { result: Result; error?: string };
          if (reply.error === undefined) resolve(reply.result);
          else reject(new Error(`${method}: ${reply.error}`));
        });
      });
      request.on('timeout', () => request.destroy(new Error(`${method} was not answered within ${timeoutMs} ms`)));
      request.on('error', reject);
      request.end(JSON.stringify({ method, params }));
    });
  }
}

/** The path of a frame's source: VS Code makes a URI of it on its way. */
function localPath(source: string | undefined): string | null {
  if (!source) return null;
  return source.includes('://') ? decodeURIComponent(new URL(source).pathname) : source;
}
