/** What shows where the mouse rests. */
import type { Page } from 'playwright-core';
import { until } from './until.ts';

export interface Tooltip {
  text: string;
  /** What its Markdown has become. */
  html: string;
}

/** The tooltip of what `rest` puts the mouse on; again where that was drawn anew meanwhile, which takes the tooltip away. */
export async function tooltipOf(page: Page, rest: () => Promise<void>): Promise<Tooltip> {
  const hover = page.locator('.monaco-hover.workbench-hover .hover-contents').filter({ visible: true }).first();
  return until('a tooltip', async () => {
    await leaveTooltip(page);
    await rest();
    await hover.waitFor({ timeout: 3000 });
    return until('the tooltip to be loaded', async () => {
      const tooltip = await hover.evaluate((element) => ({ text: (element as HTMLElement).innerText, html: element.innerHTML }), null, { timeout: 500 });
      return tooltip.text !== 'Loading...' && tooltip;
    });
  });
}

/** Takes the mouse off, so that no tooltip lies over anything; one that stays is of something else. */
export async function leaveTooltip(page: Page): Promise<void> {
  const tooltip = page.locator('.monaco-hover.workbench-hover').filter({ visible: true });
  if ((await tooltip.count()) === 0) return;
  await page.mouse.move(0, 0);
  await tooltip.first().waitFor({ state: 'hidden', timeout: 1500 }).catch(() => undefined);
}
