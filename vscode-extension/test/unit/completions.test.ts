import { describe, expect, test } from "vitest";
import { ConsoleCompletions } from "../../src/debug/completions";
import type { Message } from "../../src/debug/messages";

const OFFER = { label: "grads", text: "grads(", type: "function" };

/** What the editor gets to read for a text with the cursor at its end. */
function complete(text: string, body: unknown, success = true) {
  const completions = new ConsoleCompletions();
  const args = { text, column: text.length + 1, frameId: 7 };
  const request = { seq: 5, type: "request", command: "completions", arguments: args };
  const response = {
    seq: 6,
    type: "response",
    request_seq: 5,
    command: "completions",
    success,
    body,
  };
  completions.sent(request as unknown as Message);
  completions.received(response as unknown as Message);
  return response.body;
}

describe("grads(", () => {
  test.each(["", "g", "gra", "grads", "print(gr", "x = ", "1+g"])("is offered after %j", (text) => {
    expect(complete(text, { targets: [] })).toEqual({ targets: [OFFER] });
  });

  test.each(["x", "model.g", "gradsx", "ag"])("is not offered after %j", (text) => {
    expect(complete(text, { targets: [] })).toEqual({ targets: [] });
  });

  test("comes behind what the adapter offers, once", () => {
    expect(complete("g", { targets: [{ label: "globals" }] })).toEqual({
      targets: [{ label: "globals" }, OFFER],
    });
    expect(complete("g", { targets: [{ label: "grads" }] })).toEqual({
      targets: [{ label: "grads" }],
    });
  });

  test.each([[undefined], [null], [{}], [{ targets: "all" }]])("is not forced into %j", (body) => {
    expect(complete("g", body)).toEqual(body);
  });

  test("is not offered where the adapter fails", () => {
    expect(complete("g", { targets: [] }, false)).toEqual({ targets: [] });
  });
});
