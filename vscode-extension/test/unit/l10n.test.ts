import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(join(ROOT, name), "utf8");
const table = (name: string): Record<string, string> => JSON.parse(read(name));

const manifest = read("package.json");
const inManifest = new Set([...manifest.matchAll(/"%([\w.]+)%"/g)].map((found) => found[1]));

/** The texts of all `l10n.t` of the sources. */
function texts(): string[] {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts")).map((file) => read(`src/${file}`));
  const calls = sources.flatMap((source) => [
    ...source.matchAll(/l10n\.t\(\s*"((?:[^"\\]|\\.)*)"/g),
  ]);
  const all = sources.join("\n").match(/l10n\.t\(/g)?.length;
  // A call with anything but a text in it would go unseen.
  expect(calls).toHaveLength(all ?? 0);
  return calls.map(([, text]) => JSON.parse(`"${text}"`) as string);
}

const placeholders = (text: string) => (text.match(/\{\d+\}|command:[\w.%#?]+/g) ?? []).sort();

describe("what the manifest shows", () => {
  const english = table("package.nls.json");
  const chinese = table("package.nls.zh-cn.json");

  test("is there in both languages, and no more", () => {
    expect(new Set(Object.keys(english))).toEqual(inManifest);
    expect(Object.keys(chinese)).toEqual(Object.keys(english));
  });

  test.each(Object.keys(english))("%s has the same links in both", (key) => {
    expect(chinese[key]).not.toBe("");
    expect(placeholders(chinese[key] ?? "")).toEqual(placeholders(english[key] ?? ""));
  });
});

describe("what the code says", () => {
  const english = table("l10n/bundle.l10n.json");
  const chinese = table("l10n/bundle.l10n.zh-cn.json");

  test("is there in both languages, and no more", () => {
    expect(new Set(Object.keys(english))).toEqual(new Set(texts()));
    expect(Object.keys(chinese)).toEqual(Object.keys(english));
  });

  test.each(Object.keys(english))("%j has the same values in both", (key) => {
    expect(english[key]).toBe(key);
    expect(placeholders(chinese[key] ?? "")).toEqual(placeholders(key));
  });
});
