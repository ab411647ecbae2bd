import { expect, test } from "vitest";
import { isVariable, targetOf } from "../../src/commands/targets";

const variable = { name: "weight", evaluateName: "model.weight", value: "…", type: "Parameter" };

test.each<[string, unknown, unknown]>([
  [
    "a row of Variables",
    { sessionId: "a", container: {}, variable },
    { session: "a", expression: "model.weight" },
  ],
  [
    "a watch expression, by its name",
    { sessionId: "a", variable: { name: "model.conv" } },
    { session: "a", expression: "model.conv" },
  ],
  [
    "a row of Variables without an expression",
    { sessionId: "a", container: {}, variable: { name: "len()" } },
    undefined,
  ],
  ["a row without a session", { variable }, { session: null, expression: "model.weight" }],
  ["an expression of another type", { container: {}, variable: { evaluateName: 3 } }, undefined],
  ["nothing", undefined, undefined],
])("Show Gradients takes %s", (_, argument, target) => {
  expect(targetOf(argument)).toEqual(target);
});

test.each<[unknown, boolean]>([
  [{ variable }, true],
  [undefined, false],
  [{ fsPath: "/a.py" }, false],
])("%j is a row of a debug view: %s", (argument, is) => {
  expect(isVariable(argument)).toBe(is);
});
