import { describe, expect, test } from "vitest";
import { relay } from "../../src/debug/relay";
import { listening, session, Talk } from "../support/dap";

const asked = { session: "a", stop: 1, frame: 7, expression: "1 + 1" };

/** A debug session that answers evaluates with `answer`, and what it was asked. */
function evaluator(answer: () => unknown = () => ({ result: "2" })) {
  const requests: unknown[] = [];
  const customRequest = async (command: string, args: unknown) => {
    requests.push([command, args]);
    return answer();
  };
  return { requests, session: { customRequest } };
}

function stopped(debuggerType = "debugpy") {
  const { stops } = listening();
  const talk = new Talk(stops, { ...session("a"), debugger: debuggerType });
  talk.stop(1, 7);
  return { stops, talk };
}

describe("an evaluate", () => {
  test.each([
    ["clipboard, where the adapter has it", "node", true, "clipboard"],
    ["repl, where the adapter has it not", "debugpy", false, "repl"],
    ["clipboard, where debugpy has not been heard", "debugpy", undefined, "clipboard"],
    ["repl, where another adapter has not been heard", "node", undefined, "repl"],
  ])("goes to the frame in the context %s", async (_, type, supports, context) => {
    const { stops, talk } = stopped(type);
    if (supports !== undefined) talk.did("initialize", {}, { supportsClipboardContext: supports });
    const { requests, session: its } = evaluator();
    expect(await relay(asked, stops.at("a"), its)).toEqual({ text: "2" });
    expect(requests).toEqual([["evaluate", { expression: "1 + 1", frameId: 7, context }]]);
  });

  test.each([
    ["the session is over", (talk: Talk) => talk.event("terminated"), /session is over/],
    ["the program runs", (talk: Talk) => talk.did("continue", { threadId: 1 }), /runs/],
    ["it has stopped elsewhere", (talk: Talk) => talk.stop(1, 7), /stopped elsewhere/],
    ["it is just stopping", (talk: Talk) => talk.event("stopped", {}), /stopped elsewhere/],
  ])("is refused without asking where %s", async (_, turn, message) => {
    const { stops, talk } = stopped();
    turn(talk);
    const { requests, session: its } = evaluator();
    await expect(relay(asked, stops.at("a"), its)).rejects.toThrow(message);
    expect(requests).toEqual([]);
  });

  test("of an unknown session is refused", async () => {
    await expect(relay(asked, undefined, undefined)).rejects.toThrow(/session is over/);
  });

  test("that the adapter refuses fails with its words", async () => {
    const { stops } = stopped();
    const { session: its } = evaluator(() => {
      throw new Error("Wrong ID sent from the client: 7");
    });
    await expect(relay(asked, stops.at("a"), its)).rejects.toThrow("Wrong ID sent from the client");
  });

  test.each([[undefined], [{}], [{ result: 2 }]])("answered with %j fails", async (body) => {
    const { stops } = stopped();
    const { session: its } = evaluator(() => body);
    await expect(relay(asked, stops.at("a"), its)).rejects.toThrow(/without a result/);
  });
});
