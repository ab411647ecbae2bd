/** Reads VS Code's lists, which draw only the rows in sight. */
import type { Locator, Page } from 'playwright-core';
import { until } from './until.ts';

export interface Row {
  /** Position in the whole list, from 0. */
  index: number;
  /** Level in the tree, from 1. */
  level: number;
  /** null: has no children. */
  expanded: boolean | null;
  selected: boolean;
  focused: boolean;
  label: string;
  /** The dimmer text behind the label; of a variable, its value. */
  description: string;
  ariaLabel: string;
  /** All text of the row, line breaks kept. */
  text: string;
  /** The icon: `codicon-…` or the file name of an image; empty where there is none. */
  icon: string;
  iconColor: string;
  labelColor: string;
  /** What a file decoration puts at the end of the row. */
  badge: string;
  /** Names of the row's inline actions (drawn when the mouse is over the row). */
  actions: string[];
  /** CSS classes of the row's own elements, for what no other key tells. */
  classes: string;
}

/** The rows in sight of a `.monaco-list`, from top to bottom. */
export function rowsInSight(list: Locator): Promise<Row[]> {
  return list.evaluate((element) => {
    const text = (row: Element, selector: string): string | undefined => row.querySelector(selector)?.textContent?.trim();
    const iconOf = (icon: Element | null): string => {
      if (!icon) return '';
      const codicon = [...icon.classList].find((name) => name.startsWith('codicon-'));
      return codicon ?? /([^/"]+)"?\)$/.exec(getComputedStyle(icon).backgroundImage)?.[1] ?? '';
    };
    const rows = [...element.querySelectorAll('.monaco-list-rows > .monaco-list-row')].map((row): Row => {
      const expanded = row.getAttribute('aria-expanded');
      const icon = row.querySelector('.custom-view-tree-node-item-icon');
      const label = row.querySelector('.label-name, .name, .scope, .stack-frame .label, .thread .name, .session .name');
      const isVariable = row.querySelector('.expression') !== null; // Drawn as `name = value`.
      const decorated = row.querySelector('.monaco-icon-label');
      const badge = decorated ? getComputedStyle(decorated, '::after').content : '';
      const contents = row.querySelector<HTMLElement>('.monaco-tl-contents') ?? (row as HTMLElement);
      return {
        index: Number(row.getAttribute('data-index')),
        level: Number(row.getAttribute('aria-level') ?? 1),
        expanded: expanded === null ? null : expanded === 'true',
        selected: row.getAttribute('aria-selected') === 'true',
        focused: row.classList.contains('focused'),
        label: label?.textContent?.trim().replace(isVariable ? / ?[=:]$/ : /$^/, '') ?? contents.innerText.trim(),
        description: text(row, '.label-description') ?? text(row, '.value') ?? text(row, '.file-name') ?? '',
        ariaLabel: row.getAttribute('aria-label') ?? '',
        text: contents.innerText,
        icon: iconOf(icon),
        iconColor: icon ? getComputedStyle(icon, icon.className.includes('codicon') ? '::before' : null).color : '',
        labelColor: label ? getComputedStyle(label).color : '',
        badge: badge === 'none' || badge === 'normal' ? '' : badge.replace(/^"|"$/g, ''),
        actions: [...row.querySelectorAll('.action-label')].map((action) => action.getAttribute('aria-label') ?? ''),
        classes: [...contents.querySelectorAll('[class]')].map((child) => child.getAttribute('class')).join(' '),
      };
    });
    return rows.sort((a, b) => a.index - b.index);
  });
}

/**
 * Scrolls through the list from its top until `done` is satisfied with the rows seen so far, or the end.
 *
 * @returns all rows seen, in order.
 */
export async function scanRows(page: Page, list: Locator, done: (rows: Row[]) => boolean = () => false): Promise<Row[]> {
  let sight = await rowsInSight(list);
  if (sight[0] && sight[0].index > 0) {
    sight = await until('the top of the list', async () => {
      await wheel(page, list, -5000);
      const rows = await rowsInSight(list);
      if (rows[0]?.index === 0) return rows;
      throw new Error(`the first row in sight is ${rows[0]?.index} of ${rows.length}`);
    });
  }
  const seen = new Map<number, Row>();
  for (;;) {
    for (const row of sight) seen.set(row.index, row);
    const rows = [...seen.values()].sort((a, b) => a.index - b.index);
    const last = sight.at(-1);
    if (!last || done(rows) || (await isEnd(list))) return rows;
    // Again and again: a row may be taller than the list.
    sight = await until(`rows below row ${last.index}`, async () => {
      await wheel(page, list, await list.evaluate((element) => Math.max(element.clientHeight - 44, 22)));
      const below = await rowsInSight(list);
      return ((below.at(-1)?.index ?? 0) > last.index || (await isEnd(list))) && below;
    });
  }
}

/** Whether the list is scrolled to its end: its last row is drawn, whole. */
function isEnd(list: Locator): Promise<boolean> {
  return list.evaluate((element) => {
    const last = element.querySelector('.monaco-list-rows > .monaco-list-row[data-last-element="true"]');
    return last !== null && last.getBoundingClientRect().bottom <= element.getBoundingClientRect().bottom + 1;
  });
}

/** A row that was there and is drawn no more is read again, with its list, rather than waited for. */
const VANISHED_MS = 500;

/** Scrolls until the whole of a row is in sight; false where the list has been drawn anew without it. */
export async function bringInSight(page: Page, list: Locator, row: Row): Promise<boolean> {
  const element = rowElement(list, row);
  for (let tries = 0; tries < 50; tries++) {
    const box = await list.boundingBox();
    const at = (await element.count()) > 0 ? await element.first().boundingBox({ timeout: VANISHED_MS }) : null;
    if (box && at && at.y >= box.y - 1 && at.y + at.height <= box.y + box.height + 1) return true;
    const sight = await rowsInSight(list);
    const first = sight[0];
    const last = sight.at(-1);
    if (!box || !first || !last) return false;
    if (!at && row.index >= first.index && row.index <= last.index) return false;
    const rowHeight = at?.height ?? 22;
    await wheel(page, list, at ? at.y + at.height / 2 - box.y - box.height / 2 : (row.index - (first.index + last.index) / 2) * rowHeight);
    await list.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
  return false;
}

/** Turns the wheel over the left edge of the list, where the mouse rests on no label. */
async function wheel(page: Page, list: Locator, deltaY: number): Promise<void> {
  const box = await list.boundingBox();
  if (!box) throw new Error('the list is not drawn');
  await page.mouse.move(box.x + 2, box.y + box.height / 2);
  await page.mouse.wheel(0, deltaY);
}

/** The element of a row, as long as it is still that row: a list that was drawn again yields none. */
export function rowElement(list: Locator, row: Row): Locator {
  const label = row.ariaLabel.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\a ');
  const sameLabel = row.ariaLabel ? `[aria-label="${label}"]` : '';
  return list.locator(`.monaco-list-rows > .monaco-list-row[data-index="${row.index}"]${sameLabel}`);
}
