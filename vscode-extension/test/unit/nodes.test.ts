import { describe, expect, test } from "vitest";
import { ShownNodes } from "../../src/views/nodes";
import { node } from "../support/nodes";

describe("shown nodes", () => {
  test("keep their objects while they keep their ids, with what is new in them", () => {
    const shown = new ShownNodes();
    const [first] = shown.put(null, [node({ label: "before" })]);
    const [second] = shown.put(null, [node({ label: "after" })]);
    expect(second).toBe(first);
    expect(first?.label).toBe("after");
  });

  test("are forgotten, with what is below, once the server no longer names them", () => {
    const shown = new ShownNodes();
    shown.put(null, [node({ id: "a" }), node({ id: "b" })]);
    shown.put("a", [node({ id: "a.1", parent: "a" })]);
    shown.put("a.1", [node({ id: "a.1.x", parent: "a.1" })]);
    shown.put(null, [node({ id: "b" })]);
    for (const id of ["a", "a.1", "a.1.x"]) {
      expect([shown.get(id), shown.childrenOf(id)]).toEqual([undefined, []]);
    }
    expect(shown.get("b")).toBeDefined();
  });

  test("that have moved below another node stay", () => {
    const shown = new ShownNodes();
    shown.put(null, [node({ id: "a" }), node({ id: "b" })]);
    const [moving] = shown.put("a", [node({ id: "x", parent: "a" })]);
    expect(shown.put("b", [node({ id: "x", parent: "b" })])).toEqual([moving]);
    shown.put("a", []);
    expect(shown.get("x")).toBe(moving);
  });

  test("are redrawn from the topmost one down, unknown ones not at all", () => {
    const shown = new ShownNodes();
    shown.put(null, [node({ id: "a" }), node({ id: "b" })]);
    shown.put("a", [node({ id: "a.1", parent: "a" })]);
    shown.put("a.1", [node({ id: "a.1.x", parent: "a.1" })]);
    const ids = (...asked: string[]) => shown.topmost(new Set(asked)).map(({ id }) => id);
    expect(ids("a", "a.1.x", "b")).toEqual(["a", "b"]);
    expect(ids("a.1.x", "a.1", "unknown")).toEqual(["a.1"]);
  });
});
