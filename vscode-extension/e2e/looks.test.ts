/** How it looks and speaks: hostile names, Chinese, every theme, the walkthrough, a narrow sidebar. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stop } from './debugger.ts';
import { type Contrast, contrasts } from './page/contrast.ts';
import { markedLine } from './page/editor.ts';
import { openGradients, resizeSidebar, waitForWords } from './page/gradients.ts';
import { notification, notifications, statusItem, statusTooltip } from './page/surroundings.ts';
import { until } from './page/until.ts';
import { outline, type View } from './page/view.ts';
import { useWorkbench } from './use-workbench.ts';
import { gradpeekVsix, PROGRAMS, type Workbench } from './workbench.ts';

const FIRST_ROWS_MS = 60_000;
const program = (name: string): string => path.join(PROGRAMS, name);

/** Stops a program at its mark, with the view in front and its first root measured. */
async function stopIn(vs: Workbench, file: string, name = 'Gradients'): Promise<{ gradients: View; stop: Stop }> {
  const gradients = await openGradients(vs, { name });
  await vs.debug.setBreakpoints({ file: program(file), line: markedLine(program(file), 'after backward') });
  const stop = await vs.debug.startAndStop({ program: program(file) });
  await vs.showsStop(stop);
  await openGradients(vs, { name });
  await gradients.waitForRows('a measured model', ([first]) => /‖∇‖ /.test(first?.description ?? ''), FIRST_ROWS_MS);
  return { gradients, stop };
}

describe('hostile names', () => {
  const bench = useWorkbench(() => ({ extensions: [gradpeekVsix()] }));
  let gradients: View;
  const dialogs: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    const vs = bench();
    vs.page.on('dialog', (shown) => {
      dialogs.push(shown.message());
      void shown.dismiss();
    });
    vs.page.on('request', (request) => requests.push(request.url()));
    ({ gradients } = await stopIn(vs, 'hostile.py'));
  });

  afterAll(() => {
    expect(dialogs, 'no script has run').toEqual([]);
    expect(requests.filter((url) => url.includes('example.invalid') || /\/x$/.test(url)), 'nothing was fetched').toEqual([]);
  });

  /** That nothing in an element has become markup, an icon, a link or a command. */
  async function staysText(selector: string): Promise<void> {
    const found = await bench()
      .page.locator(selector)
      .evaluateAll((elements) =>
        elements.flatMap((element) =>
          [...element.querySelectorAll('img, script, a[href], a[data-href], i, b, .codicon-zap, .codicon-flame')].map((made) => made.outerHTML.slice(0, 200)),
        ),
      );
    expect(found).toEqual([]);
  }

  test('are text in the rows', async () => {
    const rows = await gradients.rows();
    const labels = rows.filter(({ level }) => level === 2).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['<img src=x onerror=alert(1)>', '<script>alert(2)</script>', '$(zap) icon', '[click](command:workbench.action.quit)']));
    const two = labels.find((label) => label.startsWith('two'));
    expect(two).toMatch(/two.*lines.*tabs/);
    for (const row of rows) {
      expect(row.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(row.ariaLabel).not.toMatch(/[\n\r\u202e]/);
      expect(row.text.length, row.text.slice(0, 80)).toBeLessThan(600);
    }
    expect(rows[0]?.description).toContain('<i>Net</i> $(flame) [a](command:b)');
    await staysText('.monaco-list-rows .monaco-tl-contents .monaco-icon-label');
    await bench().screenshot('looks-hostile-rows');
  });

  test('are text in the tooltips', async () => {
    for (const label of ['<img src=x onerror=alert(1)>', '[click](command:workbench.action.quit)', '$(zap) icon', /^!\[x\]/, /^`code`/, /^xxx/, /^rtl/]) {
      const { text, html } = await gradients.tooltip([/^model/, label]);
      if (typeof label === 'string') expect(text).toContain(label);
      expect(html).not.toMatch(/<img|<script|<a\b|codicon-zap|codicon-flame/);
      expect(text.length).toBeLessThan(3000);
    }
    await bench().screenshot('looks-hostile-tooltip');
  });

  test('are text in the search, and a found row is revealed', async () => {
    const vs = bench();
    await gradients.titleAction('Search Gradients');
    await vs.quickInput.type('zap');
    await until('the row', async () => (await vs.quickInput.choices()).some((choice) => choice.includes('$(zap) icon')));
    await staysText('.quick-input-list .monaco-list-row');
    await vs.quickInput.type('');
    await until('all rows', async () => (await vs.quickInput.choices()).some((choice) => choice.includes('<img')));
    await staysText('.quick-input-list .monaco-list-row');
    await vs.screenshot('looks-hostile-search');
    await vs.quickInput.cancel();
  });

  test('are text in notifications and in the Debug Console', async () => {
    const vs = bench();
    await vs.quickInput.run('GradPeek: Show Gradients');
    await vs.quickInput.answer('getattr(model, "[x](command:workbench.action.quit) <img src=x> $(zap)")');
    const said = await notification(vs.page, /no attribute/);
    expect(said.message.replaceAll('\u200b', '')).toContain('[x](command:workbench.action.quit) <img src=x> $(zap)');
    await staysText('.notification-list-item-message');
    await vs.screenshot('looks-hostile-notification');
    const lines = await vs.console.evaluate('grads(model)');
    expect(lines.map(({ text }) => text).join('\n')).toContain('<img src=x onerror=alert(1)>');
    expect(lines.map(({ text }) => text).join('\n')).not.toMatch(/[\u202e\u0007]/);
    expect(await vs.console.panel.locator('img, .codicon-zap, .codicon-flame').count()).toBe(0);
    await vs.screenshot('looks-hostile-console');
    await vs.debug.stop();
  });
});

