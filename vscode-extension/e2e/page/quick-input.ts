/** The command palette, and the boxes and lists that commands ask with. */
import type { Locator, Page } from 'playwright-core';
import { until } from './until.ts';

export class QuickInput {
  readonly page: Page;
  readonly widget: Locator;
  readonly input: Locator;
  readonly rows: Locator;

  constructor(page: Page) {
    this.page = page;
    this.widget = page.locator('.quick-input-widget').filter({ visible: true });
    this.input = this.widget.locator('.quick-input-box input');
    this.rows = this.widget.locator('.quick-input-list .monaco-list-row');
  }

  /** Runs a command from the palette by its whole title, e.g. `GradPeek: Show Gradients`. */
  async run(title: string): Promise<void> {
    const row = this.rows.filter({ has: this.page.locator('.label-name').getByText(title, { exact: true }) });
    // Opened again where the focus went elsewhere, which closes it.
    await until(`${title} to be chosen in the palette`, async () => {
      await this.openPalette(title);
      await row.first().click({ timeout: 3000 }).catch(async () => {
        throw new Error(`the palette does not offer it; it shows ${JSON.stringify(await this.choices())}`);
      });
      return true;
    });
  }

  /** What the palette offers for a text; the palette is closed again. */
  async offered(text: string): Promise<string[]> {
    await this.openPalette(text);
    const choices = await this.choices();
    await this.cancel();
    return choices;
  }

  /** Waits for a box that asks, and answers it. */
  async answer(text: string): Promise<void> {
    await this.input.waitFor();
    await this.input.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Waits for a list that asks, and picks the choice with this label. */
  async pick(label: string): Promise<void> {
    await this.rows.filter({ has: this.page.locator('.label-name').getByText(label, { exact: true }) }).first().click();
  }

  /** Types into the box without answering, e.g. to see what a list then offers. */
  async type(text: string): Promise<void> {
    await this.input.waitFor();
    await this.input.fill(text);
  }

  /** The labels in sight. */
  async choices(): Promise<string[]> {
    return this.rows.locator('.label-name').allInnerTexts();
  }

  /** Title, placeholder and message of the box that is open. */
  async question(): Promise<{ title: string; placeholder: string; message: string }> {
    await this.input.waitFor();
    return {
      title: await this.widget.locator('.quick-input-title').innerText(),
      placeholder: (await this.input.getAttribute('placeholder')) ?? '',
      message: (await this.widget.locator('.quick-input-message').allInnerTexts()).join('\n'),
    };
  }

  async cancel(): Promise<void> {
    await until('the box to close', async () => {
      if ((await this.widget.count()) === 0) return true;
      await this.page.keyboard.press('Escape');
      return (await this.widget.count()) === 0;
    });
  }

  private async openPalette(text: string): Promise<void> {
    await until('the palette', async () => {
      await this.page.keyboard.press('F1');
      await this.input.waitFor({ timeout: 3000 });
      return true;
    });
    await this.input.fill(`>${text}`);
    await until('the palette to answer', async () => (await this.rows.count()) > 0);
  }
}
