import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Candidate, check, findPython, NoPythonError } from "../../src/server/candidates";

let folder: string;
const { PATH } = process.env;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gradpeek-python-"));
  // Fake Pythons are shell scripts; nothing else is on PATH, least of all a real Python.
  process.env.PATH = folder;
});

afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true });
});

/** An executable in the folder; returns its path. */
function executable(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A Python of that version, as far as the check can tell. */
const python = (name: string, version: string) =>
  executable(name, `echo '${version} ${join(folder, name)}'`);

async function find(named: {
  setting?: string;
  configuration?: Record<string, unknown>;
  selected?: string;
}) {
  const told: string[] = [];
  const sources = {
    setting: named.setting ?? "",
    configuration: named.configuration,
    selected: async () => named.selected,
    platform: process.platform,
  };
  const found = findPython(sources, (candidate, verdict) => {
    told.push(`${candidate.origin}: ${verdict.fits ? verdict.version : verdict.reason}`);
  });
  return { found: await found.catch((error: unknown) => error), told };
}

describe("the Python of the server", () => {
  test("is the setting's before all others", async () => {
    const setting = python("chosen", "3.12");
    const configuration = { python: python("debugged", "3.11") };
    const { found, told } = await find({ setting, configuration });
    expect(found).toMatchObject({ executable: setting, version: "3.12" });
    expect(told).toEqual(["setting: 3.12"]);
  });

  test("is no other where the setting's does not fit", async () => {
    python("python3", "3.12");
    const { found, told } = await find({ setting: join(folder, "missing") });
    expect(found).toBeInstanceOf(NoPythonError);
    expect(found).toMatchObject({ setting: join(folder, "missing") });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^setting: .*ENOENT/);
  });

  test.each([
    ["python as a text", (path: string) => ({ python: path })],
    ["python as a list", (path: string) => ({ python: [path] })],
    ["pythonPath", (path: string) => ({ pythonPath: path })],
  ])("is the debug session's by %s", async (_, configuration) => {
    const path = python("debugged", "3.10");
    const { found } = await find({
      configuration: configuration(path),
      selected: python("selected", "3.12"),
    });
    expect(found).toMatchObject({ executable: path, candidate: { origin: "session" } });
  });

  test("is the selected one where the session's is too old", async () => {
    const selected = python("selected", "3.13");
    const configuration = { python: python("debugged", "3.8") };
    const { found, told } = await find({ configuration, selected });
    expect(found).toMatchObject({ executable: selected });
    expect(told).toEqual([
      "session: is Python 3.8; 3.10 or later is needed",
      "python-extension: 3.13",
    ]);
  });

  test("is the first on PATH that fits where nobody names one", async () => {
    python("python3", "3.9");
    const path = python("python", "3.11");
    const { found } = await find({});
    expect(found).toMatchObject({ executable: path, candidate: { command: "python" } });
  });

  test.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as launch configurations have it
    ["of a variable that was not replaced", { python: "${command:python.interpreterPath}" }],
    ["of another type", { python: 3 }],
    ["of an empty list", { python: [] }],
    ["of a list with other things in it", { python: ["python", null] }],
  ])("ignores a configuration %s", async (_, configuration) => {
    python("python3", "3.12");
    const { told } = await find({ configuration });
    expect(told).toEqual(["path: 3.12"]);
  });

  test("is checked once, whoever names it", async () => {
    const path = python("old", "3.7");
    const { found, told } = await find({ configuration: { python: path }, selected: path });
    expect(found).toBeInstanceOf(NoPythonError);
    expect(told.filter((line) => line.includes("3.7"))).toHaveLength(1);
  });
});

describe("a candidate does not fit", () => {
  const at = (command: string): Candidate => ({ origin: "path", command, args: [] });

  test.each([
    ["says something else", "echo hello", /not a Python/],
    ["fails", "echo 'no such module' >&2; exit 3", /status 3.*no such module/],
    ["is Python 2", "echo '2.7 /usr/bin/python2'", /is Python 2\.7/],
  ])("that %s", async (_, script, reason) => {
    const verdict = await check(at(executable("fake", script)));
    expect(verdict).toMatchObject({ fits: false, reason: expect.stringMatching(reason) });
  });

  test("that does not answer in time", async () => {
    process.env.PATH = PATH;
    const verdict = await check(at(executable("fake", "exec sleep 60")), 200);
    expect(verdict).toEqual({ fits: false, reason: "no answer within 0.2 s" });
  });

  test("and its name is never read by a shell", async () => {
    const verdict = await check(at(`true; touch ${join(folder, "touched")}`));
    expect(verdict).toMatchObject({ fits: false });
  });
});
