/** Context menus; VS Code draws them in a shadow root. */
import type { Page } from 'playwright-core';
import { until } from './until.ts';

const ITEM = '.monaco-menu-container .monaco-menu .action-item:not(.disabled) > a.action-menu-item';

/** The names of the items of the open menu, top to bottom, separators left out. */
export async function menuItems(page: Page): Promise<string[]> {
  await page.locator(ITEM).first().waitFor();
  return page.locator(`${ITEM} .action-label`).evaluateAll((labels) => labels.map((label) => label.getAttribute('aria-label') ?? label.textContent ?? ''));
}

/** Chooses an item of the open menu, through its submenus where several names are given. */
export async function chooseInMenu(page: Page, ...names: string[]): Promise<void> {
  for (const [depth, name] of names.entries()) {
    const menu = page.locator('.monaco-menu').nth(depth);
    const item = menu.locator('.action-item:not(.disabled) > a.action-menu-item').filter({
      has: page.locator(`.action-label[aria-label=${JSON.stringify(name)}]`),
    });
    await item.first().waitFor().catch(async () => {
      throw new Error(`the menu has no item ${JSON.stringify(name)}: ${JSON.stringify(await menuItems(page))}`);
    });
    await item.first().hover();
    if (depth < names.length - 1) {
      await page.locator('.monaco-menu').nth(depth + 1).waitFor();
      continue;
    }
    // For a moment after it has opened a menu takes no clicks, so that a held button chooses nothing.
    await until(`the menu to close after ${name}`, async () => {
      if ((await page.locator('.monaco-menu').count()) === 0) return true;
      await item.first().click({ timeout: 1000 });
      return (await page.locator('.monaco-menu').count()) === 0;
    });
  }
}

export async function closeMenu(page: Page): Promise<void> {
  await until('the menu to close', async () => {
    if ((await page.locator('.monaco-menu').count()) === 0) return true;
    await page.keyboard.press('Escape');
    return false;
  });
}
