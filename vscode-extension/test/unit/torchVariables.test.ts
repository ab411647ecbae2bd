import { expect, test } from "vitest";
import type { Message } from "../../src/debug/messages";
import { looksLikeTorch, MENU_CONTEXT, markTorchVariables } from "../../src/debug/torchVariables";

test.each([
  ["a tensor", "Tensor", "tensor([1., 2.])"],
  ["a parameter", "Parameter", "Parameter containing:\ntensor([1.])"],
  ["a module of torch", "Sequential", "Sequential()"],
  ["a layer", "Linear", "Linear(in_features=4, out_features=3, bias=True)"],
  ["a module of one's own", "Net", "Net(\n  (conv): Conv2d(3, 8, kernel_size=(3, 3))\n)"],
  ["a subclass of Tensor", "MyTensor", "tensor([1.])"],
  ["an optimizer", "AdamW", "AdamW (\nParameter Group 0"],
])("%s has the icon", (_, type, value) => {
  expect(looksLikeTorch({ type, value })).toBe(true);
});

test.each([
  ["a number", "int", "3"],
  ["a text that looks like a layer", "str", "'Linear(in_features=4)'"],
  ["an object", "Trainer", "<__main__.Trainer object at 0x7f>"],
  ["a named tuple", "Point", "Point(x=1, y=2)"],
  ["a row without a type", undefined, "Net(\n  (conv): x"],
])("%s has not", (_, type, value) => {
  expect(looksLikeTorch({ type, value })).toBe(false);
});

test("only rows that evaluate are marked, and what an adapter has said stays", () => {
  const tensor = { name: "x", type: "Tensor", value: "tensor(1.)", evaluateName: "x" };
  const variables = [
    { ...tensor },
    { ...tensor, evaluateName: undefined },
    { ...tensor, __vscodeVariableMenuContext: "theirs" },
  ];
  const response = { type: "response", command: "variables", success: true, body: { variables } };
  markTorchVariables(response as unknown as Message);
  const marks = variables.map((one: Record<string, unknown>) => one.__vscodeVariableMenuContext);
  expect(marks).toEqual([MENU_CONTEXT, undefined, "theirs"]);
});

test.each([undefined, null, {}, { variables: null }, { variables: [null, 3, "x"] }])(
  "a response with the body %j does no harm",
  (body) => {
    const response = { type: "response", command: "variables", success: true, body };
    expect(() => markTorchVariables(response as unknown as Message)).not.toThrow();
  },
);
