/** The text editor in front. */
import type { Locator, Page } from 'playwright-core';
import fs from 'node:fs';
import type { Debugger } from '../debugger.ts';
import { chooseInMenu, menuItems } from './menu.ts';
import { until } from './until.ts';

export class Editor {
  readonly page: Page;
  readonly element: Locator;
  readonly #debug: Debugger;

  constructor(page: Page, debug: Debugger) {
    this.page = page;
    this.#debug = debug;
    this.element = page.locator('.editor-group-container.active .editor-instance .monaco-editor').first();
  }

  /** Opens a file. */
  async open(file: string): Promise<void> {
    await this.#debug.openFile(file);
    await until(`${file} in front`, async () => (await this.#debug.window()).activeFile === file);
  }

  /** Selects a text of the file: its first occurrence, or the first on a line (from 1). */
  async select(file: string, text: string, line?: number): Promise<void> {
    const at = find(file, text, line);
    await this.#debug.openFile(file, [at.line, at.column, at.line, at.column + text.length]);
    await until(`${text} to be selected`, async () => (await this.#debug.window()).selectedText === text);
    await this.element.locator('.selected-text').first().waitFor();
  }

  /** Puts the cursor inside a text of the file, `offset` characters (default: half its length) from its start. */
  async placeCursor(file: string, text: string, { line, offset }: { line?: number; offset?: number } = {}): Promise<void> {
    const at = find(file, text, line);
    const column = at.column + (offset ?? Math.floor(text.length / 2));
    await this.#debug.openFile(file, [at.line, column, at.line, column]);
    await until(`the cursor in line ${at.line}`, async () => (await this.#debug.window()).activeLine === at.line);
  }

  /** Right-clicks at the cursor or in the selection, and chooses an item. */
  async chooseInContextMenu(...names: string[]): Promise<void> {
    await chooseInMenu(this.page, () => this.rightClick(), ...names);
  }

  contextMenu(): Promise<string[]> {
    return menuItems(this.page, () => this.rightClick());
  }

  /** The texts of the lines in sight, with inline hints. */
  async linesInSight(): Promise<string[]> {
    return this.element.locator('.view-lines .view-line').evaluateAll((lines) =>
      lines
        .map((line) => ({ top: line.getBoundingClientRect().top, text: (line.textContent ?? '').replaceAll('\u00a0', ' ') }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
  }

  private async rightClick(): Promise<void> {
    const selected = this.element.locator('.selected-text').first();
    const hasSelection = (await selected.count()) > 0;
    const box = await (hasSelection ? selected : this.element.locator('.cursors-layer .cursor').first()).boundingBox({ timeout: 3000 });
    if (!box) throw new Error('the cursor is not drawn');
    const x = hasSelection ? box.x + box.width / 2 : box.x;
    await this.page.mouse.click(x, box.y + box.height / 2, { button: 'right' });
  }
}

/** Where a text is in a file, from 1. */
function find(file: string, text: string, line?: number): { line: number; column: number } {
  for (const [index, content] of fs.readFileSync(file, 'utf8').split('\n').entries()) {
    const column = content.indexOf(text);
    if (column >= 0 && (line === undefined || line === index + 1)) return { line: index + 1, column: column + 1 };
  }
  throw new Error(`${file} does not contain ${JSON.stringify(text)}${line ? ` in line ${line}` : ''}`);
}

/** The line (from 1) of the first occurrence of a text in a file. */
export function lineOf(file: string, text: string): number {
  return find(file, text).line;
}

/** The line (from 1) that a program marks with `# @bp name`. */
export function markedLine(file: string, name: string): number {
  return find(file, `# @bp ${name}`).line;
}
