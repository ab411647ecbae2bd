import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { EditorNotifications, Evaluate, Notifications, Requests, Text } from "../protocol";
import { messageOf } from "../text";

/** Raised where the server does not run; the message is one line for the user. */
export class ServerUnavailableError extends Error {
  override readonly name = "ServerUnavailableError";

  /** @param isSaid whether `onDidFail` has just told the user. */
  constructor(
    message: string,
    readonly isSaid = false,
  ) {
    super(message);
  }
}

/** What the server asks for and says. */
export interface Handlers {
  evaluate(params: Evaluate): Promise<Text>;
  changed(params: EditorNotifications["changed"]): void;
  status(params: EditorNotifications["status"]): void;
}

/** What is needed of a language client. */
export type Client = Pick<
  LanguageClient,
  "start" | "stop" | "sendRequest" | "sendNotification" | "onRequest" | "onNotification"
>;

/** Makes a client; the callback is to be called once the server is gone. */
export type Connect = (closed: () => void) => Promise<Client>;

/**
 * The language server: started when something is asked of it, and after a failure only when `retry`
 * has been called, so that it starts at most once a stop.
 */
export class Server implements vscode.Disposable {
  private client: Client | undefined;
  private starting: Promise<Client> | undefined;
  private failure: string | undefined;
  private sent: Promise<void> = Promise.resolve();
  private disposed = false;
  private readonly started = new vscode.EventEmitter<void>();
  private readonly failed = new vscode.EventEmitter<unknown>();

  /** Fires when it runs, before anything that was asked meanwhile is sent. */
  readonly onDidStart = this.started.event;
  /** Fires with the error when it could not start or is gone; once until `retry`. */
  readonly onDidFail = this.failed.event;

  constructor(
    private readonly connect: Connect,
    private readonly handlers: Handlers,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Whether it runs. */
  get running(): boolean {
    return this.client !== undefined;
  }

  /** Allows another start after a failure. */
  retry(): void {
    this.failure = undefined;
  }

  /** Starts it, where it neither runs nor has failed; what comes of it is fired. */
  start(): void {
    this.ensure().catch(() => {});
  }

  /**
   * The server's answer; starts it where needed.
   *
   * @throws ServerUnavailableError where there is no server, or it is gone before it answers.
   */
  async request<Name extends keyof Requests>(
    name: Name,
    params: Requests[Name][0],
    token?: vscode.CancellationToken,
  ): Promise<Requests[Name][1]> {
    const client = await this.ensure();
    // A notification goes out a few turns later than a request: what was said first comes first.
    await this.sent;
    try {
      const method = `gradpeek/${name}`;
      return await (token
        ? client.sendRequest<Requests[Name][1]>(method, params, token)
        : client.sendRequest<Requests[Name][1]>(method, params));
    } catch (error) {
      if (client !== this.client) throw new ServerUnavailableError(this.failure ?? gone(), true);
      throw error;
    }
  }

  /** Tells the server, where it runs: one that starts later is told how things are then. */
  notify<Name extends keyof Notifications>(name: Name, params: Notifications[Name]): void {
    const { client } = this;
    if (client === undefined) return;
    this.sent = this.sent
      .then(() => client.sendNotification(`gradpeek/${name}`, params))
      .catch((error) => this.log.warn(`gradpeek/${name} was not sent: ${error}`));
  }

  dispose(): void {
    this.disposed = true;
    const { client } = this;
    this.client = undefined;
    this.started.dispose();
    this.failed.dispose();
    // The promise is the language client's, which ends the process in any case.
    client?.stop().catch((error) => this.log.warn(`Stopping the server: ${error}`));
  }

  private ensure(): Promise<Client> {
    if (this.client !== undefined) return Promise.resolve(this.client);
    if (this.failure !== undefined) {
      return Promise.reject(new ServerUnavailableError(this.failure));
    }
    this.starting ??= this.launch().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  private async launch(): Promise<Client> {
    try {
      let alive = true;
      const client = await this.connect(() => {
        alive = false;
        if (this.client === undefined || this.disposed) return;
        this.client = undefined;
        this.fail(new ServerUnavailableError(gone()));
      });
      client.onRequest("gradpeek/evaluate", (params: Evaluate) => this.handlers.evaluate(params));
      client.onNotification("gradpeek/changed", (params: EditorNotifications["changed"]) =>
        this.handlers.changed(params),
      );
      client.onNotification("gradpeek/status", (params: EditorNotifications["status"]) =>
        this.handlers.status(params),
      );
      await client.start();
      if (!alive) throw new ServerUnavailableError(gone());
      if (this.disposed) {
        await client.stop();
        throw new ServerUnavailableError(gone());
      }
      this.client = client;
      this.started.fire();
      return client;
    } catch (error) {
      this.fail(error);
      throw new ServerUnavailableError(messageOf(error), true);
    }
  }

  private fail(error: unknown): void {
    if (this.failure !== undefined || this.disposed) return;
    this.failure = error instanceof Error ? error.message : String(error);
    this.log.error(this.failure);
    this.failed.fire(error);
  }
}

function gone(): string {
  return vscode.l10n.t("The GradPeek server has ended; the next stop starts it again.");
}
