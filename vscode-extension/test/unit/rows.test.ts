import { describe, expect, test } from "vitest";
import type { Node } from "../../src/protocol";
import { escapeIcons } from "../../src/text";
import { rowOf } from "../../src/views/rows";
import { node } from "../support/nodes";

const HOSTILE = [
  "<img src=x onerror=alert(1)>",
  "$(bug) $(loading~spin)",
  "[link](command:workbench.action.quit)",
  "\u202Egnp.exe",
  "x".repeat(10_000),
];

describe("a row", () => {
  test.each(HOSTILE)("shows %s as it is", (label) => {
    const row = rowOf(node({ label, cells: [{ text: label, style: "type" }], spoken: label }));
    expect([row.label, row.description, row.spoken]).toEqual([label, label, label]);
  });

  test("has its cells behind the label, in their order", () => {
    const cells = ["Conv2d", "‖w‖ 1.65", "∇ 0.143"].map((text) => ({
      text,
      style: "type" as const,
    }));
    expect(rowOf(node({ cells })).description).toBe("Conv2d  ‖w‖ 1.65  ∇ 0.143");
  });

  test.each<[Partial<Node>, string]>([
    [{ expandable: false, expanded: true }, "none"],
    [{ expandable: true, expanded: false }, "collapsed"],
    [{ expandable: true, expanded: true }, "expanded"],
  ])("that is %j is %s", (parts, state) => {
    expect(rowOf(node(parts)).state).toBe(state);
  });

  test.each<[Partial<Node>, string, string | undefined]>([
    [{ tone: "normal" }, "normal", undefined],
    [{ tone: "faint" }, "faint", "gradpeek.faintForeground"],
    [{ tone: "warning" }, "warning", "gradpeek.warningForeground"],
    [{ tone: "error" }, "error", "gradpeek.errorForeground"],
    [{ tone: "error", stale: true }, "faint", "gradpeek.faintForeground"],
  ])("that is %j is drawn as %s", (parts, shade, color) => {
    expect(rowOf(node(parts))).toMatchObject({ shade, color });
  });

  test("tells menus its kind, whether it is pinned, and its actions", () => {
    const row = rowOf(node({ kind: "module", pinned: true, actions: ["source", "unpin"] }));
    expect(row.context).toBe(";module;pinned;source;unpin;");
  });
});

test.each([
  ["$(bug)", "\\$(bug)"],
  ["a $(loading~spin) b $(x)", "a \\$(loading~spin) b \\$(x)"],
  ["$(not an icon) $5 (five)", "$(not an icon) $5 (five)"],
])("the name of an icon in %j stays text", (text, escaped) => {
  expect(escapeIcons(text)).toBe(escaped);
});
