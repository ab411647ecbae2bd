/** Status bar, notifications and dialogs. */
import type { Page } from 'playwright-core';
import { type Tooltip, tooltipOf } from './hover.ts';
import { until } from './until.ts';

export interface StatusItem {
  id: string;
  text: string;
  ariaLabel: string;
  color: string;
  backgroundColor: string;
}

/** The items of the status bar that show, left to right. */
export function statusItems(page: Page): Promise<StatusItem[]> {
  return page
    .locator('.statusbar .statusbar-item')
    .filter({ visible: true })
    .evaluateAll((items) =>
      items
        .map((item) => ({
          left: item.getBoundingClientRect().left,
          id: item.id,
          text: (item as HTMLElement).innerText.trim(),
          ariaLabel: item.getAttribute('aria-label') ?? item.querySelector('[aria-label]')?.getAttribute('aria-label') ?? '',
          color: getComputedStyle(item).color,
          backgroundColor: getComputedStyle(item).backgroundColor,
        }))
        .sort((a, b) => a.left - b.left)
        .map(({ left: _, ...item }) => item),
    );
}

/** The first status bar item whose text or label matches; waited for. */
export function statusItem(page: Page, pattern: RegExp, timeoutMs?: number): Promise<StatusItem> {
  return until(
    `a status bar item ${pattern}`,
    async () => {
      const items = await statusItems(page);
      const found = items.find(({ text, ariaLabel, id }) => pattern.test(text) || pattern.test(ariaLabel) || pattern.test(id));
      if (found) return found;
      throw new Error(`there are: ${JSON.stringify(items.map(({ text }) => text))}`);
    },
    timeoutMs,
  );
}

/** The tooltip of the first status bar item whose text or label matches. */
export function statusTooltip(page: Page, pattern: RegExp): Promise<Tooltip> {
  return tooltipOf(page, async () => {
    const { id } = await statusItem(page, pattern);
    await page.locator(`.statusbar [id=${JSON.stringify(id)}]`).hover({ timeout: 3000 });
  });
}

export interface Notification {
  severity: 'info' | 'warning' | 'error' | '';
  message: string;
  source: string;
  buttons: string[];
}

/** The notifications that show. */
export function notifications(page: Page): Promise<Notification[]> {
  return page
    .locator('.notifications-toasts .notification-list-item')
    .filter({ visible: true })
    .evaluateAll((items) =>
      items.map((item) => ({
        severity: (['error', 'warning', 'info'] as const).find((name) => item.querySelector(`.codicon-${name}`)) ?? '',
        message: (item.querySelector('.notification-list-item-message') as HTMLElement | null)?.innerText ?? '',
        source: (item.querySelector('.notification-list-item-source') as HTMLElement | null)?.innerText ?? '',
        buttons: [...item.querySelectorAll('.notification-list-item-buttons-container .monaco-button')].map((button) => button.textContent ?? ''),
      })),
    );
}

/** The first notification whose message matches; waited for. */
export function notification(page: Page, pattern: RegExp, timeoutMs?: number): Promise<Notification> {
  return until(
    `a notification ${pattern}`,
    async () => {
      const all = await notifications(page);
      const found = all.find(({ message }) => pattern.test(message));
      if (found) return found;
      throw new Error(`there are: ${JSON.stringify(all.map(({ message }) => message))}`);
    },
    timeoutMs,
  );
}

/** Clicks a button of the notification whose message matches. */
export async function clickNotification(page: Page, pattern: RegExp, button: string): Promise<void> {
  await notification(page, pattern);
  await page
    .locator('.notifications-toasts .notification-list-item')
    .filter({ hasText: pattern })
    .locator('.notification-list-item-buttons-container .monaco-button')
    .filter({ hasText: button })
    .first()
    .click();
}

/** The text of the modal dialog that shows, waited for. */
export async function dialog(page: Page): Promise<string> {
  const box = page.locator('.monaco-dialog-box');
  await box.waitFor();
  return box.innerText();
}

export async function clickDialog(page: Page, button: string): Promise<void> {
  await page.locator('.monaco-dialog-box .monaco-button').filter({ hasText: button }).first().click();
  await page.locator('.monaco-dialog-box').waitFor({ state: 'hidden' });
}
