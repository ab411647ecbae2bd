import { beforeEach, describe, expect, test } from "vitest";
import type { LogOutputChannel } from "vscode";
import type { Evaluate } from "../../src/protocol";
import { Server, ServerUnavailableError } from "../../src/server/server";
import { Peer } from "../support/peer";

const log = { error: () => {}, warn: () => {} } as unknown as LogOutputChannel;
const SESSION = { session: "a" };

let peers: Peer[];
let failures: string[];
let prepare: (peer: Peer) => void;
let start: () => Promise<void>;
let server: Server;

beforeEach(() => {
  peers = [];
  failures = [];
  prepare = () => {};
  start = async () => {};
  server = new Server(
    async (closed) => {
      const peer = new Peer(closed, () => start());
      peers.push(peer);
      prepare(peer);
      return peer.client;
    },
    {
      evaluate: async ({ expression }: Evaluate) => ({ text: `<${expression}>` }),
      changed: () => {},
      status: () => {},
    },
    log,
  );
  server.onDidFail((error) => failures.push((error as Error).message));
});

const answerRoots = (peer: Peer) =>
  peer.server.onRequest("gradpeek/roots", () => ({ nodes: [], state: "shown", message: null }));

describe("the server", () => {
  test("starts with the first question, and once for all", async () => {
    prepare = answerRoots;
    expect(peers).toHaveLength(0);
    await Promise.all([server.request("roots", {}), server.request("roots", {})]);
    expect(peers).toHaveLength(1);
    expect(server.running).toBe(true);
  });

  test("hears what it is told at its start before the question that started it", async () => {
    const heard: string[] = [];
    prepare = (peer) => {
      peer.server.onNotification((method) => heard.push(method));
      peer.server.onRequest("gradpeek/roots", () => {
        heard.push("gradpeek/roots");
        return { nodes: [], state: "shown", message: null };
      });
    };
    server.onDidStart(() => {
      server.notify("ended", SESSION);
      server.notify("continued", SESSION);
    });
    await server.request("roots", {});
    expect(heard).toEqual(["gradpeek/ended", "gradpeek/continued", "gradpeek/roots"]);
  });

  test("is not started by a notification", () => {
    server.notify("ended", SESSION);
    expect(peers).toHaveLength(0);
  });

  test("has its expressions evaluated", async () => {
    prepare = (peer) =>
      peer.server.onRequest("gradpeek/copy", async () =>
        peer.server.sendRequest("gradpeek/evaluate", { expression: "1 + 1" }),
      );
    expect(await server.request("copy", { node: "a", what: "path" })).toEqual({ text: "<1 + 1>" });
  });

  test("that refuses a question goes on", async () => {
    prepare = (peer) => {
      peer.server.onRequest("gradpeek/copy", () => {
        throw new Error("no such node");
      });
      answerRoots(peer);
    };
    const asked = server.request("copy", { node: "a", what: "path" });
    await expect(asked).rejects.toThrow("no such node");
    await server.request("roots", {});
    expect([failures, peers.length]).toEqual([[], 1]);
  });
});

describe("a server that is killed", () => {
  test("fails the question that it was asked, says so once, and is back after `retry`", async () => {
    let asked = () => {};
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    prepare = (peer) =>
      peer.server.onRequest("gradpeek/roots", () => {
        asked();
        return new Promise(() => {});
      });
    const pending = server.request("roots", {});
    const refused = expect(pending).rejects.toMatchObject({ isSaid: true });
    await arrived;
    peers[0]?.kill();
    await refused;
    const later = await server.request("roots", {}).catch((error) => error);
    expect(later).toBeInstanceOf(ServerUnavailableError);
    expect(later.message).toMatch(/next stop starts it again/);
    expect(later.isSaid, "nothing is said of a later question by itself").toBe(false);
    server.start();
    server.notify("ended", SESSION);
    expect([failures.length, peers.length, server.running]).toEqual([1, 1, false]);

    prepare = answerRoots;
    server.retry();
    await server.request("roots", {});
    expect([failures.length, peers.length, server.running]).toEqual([1, 2, true]);
  });

  test("after we have let go of it is no failure", async () => {
    prepare = answerRoots;
    await server.request("roots", {});
    server.dispose();
    peers[0]?.kill();
    expect([failures, peers[0]?.stopped]).toEqual([[], true]);
  });
});

describe("a server that does not start", () => {
  test("is tried once a stop and says why once", async () => {
    start = async () => {
      throw new Error("no Python");
    };
    await expect(server.request("roots", {})).rejects.toThrow("no Python");
    await expect(server.request("roots", {})).rejects.toThrow("no Python");
    expect([failures, peers.length]).toEqual([["no Python"], 1]);
    server.retry();
    await expect(server.request("roots", {})).rejects.toThrow("no Python");
    expect([failures.length, peers.length]).toEqual([2, 2]);
  });

  test("or is disposed while it starts, is stopped", async () => {
    let go = () => {};
    start = () =>
      new Promise((resolve) => {
        go = resolve;
      });
    const asked = server.request("roots", {});
    const refused = expect(asked).rejects.toThrow();
    await new Promise(setImmediate);
    server.dispose();
    go();
    await refused;
    expect(peers[0]?.stopped).toBe(true);
  });
});