describe('in Chinese', () => {
  const bench = useWorkbench(() => ({ extensions: [gradpeekVsix()], locale: 'zh-cn', theme: 'light' }));

  test('empty states, commands, rows, reasons, tooltips and the status bar are Chinese', async () => {
    const vs = bench();
    const view = await openGradients(vs, { name: '梯度' });
    await waitForWords(view, /让 PyTorch 程序停在断点处/);
    await vs.screenshot('looks-zh-empty');
    const { gradients } = await stopIn(vs, 'tones.py', '梯度');
    await gradients.expand([/^model/, 'frozen']);
    const words = outline(await gradients.rows());
    expect(words).toMatch(/（无参数）|没有参数|无参数/);
    expect(words).toMatch(/冻结/);
    for (const english of ['no parameters', 'frozen ', 'tensors', 'not in any', 'learning-rate']) expect(words.replaceAll(/^ *frozen/gm, '')).not.toContain(english);
    expect(await gradients.titleActions()).toEqual(expect.arrayContaining(['搜索梯度…', '梯度排序…', '隐藏没有参数的层', '仅显示有问题的行', '刷新梯度', '显示日志']));
    expect(await gradients.contextMenu([/^model/, 'fine'])).toEqual(expect.arrayContaining(['转到类', '添加到监视', '复制路径', '复制表达式', '复制值']));
    const status = await statusItem(vs.page, /‖∇‖/);
    expect(status.text).toMatch(/缺/);
    expect((await statusTooltip(vs.page, /‖∇‖/)).text).toMatch(/[\u4e00-\u9fff]/);
    const { text } = await gradients.tooltip([/^model/, 'frozen', 'weight']);
    expect(text).toMatch(/[\u4e00-\u9fff]{2}/);
    await vs.screenshot('looks-zh-tooltip');
    expect(await vs.quickInput.offered('GradPeek')).toEqual(expect.arrayContaining(['GradPeek: 显示梯度', 'GradPeek: 显示日志']));
    await gradients.titleAction('搜索梯度');
    expect((await vs.quickInput.question()).title).toMatch(/搜索梯度/);
    await vs.quickInput.cancel();
  });
});

