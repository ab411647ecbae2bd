import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Message } from "../../src/debug/messages";
import { listening, session, Talk } from "../support/dap";

function one() {
  const heard = listening();
  return { ...heard, talk: new Talk(heard.stops, session("a")) };
}

describe("a stop", () => {
  test("is said once its top frame is known, with the session's names and process", () => {
    const { talk, said, notifications } = one();
    talk.event("process", { systemProcessId: 4711 });
    talk.event("stopped", { threadId: 1 });
    expect(said).toEqual([]);
    talk.stack(1, 7, 8);
    expect(notifications).toEqual([
      {
        name: "stopped",
        params: {
          session: "a",
          stop: 1,
          frame: 7,
          label: "Python: a",
          debugger: "debugpy",
          process: 4711,
        },
      },
    ]);
  });

  test("is said once, however often its stack is asked for", () => {
    const { talk, said } = one();
    talk.stop(1, 7);
    talk.did("stackTrace", { threadId: 1, startFrame: 1 }, { stackFrames: [{ id: 8 }] });
    talk.stack(1, 7, 8);
    expect(said).toEqual(["stopped a 1:7"]);
  });

  test.each([
    ["of another thread", { threadId: 2, startFrame: 0 }],
    ["below the top", { threadId: 1, startFrame: 1 }],
  ])("is not known from a stack %s", (_, args) => {
    const { talk, said } = one();
    talk.event("stopped", { threadId: 1 });
    talk.did("stackTrace", args, { stackFrames: [{ id: 9 }] });
    expect(said).toEqual([]);
  });

  test("is not known from a stack that was asked for before it", () => {
    const { talk, said } = one();
    talk.stop(1, 7);
    const early = talk.ask("stackTrace", { threadId: 1 });
    talk.event("stopped", { threadId: 1 });
    talk.answer(early, "stackTrace", { stackFrames: [{ id: 7 }] });
    expect(said).toEqual(["stopped a 1:7"]);
    talk.stack(1, 7);
    expect(said).toEqual(["stopped a 1:7", "stopped a 2:7"]);
  });

  test("of no named thread is known from any stack", () => {
    const { talk, said } = one();
    talk.event("stopped", { allThreadsStopped: true });
    talk.stack(3, 9);
    expect(said).toEqual(["stopped a 1:9"]);
  });

  test("with an empty or broken stack says nothing", () => {
    const { talk, said } = one();
    talk.stop(1);
    talk.did("stackTrace", { threadId: 1 }, { stackFrames: "none" });
    talk.did("stackTrace", { threadId: 1 }, { stackFrames: [null, { id: "7" }] });
    expect(said).toEqual([]);
  });
});

describe("stepping", () => {
  test("says each stop and each run", () => {
    const { talk, said } = one();
    talk.stop(1, 7, 8);
    talk.did("next", { threadId: 1 });
    talk.stop(1, 7, 8);
    talk.did("stepIn", { threadId: 1 });
    talk.stop(1, 9, 7);
    talk.did("continue", { threadId: 1 }, { allThreadsContinued: true });
    expect(said).toEqual([
      "stopped a 1:7",
      "continued a",
      "stopped a 2:7",
      "continued a",
      "stopped a 3:9",
      "continued a",
    ]);
  });

  test("is not told from its response where the next stop was faster", () => {
    const { talk, said } = one();
    talk.stop(1, 7);
    const step = talk.ask("next", { threadId: 1 });
    talk.event("stopped", { threadId: 1 });
    talk.answer(step, "next");
    talk.stack(1, 7);
    expect(said).toEqual(["stopped a 1:7", "stopped a 2:7"]);
  });

  test("that the adapter refuses does not run", () => {
    const { talk, said } = one();
    talk.stop(1, 7);
    talk.answer(talk.ask("next", { threadId: 1 }), "next", {}, false);
    expect(said).toEqual(["stopped a 1:7"]);
  });

  test("said by an event as well is said once", () => {
    const { talk, said } = one();
    talk.stop(1, 7);
    talk.did("continue", { threadId: 1 });
    talk.event("continued", { threadId: 1, allThreadsContinued: true });
    expect(said).toEqual(["stopped a 1:7", "continued a"]);
  });
});

describe("several threads", () => {
  test.each([
    ["a response for it alone", "continue", { threadId: 2 }, { allThreadsContinued: false }],
    ["a step of it alone", "next", { threadId: 2, singleThread: true }, {}],
  ])("another one that runs by %s leaves the stop", (_, command, args, body) => {
    const { talk, said } = one();
    talk.stop(1, 7);
    talk.did(command, args, body);
    talk.event("continued", { threadId: 2 });
    expect(said).toEqual(["stopped a 1:7"]);
  });

  test("a step of another one that lets all run ends the stop", () => {
    const { talk, said } = one();
    talk.stop(1, 7);
    talk.did("next", { threadId: 2 });
    expect(said).toEqual(["stopped a 1:7", "continued a"]);
  });

  test("a second one that stops is a new stop", () => {
    const { talk, said } = one();
    talk.stop(1, 7);
    talk.stop(2, 20, 21);
    expect(said).toEqual(["stopped a 1:7", "stopped a 2:20"]);
  });
});

