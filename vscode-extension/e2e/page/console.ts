/** The Debug Console. */
import type { Locator, Page } from 'playwright-core';
import type { Debugger } from '../debugger.ts';
import { scanRows } from './list.ts';
import { until } from './until.ts';

export interface ConsoleLine {
  kind: 'input' | 'result' | 'output' | 'error';
  /** As shown, line breaks kept. */
  text: string;
}

export class DebugConsole {
  readonly page: Page;
  readonly panel: Locator;
  readonly #debug: Debugger;

  constructor(page: Page, debug: Debugger) {
    this.page = page;
    this.#debug = debug;
    this.panel = page.locator('.repl').filter({ visible: true });
  }

  /** Brings the console to the front, with the cursor in its input; again where a terminal or editor that opens takes the focus. */
  async open(): Promise<void> {
    await until('the cursor in the console', async () => {
      await this.#debug.executeCommand('workbench.debug.action.focusRepl');
      await this.panel.locator('.repl-input-wrapper .monaco-editor.focused').waitFor({ timeout: 3000 });
      return true;
    });
  }

  /** Types text into the input, without sending it. */
  async type(text: string): Promise<void> {
    await this.open();
    await this.page.keyboard.type(text);
  }

  /** The labels that completion offers for what has been typed. */
  async suggestions(): Promise<string[]> {
    await this.page.keyboard.press('Control+Space');
    const rows = this.page.locator('.suggest-widget.visible .monaco-list-row .label-name');
    await rows.first().waitFor({ timeout: 3000 });
    return rows.allInnerTexts();
  }

  /** Empties the console and its input. */
  async clear(): Promise<void> {
    await this.open();
    await this.#debug.executeCommand('workbench.debug.panel.action.clearReplAction');
    await until('the console to be empty', async () => (await this.lines()).length === 0);
  }

  /** Evaluates an expression as a user does; waits for its answer and returns what the console then shows below it. */
  async evaluate(expression: string): Promise<ConsoleLine[]> {
    const after = await this.#debug.seq();
    await this.#send(expression);
    const answer = await until(`the answer to ${expression}`, async () => {
      const asked = (await this.#debug.evaluates(after)).find((evaluate) => evaluate.context === 'repl' && evaluate.expression.trim() === expression.trim());
      return asked?.response;
    });
    const printed = (await this.#debug.dapLog({ event: 'output' }, after)).filter(({ message }) => message.body.category !== 'telemetry');
    const expected: ConsoleLine['kind'][] = [];
    if (!answer.success) expected.push('error');
    else if (answer.body.result !== '') expected.push('result');
    if (printed.length > 0) expected.push('output');
    return until(`${expected.join(' and ')} of ${expression} in the console`, async () => {
      const lines = await this.lines();
      const asked = lines.findLastIndex(({ kind, text }) => kind === 'input' && text.trim() === expression.trim());
      const below = lines.slice(asked + 1);
      return asked >= 0 && expected.every((kind) => below.some((line) => line.kind === kind)) && below;
    });
  }

  /** Types an expression and presses Enter; again where the focus was elsewhere, or Enter took a completion. */
  async #send(expression: string): Promise<void> {
    const typed = async (): Promise<string> => spaceless(await this.panel.locator('.repl-input-wrapper .view-lines').innerText());
    await until(`${expression} to be sent`, async () => {
      await this.open();
      await this.page.keyboard.press('ControlOrMeta+a');
      // At once, as by an input method: a busy page loses single keys, and brackets close themselves.
      await this.page.keyboard.insertText(expression);
      await until('the input to change', async () => (await typed()) === spaceless(expression), 3000);
      await until('completions to close', async () => {
        await this.page.keyboard.press('Escape');
        return (await this.page.locator('.suggest-widget.visible').count()) === 0;
      });
      await this.page.keyboard.press('Enter');
      return until('the input to empty', async () => (await typed()) === '', 3000);
    });
  }

  /** All that the console shows, in order; blank rows (a statement's result, an empty line of output) are left out. */
  async lines(): Promise<ConsoleLine[]> {
    const rows = await scanRows(this.page, this.panel.locator('.repl-tree .monaco-list').first());
    return rows
      .filter(({ text, classes }) => text.trim() !== '' || /\binput\b/.test(classes))
      .map(({ text, classes }) => ({
        kind: /\binput\b/.test(classes) ? 'input' : /\berror\b/.test(classes) ? 'error' : /evaluation-result/.test(classes) ? 'result' : 'output',
        text: text.trimEnd(),
      }));
  }
}

function spaceless(text: string): string {
  return text.replace(/\s/g, '');
}