describe('in every theme', () => {
  const bench = useWorkbench(() => ({ extensions: [gradpeekVsix()] }));
  let gradients: View;
  beforeAll(async () => {
    ({ gradients } = await stopIn(bench(), 'tones.py'));
    for (const name of ['frozen', 'broken', 'dead', 'unused']) await gradients.expand([/^model/, name]);
  });

  test.each([
    ['light', 'Default Light Modern'],
    ['dark', 'Default Dark Modern'],
    ['high-contrast-dark', 'Default High Contrast'],
    ['high-contrast-light', 'Default High Contrast Light'],
  ])('labels of rows can be read: %s', async (name, theme) => {
    const vs = bench();
    await vs.debug.setSetting('workbench.colorTheme', theme);
    await until(`the theme ${theme}`, async () => {
      const kind = (await vs.debug.window()).colorTheme;
      return kind === { light: 'Light', dark: 'Dark', 'high-contrast-dark': 'HighContrast', 'high-contrast-light': 'HighContrastLight' }[name];
    });
    await gradients.row(/^model/);
    const shown = await until('the colours to be those of the theme', async () => {
      const found = await contrasts(gradients.list);
      return found.length > 10 && found;
    });
    await vs.screenshot(`looks-theme-${name}`);
    console.info(`${name}:\n${summary(shown)}`);
    const unreadable = shown.filter(({ part, ratio }) => ratio < (part === 'label' ? 4.5 : 3));
    expect(unreadable).toEqual([]);
    const labels = new Map((await gradients.rows()).map(({ label, labelColor }) => [label, labelColor]));
    const tones = ['fine', 'broken', 'activation'].map((label) => labels.get(label));
    expect(new Set(tones).size, `a colour for each tone: ${tones}`).toBe(3);
  });

  test('a narrow sidebar keeps names and icons readable', async () => {
    const vs = bench();
    await vs.debug.setSetting('workbench.colorTheme', 'Default Dark Modern');
    await resizeSidebar(vs, 190);
    const rows = await gradients.rows();
    for (const { label, level } of rows.filter((row) => row.level < 3)) {
      const shown = await vs.page.evaluate(
        (text) => {
          const name = [...document.querySelectorAll('.pane .monaco-list-row .label-name')].find((one) => one.textContent === text);
          const range = document.createRange();
          if (!name) return null;
          range.selectNodeContents(name);
          return range.getBoundingClientRect().right < (document.querySelector('.part.sidebar')?.getBoundingClientRect().right ?? 0);
        },
        label,
      );
      if (label.length < 12) expect(shown, `${label} at level ${level}`).not.toBe(false);
    }
    await vs.screenshot('looks-narrow');
    await vs.debug.stop();
  });

  test('the walkthrough opens and shows its pictures', async () => {
    const vs = bench();
    await vs.debug.executeCommand('workbench.action.openWalkthrough', 'gradpeek.gradpeek#start');
    const page = vs.page.locator('.gettingStartedContainer');
    await page.getByText('Get started with GradPeek').first().waitFor();
    for (const title of ['Stop at a breakpoint', 'Look at the Gradients view', 'Show Gradients of anything', 'Ask in the Debug Console']) {
      await page.locator('.getting-started-step').filter({ hasText: title }).first().click();
      await until(`the picture of ${title}`, async () => {
        const webview = vs.page.locator('.getting-started-media iframe.webview').last();
        const inner = webview.contentFrame().locator('iframe').contentFrame();
        return (await inner.locator('svg').count()) > 0;
      });
      await vs.screenshot(`looks-walkthrough-${title.split(' ')[0]?.toLowerCase()}`);
    }
    expect(await notifications(vs.page)).toEqual([]);
  });
});

function summary(found: readonly Contrast[]): string {
  const lines = found.map(({ text, part, color, ratio }) => `${ratio.toFixed(1).padStart(5)} ${part} ${color} ${text.slice(0, 60)}`);
  return [...new Set(lines)].sort().slice(0, 12).join('\n');
}