describe("the selected frame", () => {
  test("is said where it is not the top one, and again when it comes back", () => {
    const { stops, talk, said } = one();
    talk.stop(1, 7, 8);
    stops.selected(talk.info, 7);
    stops.selected(talk.info, 8);
    stops.selected(talk.info, 8);
    stops.selected(talk.info, 7);
    expect(said).toEqual(["stopped a 1:7", "frame a 1:8", "frame a 1:7"]);
  });

  test("of a stop that is over is not said, also where its id comes again", () => {
    const { stops, talk, said } = one();
    talk.stop(1, 7, 8);
    talk.event("stopped", { threadId: 1 });
    stops.selected(talk.info, 8);
    talk.stack(1, 9);
    stops.selected(talk.info, 8);
    expect(said).toEqual(["stopped a 1:7", "stopped a 2:9"]);
  });

  test("of another session is said, and stays selected when a session beside it stops", () => {
    const { stops, said } = listening();
    const [a, b] = [new Talk(stops, session("a")), new Talk(stops, session("b"))];
    a.stop(1, 7);
    stops.selected(a.info, 7);
    b.stop(1, 7);
    stops.selected(b.info, 7);
    expect(said).toEqual(["stopped a 1:7", "stopped b 1:7", "frame a 1:7", "frame b 1:7"]);
  });
});

describe("the end", () => {
  test.each(["terminated", "exited"])(
    "is said once, by the event %s in the middle of a stop",
    (event) => {
      const { stops, talk, said } = one();
      talk.event("stopped", { threadId: 1 });
      const asked = talk.ask("stackTrace", { threadId: 1 });
      talk.event(event);
      talk.answer(asked, "stackTrace", { stackFrames: [{ id: 7 }] });
      stops.ended("a");
      expect(said).toEqual(["ended a"]);
      expect(stops.at("a")).toBeUndefined();
    },
  );

  test("of a session that has never stopped is not worth a word", () => {
    const { stops, said } = one();
    stops.ended("a");
    stops.ended("unknown");
    expect(said).toEqual([]);
  });

  test("of an old adapter does not end the session that has started anew", () => {
    const { stops, said } = listening();
    const old = stops.begins(session("a"));
    new Talk(stops, session("a")).stop(1, 7);
    stops.ended("a", old);
    expect(said).toEqual(["stopped a 1:7"]);
    expect(stops.at("a")?.state).toBe("stopped");
  });
});

test("child sessions stop, run and end beside each other", () => {
  const { stops, said } = listening();
  const [parent, child] = [new Talk(stops, session("parent")), new Talk(stops, session("child"))];
  child.stop(1, 7);
  parent.stop(1, 7);
  child.did("continue", { threadId: 1 });
  child.event("terminated");
  expect(said).toEqual([
    "stopped child 1:7",
    "stopped parent 1:7",
    "continued child",
    "ended child",
  ]);
  expect(stops.anyStopped).toBe(true);
});

test("a session whose messages are not seen is known by its selected frames", () => {
  const { stops, said } = listening();
  const info = session("a");
  stops.selected(info, 7);
  stops.selected(info, 8);
  stops.selected(info, undefined);
  stops.selected(info, 7);
  expect(said).toEqual(["stopped a 1:7", "frame a 1:8", "continued a", "stopped a 2:7"]);
});

test("a server that starts late hears of the stops that last and of the selected frame", () => {
  const { stops } = listening();
  const [a, b] = [new Talk(stops, session("a")), new Talk(stops, session("b"))];
  a.stop(1, 7, 8);
  b.stop(1, 9);
  b.did("continue", { threadId: 1 });
  stops.selected(a.info, 8);
  const told = stops.current().map(({ name, params }) => [name, params.session]);
  expect(told).toEqual([
    ["stopped", "a"],
    ["frame", "a"],
  ]);
});

test("a launch, a breakpoint and a step, as VS Code and debugpy have said them", () => {
  const { stops, said, notifications } = listening();
  const file = join(import.meta.dirname, "../recordings/debugpy-step.json");
  const recorded: { from: string; message: Message }[] = JSON.parse(readFileSync(file, "utf8"));
  stops.begins(session("a"));
  const after: string[] = [];
  for (const { from, message } of recorded) {
    if (from === "editor") stops.sent("a", message);
    else stops.received("a", message);
    const { command, event } = message as Message & { command?: string; event?: string };
    if (said.length > after.length) after.push(`${message.type} ${command ?? event}`);
  }
  expect(said).toEqual(["stopped a 1:2", "continued a", "stopped a 2:2"]);
  expect(after).toEqual(["response stackTrace", "response next", "response stackTrace"]);
  expect(notifications[0]?.params).toMatchObject({ process: expect.any(Number) });
  expect(stops.at("a")?.clipboard).toBe(true);
});
