import { describe, expect, test } from "vitest";
import { escapeIcons, escapeLinks, messageOf } from "../../src/text";

/** What the editor reads in notifications: a link, whose click opens a page or runs a command. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)\)/i;

describe("texts of the debuggee", () => {
  test.each(["[x](command:workbench.action.quit)", "a [b](https://c.d) [e](file:///f)"])(
    "are no links in notifications: %s",
    (text) => {
      expect(text).toMatch(LINK);
      expect(escapeLinks(text)).not.toMatch(LINK);
      expect(escapeLinks(text).replaceAll("\u200b", "")).toBe(text);
    },
  );

  test.each([
    ["$(zap)", "\\$(zap)"],
    ["a $(sync~spin) b", "a \\$(sync~spin) b"],
    ["$(", "$("],
  ])("name no icon: %s", (text, escaped) => {
    expect(escapeIcons(text)).toBe(escaped);
  });

  test("are one line where they are an error", () => {
    expect(messageOf(new Error("one\ntwo"))).toBe("one");
    expect(messageOf("three")).toBe("three");
  });
});
