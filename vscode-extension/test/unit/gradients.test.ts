import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CancellationToken, LogOutputChannel } from "vscode";
import type { Node, Nodes } from "../../src/protocol";
import type { Server } from "../../src/server/server";
import { GradientsView } from "../../src/views/gradients";
import { INTERVAL_MS } from "../../src/views/refreshQueue";
import { node } from "../support/nodes";
import { ran, treeViews } from "../support/vscode";

const log = { warn: () => {}, debug: () => {} } as unknown as LogOutputChannel;
const shown = (...nodes: Node[]): Nodes => ({ nodes, state: "shown", message: null });

type Ask = (name: string, params: { node?: string }, token: CancellationToken) => Promise<unknown>;

let asked: string[];
let answer: Ask;
let running: boolean;
let sessions: number;
let view: GradientsView;
let fired: (string[] | undefined)[];

beforeEach(() => {
  asked = [];
  answer = async () => shown(node());
  [running, sessions] = [true, 1];
  const server = {
    get running() {
      return running;
    },
    request: (name: string, params: { node?: string }, token: CancellationToken) => {
      asked.push(params.node === undefined ? name : `${name} ${params.node}`);
      return answer(name, params, token);
    },
  } as unknown as Server;
  view = new GradientsView(server, { sessions: () => sessions, hasStopped: () => running }, log);
  fired = [];
  view.onDidChangeTreeData((nodes) => fired.push(nodes?.map(({ id }) => id)));
});

afterEach(() => {
  vi.useRealTimers();
});

const state = () => ran.findLast(([, name]) => name === "gradpeek.state")?.[2];
/** The line above the tree, and the one in the view's header. */
const words = () => [treeViews.at(-1)?.message, treeViews.at(-1)?.description];
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe("the tree", () => {
  test.each([
    [0, "no_session"],
    [1, "running"],
  ])("asks no server where nothing has stopped; with %i sessions it is %s", async (count, is) => {
    [running, sessions] = [false, count];
    expect(await view.getChildren()).toEqual([]);
    expect([asked, state()]).toEqual([[], is]);
  });

  test("shows the server's nodes, state and message", async () => {
    answer = async () => ({ ...shown(node()), message: "Running." });
    expect(await view.getChildren()).toEqual([node()]);
    expect([state(), ...words()]).toEqual(["shown", "Running.", ""]);
  });

  test("says that the server starts while it does", async () => {
    let answered = (_: Nodes) => {};
    const request = () =>
      new Promise<Nodes>((resolve) => {
        answered = resolve;
      });
    const server = { running: false, request } as unknown as Server;
    const starting = new GradientsView(server, { sessions: () => 1, hasStopped: () => true }, log);
    const roots = starting.getChildren();
    expect(words()).toEqual(["Starting GradPeek…", ""]);
    answered(shown(node()));
    await roots;
    expect(words()).toEqual(["", ""]);
  });

  test.each([
    ["failed", "gone", "gone"],
    ["no_torch", "torch is not loaded", ""],
  ])(
    "that is %s has its reason in the header only where no text says it",
    async (is, why, header) => {
      answer = async () => ({ nodes: [], state: is, message: why });
      await view.getChildren();
      expect([state(), ...words()]).toEqual([is, "", header]);
    },
  );

  test("says why where the server fails, and is empty", async () => {
    answer = async () => {
      throw new Error("gone\nat line 1");
    };
    expect(await view.getChildren()).toEqual([]);
    // A line above an empty tree would hide the text that tells what to do.
    expect([state(), ...words()]).toEqual(["failed", "", "gone"]);
  });

  test("shows nothing of before a failure while the next answer is on its way", async () => {
    await view.getChildren();
    answer = async () => {
      throw new Error("gone");
    };
    await view.getChildren();
    answer = () => new Promise(() => {});
    view.refresh();
    answer = async (_, __, token) => {
      view.refresh();
      return token.isCancellationRequested ? shown(node()) : shown();
    };
    expect(await view.getChildren()).toEqual([]);
  });

  test("keeps the rows below a node where asking for them fails", async () => {
    const [parent] = await view.getChildren();
    answer = async () => shown(node({ id: "x", parent: "0:model" }));
    const before = await view.getChildren(parent);
    answer = async () => {
      throw new Error("gone");
    };
    expect(await view.getChildren(parent)).toEqual(before);
    expect(state()).toBe("shown");
  });

  test("leaves a question for a newer one, and shows what it knew meanwhile", async () => {
    const [known] = await view.getChildren();
    let token: CancellationToken | undefined;
    answer = (_, __, given) => {
      token = given;
      return new Promise((_, reject) => given.onCancellationRequested(() => reject(new Error())));
    };
    const slow = view.getChildren();
    view.refresh();
    expect(token?.isCancellationRequested).toBe(true);
    expect(await slow).toEqual([known]);
    expect(state()).toBe("shown");
    expect(fired).toEqual([undefined]);
  });
});

