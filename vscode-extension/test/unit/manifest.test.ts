import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROW_COMMANDS } from "../../src/commands/rows";

const ROOT = join(import.meta.dirname, "../..");
const text = readFileSync(join(ROOT, "package.json"), "utf8");
const manifest = JSON.parse(text);
const schema = JSON.parse(readFileSync(join(ROOT, "../backend/protocol/editor.json"), "utf8"));

const commands: string[] = manifest.contributes.commands.map(
  (one: { command: string }) => one.command,
);

/** The names that the sources register, as they stand in them. */
function registered(): Set<string> {
  const source = readFileSync(join(ROOT, "src/commands/register.ts"), "utf8");
  const table = source.slice(source.indexOf("const commands"), source.indexOf("};"));
  const names = [...table.matchAll(/^ {4}"?([\w.]+)"?: /gm)].map((found) => found[1]);
  return new Set([...names, ...Object.keys(ROW_COMMANDS)].map((name) => `gradpeek.${name}`));
}

test("each command of the manifest is registered, and each registered one is in it", () => {
  expect(new Set(commands)).toEqual(registered());
});

test("each command that a menu or a text runs is there", () => {
  const own = [...text.matchAll(/"(?:command": "|onCommand:)(gradpeek\.[\w.]+)"/g)];
  const nls = readFileSync(join(ROOT, "package.nls.json"), "utf8");
  const linked = [...nls.matchAll(/command:(gradpeek\.[\w.]+)/g)];
  const known = new Set([...commands, "gradpeek.gradients.focus"]);
  for (const [, command] of [...own, ...linked]) expect(known).toContain(command);
});

test("each file that the manifest names is there", () => {
  const names = [...text.matchAll(/"(media\/[\w./-]+)"/g)].map((found) => found[1] ?? "");
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect(existsSync(join(ROOT, name)), name).toBe(true);
  expect(readdirSync(join(ROOT, "media/walkthrough")).length).toBe(4);
});

test("each state of the view but `shown` has a text that teaches", () => {
  const states: string[] = schema.$defs.ViewState.enum;
  for (const state of states.filter((one) => one !== "shown")) {
    const welcomes = manifest.contributes.viewsWelcome as { when: string }[];
    expect(welcomes.filter(({ when }) => when.endsWith(`gradpeek.state == ${state}`))).toHaveLength(
      1,
    );
  }
});

test("each action of a row has a command in its menu", () => {
  const actions: string[] = schema.$defs.Action.enum;
  const items = manifest.contributes.menus["view/item/context"] as { when: string }[];
  for (const action of actions) {
    expect(
      items.some(({ when }) => when.includes(`/;${action};/`)),
      action,
    ).toBe(true);
  }
});
