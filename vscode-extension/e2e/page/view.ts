/** A view in a sidebar or panel, by the name in its header: Variables, Watch, Call Stack, Gradients. */
import type { Locator, Page } from 'playwright-core';
import { leaveTooltip, type Tooltip, tooltipOf } from './hover.ts';
import { bringInSight, type Row, rowElement, rowsInSight, scanRows } from './list.ts';
import { chooseInMenu, menuItems } from './menu.ts';
import { TIMEOUT_MS, until } from './until.ts';

/** Labels from the outermost row inwards; a text must be equal, an expression match. */
export type RowPath = string | RegExp | readonly (string | RegExp)[];

export class View {
  readonly page: Page;
  readonly name: string;
  readonly pane: Locator;
  readonly list: Locator;

  constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
    this.pane = page.locator('.pane').filter({ has: page.locator('.pane-header h3.title').getByText(name, { exact: true }) });
    this.list = this.pane.locator('.monaco-list').first();
  }

  /** Whether the view is there and unfolded. */
  async isOpen(): Promise<boolean> {
    return (await this.pane.count()) > 0 && (await this.pane.locator('.pane-header').getAttribute('aria-expanded')) === 'true';
  }

  /** Unfolds the view; its sidebar must be in front. */
  async open(): Promise<void> {
    await this.toggle(true);
  }

  /** Folds the view to its header. */
  async close(): Promise<void> {
    await this.toggle(false);
  }

  /** The rows in sight. */
  rowsInSight(): Promise<Row[]> {
    return rowsInSight(this.list);
  }

  /** All rows, in order, also those out of sight; empty where the view shows no tree. */
  async rows(): Promise<Row[]> {
    if (!(await this.list.isVisible())) return [];
    return scanRows(this.page, this.list);
  }

  /** Waits until the rows in sight satisfy; a text for the error. */
  waitForRows(what: string, satisfies: (rows: Row[]) => boolean, timeoutMs = TIMEOUT_MS): Promise<Row[]> {
    return until(
      `${this.name}: ${what}`,
      async () => {
        const rows = await this.rowsInSight();
        if (satisfies(rows)) return rows;
        throw new Error(`rows in sight:\n${outline(rows)}`);
      },
      timeoutMs,
    );
  }

  /** The row at a path, in sight afterwards; waits for it, unfolding the rows on the way. */
  async row(path: RowPath, timeoutMs = TIMEOUT_MS): Promise<Row> {
    const labels = Array.isArray(path) ? (path as readonly (string | RegExp)[]) : [path as string | RegExp];
    return until(
      `${this.name}: row ${labels.join(' > ')}`,
      async () => {
        const find = (rows: Row[]): Row[] => walk(rows, labels);
        let rows = await this.rowsInSight();
        if (find(rows).length < labels.length) rows = await scanRows(this.page, this.list, (seen) => find(seen).length === labels.length);
        const found = find(rows);
        const last = found.at(-1);
        if (last && (await bringInSight(this.page, this.list, last))) {
          if (found.length === labels.length) return last;
          if (last.expanded === false) await this.twistie(last);
        }
        throw new Error(`found ${found.length} of ${labels.length} in:\n${outline(rows)}`);
      },
      timeoutMs,
    );
  }

  /** The row at a path once its description matches: numbers come after rows. */
  rowSaying(path: RowPath, pattern: RegExp, timeoutMs = TIMEOUT_MS): Promise<Row> {
    return until(
      `${this.name}: row ${String(path)} to say ${pattern}`,
      async () => {
        const row = await this.row(path);
        if (pattern.test(row.description)) return row;
        throw new Error(`it says: ${row.description}`);
      },
      timeoutMs,
    );
  }

  /** Unfolds the row at a path. */
  async expand(path: RowPath): Promise<void> {
    await this.setExpanded(path, true);
  }

  async collapse(path: RowPath): Promise<void> {
    await this.setExpanded(path, false);
  }

  /** Clicks the row's label, which selects it. */
  async click(path: RowPath, options: { clickCount?: number; button?: 'left' | 'right' } = {}): Promise<void> {
    await this.onRow(path, (element) => element.locator('.monaco-tl-contents').click({ position: { x: 20, y: 8 }, timeout: 3000, ...options }));
  }

  /** Opens a row's context menu and chooses an item (through submenus where several names are given). */
  async chooseInContextMenu(path: RowPath, ...names: string[]): Promise<void> {
    await chooseInMenu(this.page, () => this.click(path, { button: 'right' }), ...names);
  }

  /** The names of the items of a row's context menu. */
  contextMenu(path: RowPath): Promise<string[]> {
    return menuItems(this.page, () => this.click(path, { button: 'right' }));
  }

  /** Clicks an icon on the row, by the action's name. */
  async inlineAction(path: RowPath, name: string): Promise<void> {
    await this.onRow(path, async (element) => {
      await element.hover({ timeout: 3000 });
      await element.locator(`.action-label[aria-label^=${JSON.stringify(name)}]`).click({ timeout: 3000 });
    });
  }

  /** Clicks an action of the view's title, also one under "…". */
  async titleAction(name: string): Promise<void> {
    await this.pane.locator('.pane-header').hover();
    const action = this.pane.locator(`.pane-header .action-label[aria-label^=${JSON.stringify(name)}]`).filter({ visible: true });
    if ((await action.count()) > 0) {
      await action.first().click();
      return;
    }
    await chooseInMenu(this.page, () => this.openMore(), name);
  }

  /** The names of the actions of the view's title: icons first, then those under "…". */
  async titleActions(): Promise<string[]> {
    await this.pane.locator('.pane-header').hover();
    const more = this.pane.locator('.pane-header .codicon-toolbar-more').filter({ visible: true });
    const icons = await this.pane
      .locator('.pane-header .action-label:not(.codicon-toolbar-more)')
      .filter({ visible: true })
      .evaluateAll((actions) => actions.map((action) => action.getAttribute('aria-label') ?? ''));
    if ((await more.count()) === 0) return icons;
    return [...icons, ...(await menuItems(this.page, () => this.openMore()))];
  }

  /** The row's tooltip, as it shows when the mouse rests on it. */
  tooltip(path: RowPath): Promise<Tooltip> {
    return tooltipOf(this.page, () => this.onRow(path, (element) => element.locator('.monaco-tl-contents').hover({ position: { x: 20, y: 8 }, timeout: 3000 })));
  }

  /** The text that the view shows instead of a tree, or above it; empty where there is none. */
  async message(): Promise<string> {
    const parts = this.pane.locator('.welcome-view-content, .tree-explorer-viewlet-tree-view > .message').filter({ visible: true });
    return (await parts.allInnerTexts()).join('\n').trim();
  }

  /** The dimmer text in the header behind the name (`TreeView.description`). */
  async description(): Promise<string> {
    const text = this.pane.locator('.pane-header .description');
    return (await text.count()) > 0 ? text.first().innerText() : '';
  }

  private async openMore(): Promise<void> {
    await this.pane.locator('.pane-header').hover({ timeout: 3000 });
    await this.pane.locator('.pane-header .codicon-toolbar-more').click({ timeout: 3000 });
  }

  private element(row: Row): Locator {
    return rowElement(this.list, row);
  }

  private async twistie(row: Row): Promise<void> {
    await this.element(row).locator('.monaco-tl-twistie').click({ timeout: 3000 });
  }

  /** Does something to a row; once more where the list was drawn again in between. */
  private async onRow(path: RowPath, act: (element: Locator) => Promise<void>): Promise<void> {
    await until(`${this.name}: row ${String(path)} to be acted on`, async () => {
      const row = this.element(await this.row(path));
      await leaveTooltip(this.page);
      await act(row);
      return true;
    });
  }

  private async setExpanded(path: RowPath, expanded: boolean): Promise<void> {
    const row = await this.row(path);
    if (row.expanded === expanded) return;
    if (row.expanded === null) throw new Error(`${this.name}: row ${String(path)} has nothing to unfold`);
    await this.twistie(row);
    await until(`${this.name}: row ${String(path)} to be ${expanded ? 'unfolded' : 'folded'}`, async () => (await this.row(path)).expanded === expanded);
  }

  private async toggle(open: boolean): Promise<void> {
    await this.pane.locator('.pane-header').waitFor({ timeout: TIMEOUT_MS });
    if ((await this.isOpen()) !== open) await this.pane.locator('.pane-header h3.title').click();
    await until(`${this.name} to ${open ? 'unfold' : 'fold'}`, async () => (await this.isOpen()) === open);
  }
}

/** The rows of a path as far as they are there: each one below the one before. */
function walk(rows: readonly Row[], labels: readonly (string | RegExp)[]): Row[] {
  const found: Row[] = [];
  let from = 0;
  let level: number | undefined;
  for (const label of labels) {
    let next: Row | undefined;
    for (const row of rows.slice(from)) {
      if (level !== undefined && row.level < level) break; // Left the branch.
      if (level !== undefined && row.level !== level) continue;
      if (typeof label === 'string' ? row.label === label : label.test(row.label)) {
        next = row;
        break;
      }
    }
    if (!next) break;
    found.push(next);
    from = rows.indexOf(next) + 1;
    level = next.level + 1;
  }
  return found;
}

/** The rows as indented lines, for messages and for reading a whole tree at a glance. */
export function outline(rows: readonly Row[]): string {
  return rows.map(({ level, label, description }) => `${'  '.repeat(level - 1)}${label}${description ? `  ${description}` : ''}`).join('\n');
}