describe("stops that follow each other fast", () => {
  test("leave what is unfolded, though no question is answered", async () => {
    const [root] = await view.getChildren();
    answer = async () => shown(node({ id: "child", parent: root?.id ?? null }));
    const [child] = await view.getChildren(root);
    answer = async () => shown(node({ id: "grandchild", parent: "child" }));
    const below = await view.getChildren(child);
    answer = (_, __, token) =>
      new Promise((_, reject) => token.onCancellationRequested(() => reject(new Error())));
    vi.useFakeTimers();
    for (let stop = 0; stop < 3; stop += 1) {
      vi.advanceTimersByTime(INTERVAL_MS);
      const asking = [view.getChildren(root), view.getChildren(child)];
      view.refresh();
      expect(await Promise.all(asking)).toEqual([[child], below]);
    }
  });
});

describe("nodes that have changed", () => {
  const child = (id: string, label: string) => node({ id, parent: "0:model", label });

  test("are asked for through what is above them, and they alone are drawn", async () => {
    const [parent] = await view.getChildren();
    answer = async () => shown(child("a", "before"), child("b", "before"));
    const [a] = await view.getChildren(parent);
    asked = [];
    answer = async () => shown(child("a", "after"), child("b", "after"));
    view.refresh(["a"]);
    await turns();
    expect([asked, fired, a?.label]).toEqual([["children 0:model"], [["a"]], "after"]);
  });

  test("have what is above them drawn where others have come", async () => {
    const [parent] = await view.getChildren();
    answer = async () => shown(child("a", "before"));
    await view.getChildren(parent);
    answer = async () => shown(child("a", "after"), child("b", "new"));
    view.refresh(["a"]);
    await turns();
    expect(fired).toEqual([["0:model"]]);
  });

  test("that are not shown are not asked for", async () => {
    await view.getChildren();
    asked = [];
    view.refresh(["unknown"]);
    await turns();
    expect([asked, fired]).toEqual([[], []]);
  });
});

describe("revealing", () => {
  const path = [node(), node({ id: "a", parent: "0:model" })];

  test("leads through the nodes of the way", async () => {
    await view.reveal(path);
    const last = treeViews.at(-1)?.revealed[0] as Node | undefined;
    expect(last?.id).toBe("a");
    expect(view.getParent(last as Node)?.id).toBe("0:model");
    expect(view.getParent(view.getParent(last as Node) as Node)).toBeUndefined();
  });

  test("waits until the editor has asked for the tree that the node is in", async () => {
    view.refresh();
    const revealing = view.reveal(path);
    await turns();
    expect(treeViews.at(-1)?.revealed).toEqual([]);
    await view.getChildren();
    await revealing;
    expect(treeViews.at(-1)?.revealed).toHaveLength(1);
  });

  test("of nothing does nothing", async () => {
    await view.reveal([]);
    expect(treeViews.at(-1)?.revealed).toEqual([]);
  });
});

describe("a row", () => {
  const token = {} as CancellationToken;

  test("has a tooltip of Markdown that runs nothing and holds no HTML, only once it is asked for", async () => {
    const item = view.getTreeItem(node());
    expect(item.tooltip).toBeUndefined();
    answer = async () => ({ markdown: "**weight**" });
    await view.resolveTreeItem(item, node(), token);
    expect(item.tooltip).toMatchObject({
      value: "**weight**",
      isTrusted: false,
      supportHtml: false,
    });
  });

  test("goes without a tooltip where there are no details", async () => {
    answer = async () => {
      throw new Error("gone");
    };
    const item = view.getTreeItem(node());
    expect((await view.resolveTreeItem(item, node(), token)).tooltip).toBeUndefined();
  });

  test("has a name for its colour only where it is not the usual one", () => {
    expect(view.getTreeItem(node()).resourceUri).toBeUndefined();
    const uri = view.getTreeItem(node({ tone: "warning" })).resourceUri;
    expect(String(uri)).toBe("gradpeek:/warning");
  });
});
