import { PassThrough } from "node:stream";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type { Client } from "../../src/server/server";

/** Two ends of a connection as between the language client and the server, through real streams. */
export class Peer {
  private readonly toServer = new PassThrough();
  private readonly toClient = new PassThrough();
  private readonly near: MessageConnection;
  /** The server's end. */
  readonly server: MessageConnection;
  readonly client: Client;
  stopped = false;

  constructor(
    private readonly closed: () => void,
    start: () => Promise<void> = async () => {},
  ) {
    const { toServer, toClient } = this;
    this.near = createMessageConnection(
      new StreamMessageReader(toClient),
      new StreamMessageWriter(toServer),
    );
    this.server = createMessageConnection(
      new StreamMessageReader(toServer),
      new StreamMessageWriter(toClient),
    );
    this.server.listen();
    const { near } = this;
    this.client = {
      start: async () => {
        await start();
        near.listen();
      },
      stop: async () => {
        this.stopped = true;
        near.dispose();
      },
      sendRequest: near.sendRequest.bind(near),
      // The language client sends notifications some turns later than requests.
      sendNotification: async (...call: unknown[]) => {
        await new Promise(setImmediate);
        await (near.sendNotification as (...args: unknown[]) => Promise<void>)(...call);
      },
      onRequest: near.onRequest.bind(near),
      onNotification: near.onNotification.bind(near),
    } as Client;
  }

  /** The server is killed: what it was asked is never answered. */
  kill(): void {
    this.near.dispose();
    this.server.dispose();
    this.closed();
  }
}
