import { spawn } from "node:child_process";
import { homedir } from "node:os";

/** A way to start a Python, and who named it. */
export interface Candidate {
  readonly origin: "setting" | "session" | "python-extension" | "path";
  readonly command: string;
  readonly args: readonly string[];
}

/** What a candidate turned out to be. */
export type Verdict =
  | { readonly fits: true; readonly version: string; readonly executable: string }
  | { readonly fits: false; readonly reason: string };

/** Where candidates come from, in the order in which they are asked. */
export interface Sources {
  /** The setting gradpeek.server.python, empty where it is not set. */
  readonly setting: string;
  /** The configuration of the debug session. */
  readonly configuration: Readonly<Record<string, unknown>> | undefined;
  /** The interpreter that is selected in the Python extension, if any; asked only when needed. */
  readonly selected: () => Promise<string | undefined>;
  readonly platform: NodeJS.Platform;
}

/** A Python that can run the server. */
export interface Found {
  readonly candidate: Candidate;
  /** Path of the interpreter itself. */
  readonly executable: string;
  readonly version: string;
}

/** Raised where no Python fits; the message of the last candidate is in the log. */
export class NoPythonError extends Error {
  override readonly name = "NoPythonError";

  /** @param setting what the setting names, where it is set: no other one was looked at then. */
  constructor(readonly setting: string) {
    super(setting ? `${setting} cannot run the server` : "no Python can run the server");
  }
}

const CHECK = "import sys; print('%d.%d %s' % (sys.version_info[:2] + (sys.executable,)))";
const OLDEST = [3, 10] as const;
const CHECK_TIMEOUT_MS = 10_000;

/**
 * The first Python that fits: the one of the setting, else the debug session's, else the one
 * selected in the Python extension, else one on PATH. Where the setting is set only that one
 * counts: a choice that cannot be followed is said, never replaced.
 *
 * @param tell hears what came of each candidate.
 * @throws NoPythonError where none fits.
 */
export async function findPython(
  sources: Sources,
  tell: (candidate: Candidate, verdict: Verdict) => void,
): Promise<Found> {
  const tried = new Set<string>();
  for await (const candidate of candidates(sources)) {
    const key = [candidate.command, ...candidate.args].join("\0");
    if (tried.has(key)) continue;
    tried.add(key);
    const verdict = await check(candidate);
    tell(candidate, verdict);
    if (verdict.fits) {
      return { candidate, executable: verdict.executable, version: verdict.version };
    }
  }
  throw new NoPythonError(sources.setting);
}

async function* candidates(sources: Sources): AsyncGenerator<Candidate> {
  if (sources.setting) {
    yield { origin: "setting", command: expandHome(sources.setting), args: [] };
    return;
  }
  const session = ofConfiguration(sources.configuration);
  if (session !== undefined) yield session;
  const selected = await sources.selected();
  if (selected) yield { origin: "python-extension", command: selected, args: [] };
  if (sources.platform === "win32") yield { origin: "path", command: "py", args: ["-3"] };
  yield { origin: "path", command: "python3", args: [] };
  yield { origin: "path", command: "python", args: [] };
}

/** The interpreter that a debug configuration names: `python`, a text or a list, or `pythonPath`. */
function ofConfiguration(configuration: Sources["configuration"]): Candidate | undefined {
  const named = configuration?.python ?? configuration?.pythonPath;
  const words = Array.isArray(named) ? named : [named];
  if (!words.every((word) => typeof word === "string" && word !== "")) return undefined;
  const [command, ...args] = words as string[];
  // A variable that is still in it was meant for somebody else.
  if (command === undefined || command.includes("${")) return undefined;
  return { origin: "session", command, args };
}

/** What the candidate says of itself: whether it starts, in time, and is new enough. */
export function check(candidate: Candidate, timeoutMs = CHECK_TIMEOUT_MS): Promise<Verdict> {
  const { command, args } = candidate;
  return new Promise((resolve) => {
    const child = spawn(command, [...args, "-I", "-c", CHECK], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    const fail = (reason: string) => resolve({ fits: false, reason });
    child.once("error", (error) => fail(error.message));
    child.once("close", (status, signal) => {
      if (signal === "SIGKILL") return fail(`no answer within ${timeoutMs / 1000} s`);
      const [, major, minor, executable] = /^(\d+)\.(\d+) (.+)$/m.exec(out) ?? [];
      if (status !== 0 || executable === undefined) {
        const words = err.trim().split("\n").at(-1);
        return fail(`is not a Python that starts (status ${status})${words ? `: ${words}` : ""}`);
      }
      const version = `${major}.${minor}`;
      const newEnough = Number(major) > OLDEST[0] || Number(minor) >= OLDEST[1];
      if (!newEnough || Number(major) < OLDEST[0]) {
        return fail(`is Python ${version}; ${OLDEST.join(".")} or later is needed`);
      }
      return resolve({ fits: true, version, executable: executable.trim() });
    });
  });
}

function expandHome(path: string): string {
  return path.startsWith("~/") || path.startsWith("~\\") ? homedir() + path.slice(1) : path;
}
