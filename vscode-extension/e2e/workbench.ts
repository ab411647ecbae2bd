/** A real VS Code for one test file: a server of its own, a page of its own, and an end that leaves nothing. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { Debugger, type Stop } from './debugger.ts';
import { DebugConsole } from './page/console.ts';
import { Editor } from './page/editor.ts';
import { QuickInput } from './page/quick-input.ts';
import { until } from './page/until.ts';
import { View } from './page/view.ts';
import { type Server, type ServerOptions, startServer } from './server.ts';

const HERE = import.meta.dirname;
export const PROGRAMS = path.join(HERE, 'programs');
export const REPOSITORY = path.resolve(HERE, '../..');
const SCREENSHOTS = path.join(REPOSITORY, 'build/e2e');
const PAGE_TIMEOUT_MS = 15_000;
const START_TIMEOUT_MS = 90_000;
const CHROMIUM_ARGUMENTS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
]; // prettier-ignore

export interface WorkbenchOptions extends Partial<ServerOptions> {
  /** The folder that is opened; default: `programs/`. */
  folder?: string;
  viewport?: { width: number; height: number };
}

/** The packaged extension that `run.mjs` was given, or found in `dist/`. */
export function gradpeekVsix(): string {
  const vsix = process.env['GRADPEEK_E2E_VSIX'];
  if (!vsix) throw new Error('there is no dist/gradpeek-*.vsix: run `make vsix`, or name one with `run.mjs --vsix PATH`');
  return vsix;
}

export class Workbench {
  readonly page: Page;
  readonly debug: Debugger;
  readonly editor: Editor;
  readonly console: DebugConsole;
  readonly quickInput: QuickInput;
  readonly variables: View;
  readonly watch: View;
  readonly callStack: View;
  /** Uncaught errors of the page, and messages that its console shows as errors. */
  readonly pageErrors: string[] = [];
  readonly #browser: Browser;
  readonly #server: Server;

  constructor(server: Server, browser: Browser, page: Page) {
    this.#server = server;
    this.#browser = browser;
    this.page = page;
    this.debug = new Debugger(server.socket);
    this.editor = new Editor(page, this.debug);
    this.console = new DebugConsole(page, this.debug);
    this.quickInput = new QuickInput(page);
    this.variables = this.view('Variables');
    this.watch = this.view('Watch');
    this.callStack = this.view('Call Stack');
    page.on('pageerror', (error) => this.pageErrors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.pageErrors.push(message.text());
    });
  }

  /** A view by the name in its header. */
  view(name: string): View {
    return new View(this.page, name);
  }

  /** Brings the Run and Debug sidebar to the front. */
  async openDebugSidebar(): Promise<void> {
    await this.debug.executeCommand('workbench.view.debug');
    await this.page.locator('.debug-viewlet').waitFor();
  }

  /** Brings the Explorer to the front, so that no view of Run and Debug is visible. */
  async openExplorer(): Promise<void> {
    await this.debug.executeCommand('workbench.view.explorer');
    await this.page.locator('.explorer-viewlet').waitFor();
  }

  /** Waits until the editor shows the line of a stop; views of the debug sidebar are filled about then. */
  async showsStop(stop: Stop): Promise<void> {
    const top = stop.frames[0];
    await until(`${top?.file}:${top?.line} in the editor`, async () => {
      const { activeFile, activeLine } = await this.debug.window();
      return activeFile === top?.file && activeLine === top?.line;
    });
  }

  /** Selects a frame in Call Stack by its function, and waits until it is the one in focus. */
  async selectFrame(functionName: string): Promise<void> {
    const before = (await this.debug.window()).activeStackItem?.frameId;
    const wanted = await this.callStack.row(functionName);
    await this.callStack.click(functionName);
    await until(`frame ${functionName} in focus`, async () => {
      const [row, state] = [await this.callStack.row(functionName), await this.debug.window()];
      return row.selected && (wanted.selected || state.activeStackItem?.frameId !== before);
    });
  }

  /** Saves what the page shows as `build/e2e/NAME.png`; returns the path. */
  async screenshot(name: string): Promise<string> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    const file = path.join(SCREENSHOTS, `${name}.png`);
    await this.page.screenshot({ path: file, animations: 'disabled' });
    return file;
  }

  /** The log files of the server and the extensions, for the message of a failed test. */
  logs(): string {
    return this.#server.logs();
  }

  /** Ends debugging, the page, the server and all that they started; safe to call twice. */
  async end(): Promise<void> {
    try {
      await this.debug.stop();
    } catch {
      // A host that does not answer is ended with the rest.
    }
    try {
      await this.#browser.close();
    } finally {
      await this.#server.end();
    }
  }
}

/** A fresh workbench with the debug extension and those asked for; the caller must `end()` it. */
export async function startWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const { folder = PROGRAMS, viewport = { width: 1400, height: 900 }, ...rest } = options;
  const server = await startServer({
    settings: {},
    theme: 'dark',
    locale: 'en',
    env: {},
    workspaceTrust: false,
    ...rest,
    extensions: [path.join(HERE, 'debug-extension'), ...(rest.extensions ?? [])],
  });
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({ executablePath: process.env['GRADPEEK_E2E_CHROMIUM'] ?? 'chromium', args: CHROMIUM_ARGUMENTS });
    const context = await browser.newContext({ viewport, locale: rest.locale ?? 'en-US', reducedMotion: 'reduce' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
    const workbench = new Workbench(server, browser, page);
    await page.goto(`${server.url}/?folder=${encodeURIComponent(folder)}`, { timeout: START_TIMEOUT_MS });
    await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: START_TIMEOUT_MS });
    await until('the extension host', () => workbench.debug.window(), START_TIMEOUT_MS);
    return workbench;
  } catch (error) {
    await browser?.close();
    const logs = server.logs().slice(-4000);
    await server.end();
    throw new Error(`the workbench did not start\n${logs}`, { cause: error });
  }
}
