/** A VS Code server of its own for one test file: settings, extensions, and a sure end. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { localeArguments, type Locale } from './locale.ts';
import { killProcessesWith } from './processes.mjs';

const START_TIMEOUT_MS = 60_000;
/** Inherited by everything that a workbench starts: how its processes are found at the end. */
const MARK = 'GRADPEEK_E2E_WORKBENCH';

export type ColorTheme = 'light' | 'dark' | 'high-contrast-dark' | 'high-contrast-light';

const THEMES: Record<ColorTheme, string> = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  'high-contrast-dark': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};

export interface ServerOptions {
  /** Paths of `.vsix` files (installed) or of folders (linked). */
  extensions: readonly string[];
  settings: Readonly<Record<string, unknown>>;
  theme: ColorTheme;
  locale: Locale;
  /** Added to the environment of the extension host; `undefined` removes a variable. */
  env: Readonly<Record<string, string | undefined>>;
  /** Shows the question of trust for folders that are opened, as a user's VS Code does. */
  workspaceTrust: boolean;
}

export interface Server {
  url: string;
  /** Where the debug extension listens for the tests. */
  socket: string;
  /** What extensions and the server wrote to their log files; for messages of failed tests. */
  logs(): string;
  end(): Promise<void>;
}

const QUIET_SETTINGS = {
  // A stop moves the focus to the editor: keys meant for elsewhere must not change the programs.
  'files.autoSave': 'off',
  'files.readonlyInclude': { '**/*.py': true },
  'workbench.startupEditor': 'none',
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.tree.enableStickyScroll': false,
  'workbench.hover.delay': 200,
  'telemetry.telemetryLevel': 'off',
  'chat.disableAIFeatures': true,
  'remote.autoForwardPorts': false,
  'git.enabled': false,
  'extensions.ignoreRecommendations': true,
  'debug.internalConsoleOptions': 'neverOpen',
  'debug.toolBarLocation': 'floating',
  'window.menuBarVisibility': 'hidden',
  'editor.minimap.enabled': false,
};

/** A running server; the caller must `end()` it. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const node = required('GRADPEEK_E2E_NODE');
  const codeServer = required('GRADPEEK_E2E_CODE_SERVER');
  const id = randomUUID().slice(0, 8);
  const home = fs.mkdtempSync(path.join(os.tmpdir(), `gradpeek-e2e-${id}-`));
  const folder = (name: string): string => {
    const made = path.join(home, name);
    fs.mkdirSync(made, { recursive: true });
    return made;
  };
  const userData = folder('user-data');
  const extensions = folder('extensions');
  const socket = path.join(home, 'tests.sock');
  const theme = { 'workbench.colorTheme': THEMES[options.theme], 'window.autoDetectColorScheme': false, 'window.autoDetectHighContrast': false };
  fs.writeFileSync(path.join(folder('user-data/User'), 'settings.json'), JSON.stringify({ ...QUIET_SETTINGS, ...theme, ...options.settings }, null, 2));
  fs.writeFileSync(path.join(home, 'config.yaml'), '');

  // VSCODE_CLI: else the server asks a login shell for its environment and PATH is not the test's.
  const environment: NodeJS.ProcessEnv = { ...process.env, VSCODE_CLI: '1', EXTENSIONS_GALLERY: '{"serviceUrl":""}', ...options.env };
  environment[MARK] = id;
  environment['GRADPEEK_E2E_SOCKET'] = socket;
  const common = [
    codeServer, '--user-data-dir', userData, '--extensions-dir', extensions, '--config', path.join(home, 'config.yaml'),
    '--disable-telemetry', '--disable-update-check',
  ]; // prettier-ignore
  for (const extension of options.extensions) {
    if (extension.endsWith('.vsix')) await promisify(execFile)(node, [...common, '--install-extension', extension, '--force'], { env: environment, timeout: START_TIMEOUT_MS });
    else fs.symlinkSync(path.resolve(extension), path.join(extensions, path.basename(extension)));
  }

  const child = spawn(
    node,
    [
      ...common, ...localeArguments(options.locale, userData), '--auth', 'none', '--bind-addr', '127.0.0.1:0',
      '--disable-getting-started-override', '--disable-proxy', ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
    ], // prettier-ignore
    { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  const killAll = (): void => {
    killGroup(child);
    killProcessesWith(MARK, id);
  };
  const atExit = (): void => {
    killAll();
    fs.rmSync(home, { recursive: true, force: true });
  };
  process.once('exit', atExit); // A run that is broken off ends without `end`.
  const end = async (): Promise<void> => {
    killAll();
    if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve));
    killAll(); // What the extension host was just starting.
    process.removeListener('exit', atExit);
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    return { url: await listening(child), socket, logs: () => readLogs(userData), end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The address that the server says it listens on. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`code-server did not listen within ${START_TIMEOUT_MS} ms:\n${output}`)), START_TIMEOUT_MS);
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const port = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (!port) return;
      clearTimeout(timer);
      resolve(`http://localhost:${port}`); // Webviews need a secure context, which a bare address is not.
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`code-server ended with ${code}:\n${output}`));
    });
  });
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All of the group have ended already.
  }
}

function readLogs(userData: string): string {
  const root = path.join(userData, 'logs');
  const files = fs.existsSync(root) ? fs.readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  return files
    .filter((file) => file.endsWith('.log') && fs.statSync(path.join(root, file)).size > 0)
    .map((file) => `== ${file}\n${fs.readFileSync(path.join(root, file), 'utf8')}`)
    .join('\n');
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: start the tests with vscode-extension/e2e/run.mjs`);
  return value;
}
