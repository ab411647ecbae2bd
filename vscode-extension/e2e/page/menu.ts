/** Context menus; VS Code draws them in a shadow root. */
import type { Locator, Page } from 'playwright-core';
import { until } from './until.ts';

const ITEM = '.monaco-menu-container .monaco-menu .action-item:not(.disabled) > a.action-menu-item';

const SHOWN_MS = 3000;

/** Opens a menu; the names of its items, top to bottom, separators left out. The menu is closed again. */
export async function menuItems(page: Page, open: () => Promise<void>): Promise<string[]> {
  const items = await until('the items of a menu', async () => {
    await closeMenu(page);
    await open();
    await page.locator(ITEM).first().waitFor({ timeout: SHOWN_MS });
    const names = await labels(page);
    return names.length > 0 && names;
  });
  await closeMenu(page);
  return items;
}

/**
 * Opens a menu and chooses an item, through its submenus where several names are given. VS Code closes a
 * menu when the focus leaves it: one that closes before the item was clicked is opened again.
 */
export async function chooseInMenu(page: Page, open: () => Promise<void>, ...names: string[]): Promise<void> {
  await until(`${names.join(' > ')} to be chosen`, async () => {
    await closeMenu(page);
    await open();
    for (const [depth, name] of names.entries()) {
      const menu = page.locator('.monaco-menu').nth(depth);
      const item = menu.locator('.action-item:not(.disabled) > a.action-menu-item').filter({
        has: page.locator(`.action-label[aria-label=${JSON.stringify(name)}]`),
      });
      await item.first().waitFor({ timeout: SHOWN_MS }).catch(async () => {
        throw new Error(`the menu has no item ${JSON.stringify(name)}: ${JSON.stringify(await labels(page))}`);
      });
      await item.first().hover({ timeout: SHOWN_MS });
      if (depth < names.length - 1) await page.locator('.monaco-menu').nth(depth + 1).waitFor({ timeout: SHOWN_MS });
      else await clickUntilClosed(page, item.first());
    }
    return true;
  });
}

/** For a moment after it has opened a menu takes no clicks, so that a held button chooses nothing. */
async function clickUntilClosed(page: Page, item: Locator): Promise<void> {
  await item.click({ timeout: SHOWN_MS });
  await until('the menu to close', async () => {
    if ((await page.locator('.monaco-menu').count()) === 0) return true;
    await item.click({ timeout: 1000 });
    return false;
  });
}

async function closeMenu(page: Page): Promise<void> {
  await until('the menu to close', async () => {
    if ((await page.locator('.monaco-menu').count()) === 0) return true;
    await page.keyboard.press('Escape');
    return false;
  });
}

function labels(page: Page): Promise<string[]> {
  return page.locator(`${ITEM} .action-label`).evaluateAll((all) => all.map((label) => label.getAttribute('aria-label') ?? label.textContent ?? ''));
}
