/** The Gradients view from the first stop to the end of a program, and what it costs while nobody looks. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Evaluate, Stop } from './debugger.ts';
import { lineOf, markedLine } from './page/editor.ts';
import { openGradients } from './page/gradients.ts';
import type { Row } from './page/list.ts';
import { statusItem, statusItems, statusTooltip } from './page/surroundings.ts';
import { until } from './page/until.ts';
import { outline, type View } from './page/view.ts';
import { useWorkbench } from './use-workbench.ts';
import { gradpeekVsix, PROGRAMS } from './workbench.ts';

const program = path.join(PROGRAMS, 'layers.py');
const streaming = path.join(PROGRAMS, 'streaming.py');
const bench = useWorkbench(() => ({ extensions: [gradpeekVsix()], viewport: { width: 1400, height: 1100 } }));
const TEACHING = /^Stop a PyTorch program at a breakpoint/;
const FIRST_ROWS_MS = 60_000;

let folder: string;
let end: string;
let stop: Stop;
let fresh: Row[];

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'gradpeek-view-'));
  end = path.join(folder, 'end');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('before anything is debugged the view teaches what to do', async () => {
  const vs = bench();
  await vs.openDebugSidebar();
  await gradients().open();
  await until('the text', async () => TEACHING.test(await gradients().message()));
  expect(await gradients().rows()).toEqual([]);
  expect(await gradients().titleActions()).not.toContain('Search Gradients…');
});

test('the first stop fills the view with the models, tensors and optimizers of the frame', async () => {
  const vs = bench();
  await vs.debug.setBreakpoints({ file: program, line: markedLine(program, 'before backward') });
  stop = await vs.debug.startAndStop({ program, args: [end] });
  await openGradients(vs, { keep: ['Call Stack'] });
  fresh = await gradients().waitForRows('numbers', (rows) => /‖w‖ [\d.]+/.test(top(rows, 'network')?.description ?? ''), FIRST_ROWS_MS);
  expect(fresh.map(({ level, label, expanded, icon }) => [level, label, expanded === true, icon])).toEqual([
    [1, 'network', true, 'codicon-symbol-class'],
    [2, 'body', false, 'codicon-symbol-class'],
    [2, 'frozen', false, 'codicon-symbol-class'],
    [2, 'spare', false, 'codicon-symbol-class'],
    [2, 'head', false, 'codicon-symbol-class'],
    [1, 'loss', false, 'codicon-symbol-array'],
    [1, 'optimizer', false, 'codicon-settings-gear'],
  ]);
  const [network] = fresh;
  expect(network?.description).toMatch(/^Network {2}‖w‖ [\d.]+ {2}.*10 tensors · 272 parameters$/);
  expect(network?.ariaLabel).toMatch(/^network, Network, weight norm [\d.]+, .*10 tensors · 272 parameters$/);
  expect(numberAfter('‖w‖', network)).toBeCloseTo(await evaluated(normOf('network.parameters()')), 2);
  expect(await gradients().message()).toBe('');
});

test('before backward a parameter says that there has been none yet', async () => {
  const weight = await gradients().rowSaying(['network', 'body', 'wide', 'weight'], /^\[16,8\] {2}float32 {2}‖w‖ [\d.]+ {2}∇ none: no backward yet$/);
  expect(weight).toMatchObject({ level: 4, expanded: false, icon: 'codicon-symbol-field' });
  expect(weight.ariaLabel).toMatch(/^weight, \[16,8\], float32, weight norm [\d.]+, gradient none: no backward yet$/);
  expect(numberAfter('‖w‖', weight)).toBeCloseTo(await evaluated(normOf('[network.body.wide.weight]')), 2);
  const grad = await gradients().row(['network', 'body', 'wide', 'weight', 'grad']);
  expect(grad).toMatchObject({ level: 5, expanded: null, icon: 'codicon-triangle-down' });
  expect(grad.description).toMatch(/^None {2}.*backward/);
  expect((await gradients().row(['network', 'frozen', 'weight'])).description).toContain('frozen');
  await gradients().collapse(['network', 'frozen']);
  await bench().screenshot('view-before-backward');
});

test('the status bar counts the gradients that are missing', async () => {
  expect((await statusItem(bench().page, /missing/)).text).toBe('∇ 10 missing');
  expect((await statusTooltip(bench().page, /missing/)).text).toContain('8 no backward yet, 2 frozen');
});

test('a step over backward() puts numbers into the same rows, which stay open and selected', async () => {
  const vs = bench();
  await gradients().click(['network', 'body', 'wide', 'weight']);
  await gradients().expand(['network', 'body', 'wide', 'weight']); // VS Code folds a row that is clicked.
  const before = await gradients().rows();
  stop = await vs.debug.stepAndStop('over');
  await gradients().waitForRows('a gradient', (rows) => rows.some(({ description }) => /‖∇‖ [\d.]+/.test(description)));
  expect((await gradients().rows()).map(({ level, label, expanded }) => [level, label, expanded])).toEqual(
    before.map(({ level, label, expanded }) => [level, label, expanded]),
  );
  const weight = await gradients().rowSaying(['network', 'body', 'wide', 'weight'], /^\[16,8\] {2}float32 {2}‖w‖ [\d.]+ {2}∇ [\d.]+$/);
  expect(weight.selected).toBe(true);
  expect(numberAfter('∇', weight)).toBeCloseTo(await evaluated(normOf('[network.body.wide.weight.grad]')), 3);
  const grad = await gradients().rowSaying(
    ['network', 'body', 'wide', 'weight', 'grad'],
    /^\[16,8\] float32 {2}norm [\d.]+ {2}mean -?[\d.e-]+ {2}std [\d.e-]+ {2}min -?[\d.e-]+ {2}max -?[\d.e-]+$/,
  );
  expect(numberAfter('mean', grad)).toBeCloseTo(await evaluated('float(network.body.wide.weight.grad.mean())'), 4);
  expect(numberAfter('‖∇‖', await gradients().rowSaying('network', /‖∇‖ [\d.]+/))).toBeCloseTo(
    await evaluated(normOf('[p.grad for p in network.parameters() if p.grad is not None]')),
    2,
  );
  await bench().screenshot('view-after-backward');
});

test('the status bar shows the norm of the whole gradient', async () => {
  const { text, ariaLabel } = await statusItem(bench().page, /‖∇‖ [\d.]+/);
  expect(text).toMatch(/^‖∇‖ [\d.]+ · 4 missing$/);
  expect(ariaLabel).toContain('network');
});

test('the tooltip of a parameter is a table of all statistics of weight and gradient', async () => {
  const { text, html } = await gradients().tooltip(['network', 'body', 'wide', 'weight']);
  expect(html).toContain('<table>');
  const rows = new Map(text.split('\n').map((line): [string, string] => [line.split('\t')[0] ?? '', line]));
  expect(text).toMatch(/^body\.wide\.weight/);
  for (const name of ['shape', 'dtype', 'device', 'norm', 'mean', 'std', 'min', 'max', 'max |x|', 'elements', 'zeros']) {
    expect(rows.get(name)?.split('\t'), name).toHaveLength(3);
  }
  expect(Number(rows.get('std')?.split('\t')[1])).toBeCloseTo(await evaluated('float(network.body.wide.weight.std(unbiased=False))'), 3);
  expect(rows.get('elements')).toBe('elements\t128\t128');
  await bench().screenshot('view-tooltip');
});

test('a row copies its path, expression and value, and adds itself to Watch', async () => {
  const vs = bench();
  const weight = ['network', 'body', 'wide', 'weight'];
  expect(await gradients().contextMenu(weight)).toEqual(['Go to Class', 'Add to Watch', 'Copy Path', 'Copy Expression', 'Copy Value']);
  await gradients().chooseInContextMenu(weight, 'Copy Path');
  await clipboard(/^body\.wide\.weight$/);
  await gradients().chooseInContextMenu(weight, 'Copy Expression');
  await clipboard(/^network\.body\.wide\.weight$/);
  await gradients().chooseInContextMenu(weight, 'Copy Value');
  await clipboard(/body\.wide\.weight[^]*norm +[\d.]+ +[\d.]+/);
  await gradients().chooseInContextMenu([...weight, 'grad'], 'Copy Expression');
  await clipboard(/^network\.body\.wide\.weight\.grad$/);
  await gradients().chooseInContextMenu(weight, 'Add to Watch');
  await vs.watch.open();
  const [watched] = await vs.watch.waitForRows('a value', ([first]) => /Parameter containing/.test(first?.description ?? ''));
  expect(watched?.label).toBe('network.body.wide.weight');
  await vs.screenshot('view-watch');
  await vs.watch.titleAction('Remove All Expressions');
  await vs.watch.close();
});

test('a module leads to its class, from its menu and from its icon', async () => {
  const vs = bench();
  await gradients().chooseInContextMenu(['network', 'body'], 'Go to Class');
  await atLine('class Body', program, lineOf(program, 'class Body(nn.Module):'));
  await gradients().inlineAction('network', 'Go to Class');
  await atLine('class Network', program, lineOf(program, 'class Network(nn.Module):'));
  await gradients().inlineAction(['network', 'head'], 'Go to Class');
  await until('the class Linear of torch', async () => /\/torch\/nn\/modules\/linear\.py$/.test((await vs.debug.window()).activeFile ?? ''));
  await vs.screenshot('view-class');
});

test('rows are sorted by name, gradient and size, and come back in the order of the model', async () => {
  const layers = async (): Promise<string[]> => (await gradients().rows()).filter(({ level }) => level === 2).map(({ label }) => label);
  const orders: [string, string[]][] = [
    ['Largest gradient first', ['head', 'body', 'frozen', 'spare']],
    ['Most elements first', ['body', 'spare', 'frozen', 'head']],
    ['By name', ['body', 'frozen', 'head', 'spare']],
    ['As in the model', ['body', 'frozen', 'spare', 'head']],
  ];
  for (const [choice, expected] of orders) {
    await gradients().titleAction('Sort Gradients…');
    await bench().quickInput.pick(choice);
    await until(choice, async () => {
      const found = await layers();
      if (found.join() === expected.join()) return true;
      throw new Error(`the order is ${found}`);
    });
  }
});

test('layers without parameters are hidden and shown again', async () => {
  const act = async (): Promise<boolean> => (await gradients().rows()).some(({ label }) => label === 'act');
  const row = await gradients().row(['network', 'body', 'act']);
  expect(row.description).toContain('(no parameters)');
  expect(row.labelColor).not.toBe((await gradients().row(['network', 'body', 'narrow'])).labelColor);
  await gradients().titleAction('Hide Layers without Parameters');
  await until('act to be hidden', async () => !(await act()));
  expect((await gradients().row(['network', 'body', 'narrow'])).level).toBe(3);
  await gradients().titleAction('Show Layers without Parameters');
  await until('act to be back', act);
});

test('only problems leaves what has no gradient though it might', async () => {
  await gradients().titleAction('Show Only Problems');
  await gradients().waitForRows('no head', (rows) => rows.length > 0 && !rows.some(({ label }) => label === 'head'));
  const rows = await gradients().rows();
  expect(rows.filter(({ level }) => level === 2).map(({ label }) => label)).toEqual(['spare']);
  await gradients().row(['network', 'spare', 'weight']);
  await bench().screenshot('view-only-problems');
  await gradients().titleAction('Show All Rows');
  await gradients().waitForRows('head again', (all) => all.some(({ label }) => label === 'head'));
});

test('search finds a row that was never unfolded, reveals and selects it', async () => {
  const vs = bench();
  expect((await gradients().rows()).map(({ label }) => label)).not.toContain('narrow');
  await gradients().titleAction('Search Gradients…');
  await vs.quickInput.type('narrow bias');
  await until('one match', async () => (await vs.quickInput.choices()).join() === 'network.body.narrow.bias');
  expect((await vs.quickInput.question()).title).toBe('Search Gradients · 1 found');
  await vs.screenshot('view-search');
  await vs.quickInput.pick('network.body.narrow.bias');
  const found = await gradients().waitForRows('the bias selected', (rows) => rows.some(({ selected, label, level }) => selected && label === 'bias' && level === 4));
  expect(outline(found)).toContain('narrow');
  expect((await gradients().row(['network', 'body', 'narrow', 'bias'])).selected).toBe(true);
});

test('collapse all leaves the roots', async () => {
  await gradients().titleAction('Collapse All');
  const rows = await gradients().waitForRows('only roots', (all) => all.length > 0 && all.every(({ level }) => level === 1));
  expect(rows.map(({ label }) => label)).toEqual(['network', 'loss', 'optimizer']);
});

test('another frame in Call Stack shows what it holds', async () => {
  const vs = bench();
  await vs.selectFrame('main');
  const rows = await gradients().waitForRows('the roots of main', (all) => /‖w‖ [\d.]+/.test(top(all, 'teacher')?.description ?? ''));
  expect(roots(rows)).toEqual(['network', 'teacher', 'optimizer']);
  expect(top(rows, 'teacher')?.description).toContain('not in any optimizer');
  await vs.screenshot('view-frame');
  await vs.selectFrame('update');
  const back = await gradients().waitForRows('the roots of update', (all) => /‖∇‖ [\d.]+/.test(top(all, 'network')?.description ?? '') && top(all, 'loss') !== undefined);
  expect(roots(back)).toEqual(['network', 'loss', 'optimizer']);
});

test('while the program runs the rows are of the last stop, and faint', async () => {
  const vs = bench();
  const paused = await gradients().row('network');
  await vs.debug.setBreakpoints();
  await vs.debug.step('continue');
  const rows = await gradients().waitForRows('faint rows', (all) => all.length > 0 && all.every(({ labelColor }) => labelColor !== paused.labelColor));
  expect(roots(rows)).toEqual(['network', 'loss', 'optimizer']);
  expect(top(rows, 'network')?.description).toBe(paused.description);
  await until('the words for it', async () => (await gradients().message()) === 'Running. These rows are of the last stop.');
  await until('the status bar to show nothing', async () => !(await statusItems(vs.page)).some(({ id }) => id.includes('gradpeek')));
  await vs.screenshot('view-running');
});

test('a pause shows the present state again, from the callers where the frame holds nothing', async () => {
  const vs = bench();
  stop = await vs.debug.stepAndStop('pause');
  const rows = await gradients().waitForRows('rows of a caller', (all) => /in the caller/.test(top(all, 'network')?.description ?? ''));
  expect(roots(rows)).toEqual(['network', 'teacher', 'optimizer']);
  expect(top(rows, 'network')?.labelColor).toBe(fresh[0]?.labelColor);
  await until('no words', async () => (await gradients().message()) === '');
});

test('the end of the program empties the view into the text that teaches', async () => {
  const vs = bench();
  writeFileSync(end, '');
  await vs.debug.continueToEnd(stop.sessionId);
  await until('the text', async () => TEACHING.test(await gradients().message()));
  expect(await gradients().rows()).toEqual([]);
  expect((await statusItems(vs.page)).filter(({ id }) => id.includes('gradpeek'))).toEqual([]);
  await vs.screenshot('view-ended');
});

test('numbers of a large model stream into rows that are there already', async () => {
  const vs = bench();
  const counts = await watchNumbers(gradients());
  await vs.debug.setBreakpoints({ file: streaming, line: markedLine(streaming, 'many elements') });
  stop = await vs.debug.startAndStop({ program: streaming });
  await until('all numbers', async () => (await counts()).at(-1)?.[1] === 0 && (await counts()).some(([, without]) => without > 0), FIRST_ROWS_MS);
  const told = await counts();
  // Rows first, then some with a number beside some without one.
  expect(told.some(([rows, without]) => rows > 0 && without === rows), JSON.stringify(told)).toBe(true);
  expect(told.some(([rows, without]) => without > 0 && without < rows), JSON.stringify(told)).toBe(true);
  await vs.debug.stop(stop.sessionId);
});

test('while nobody looks a process is told of grads() once, and nothing else is asked', async () => {
  const vs = bench();
  // Else VS Code brings the sidebar to the front at a stop, as it does for those who have not chosen otherwise.
  await vs.debug.setSetting('debug.openDebug', 'neverOpen');
  await vs.openExplorer();
  const asked = await evaluatesOfHiddenRun();
  expect(asked.map(({ context }) => context)).toEqual(['clipboard']);
  expect(asked[0]?.response.body.result).toContain('registered');
});

test('while nobody looks and the console is switched off nothing is asked at all', async () => {
  const vs = bench();
  await vs.debug.setSetting('gradpeek.console.enabled', false);
  expect(await evaluatesOfHiddenRun()).toEqual([]);
  await vs.openDebugSidebar();
});

/** Stops, steps and stops again, then runs to the end: what was evaluated meanwhile. */
async function evaluatesOfHiddenRun(): Promise<Evaluate[]> {
  const vs = bench();
  const after = await vs.debug.seq();
  await vs.debug.setBreakpoints({ file: program, line: markedLine(program, 'before backward') });
  let at = await vs.debug.startAndStop({ program, args: [end] });
  for (const kind of ['over', 'over', 'continue', 'over', 'continue'] as const) {
    await vs.showsStop(at);
    at = await vs.debug.stepAndStop(kind);
  }
  await vs.showsStop(at);
  await vs.debug.setBreakpoints();
  await vs.debug.continueToEnd(at.sessionId);
  expect(await gradients().pane.isVisible()).toBe(false);
  return vs.debug.evaluates(after);
}

function gradients(): View {
  return bench().view('Gradients');
}

/** What the debugger says an expression is in the frame of the stop. */
async function evaluated(expression: string): Promise<number> {
  const { result } = await bench().debug.customRequest(stop.sessionId, 'evaluate', { expression, frameId: stop.frames[0]?.id, context: 'clipboard' });
  return Number(result);
}

/** Python for the norm over all elements of several tensors, in double precision. */
function normOf(tensors: string): string {
  return `sum(float(t.detach().double().square().sum()) for t in ${tensors}) ** 0.5`;
}

function numberAfter(name: string, row: Row | undefined): number {
  const words = row?.description.split(/\s+/) ?? [];
  const at = words.indexOf(name);
  return at < 0 ? Number.NaN : Number(words[at + 1]);
}

function top(rows: readonly Row[], label: string): Row | undefined {
  return rows.find((row) => row.level === 1 && row.label === label);
}

function roots(rows: readonly Row[]): string[] {
  return rows.filter(({ level }) => level === 1).map(({ label }) => label);
}

async function clipboard(pattern: RegExp): Promise<void> {
  await until(`${pattern} in the clipboard`, async () => {
    const text = await bench().debug.readClipboard();
    if (pattern.test(text)) return true;
    throw new Error(`it holds ${JSON.stringify(text)}`);
  });
}

async function atLine(what: string, file: string, line: number): Promise<void> {
  await until(what, async () => {
    const { activeFile, activeLine } = await bench().debug.window();
    return activeFile === file && activeLine === line;
  });
}

/** Notes at every change of the page how many rows show, and how many of them without a number: a module has its own last. */
async function watchNumbers(view: View): Promise<() => Promise<[number, number][]>> {
  await view.pane.evaluate((pane) => {
    const told: [number, number][] = [];
    Object.assign(window, { gradpeekTold: told });
    new MutationObserver(() => {
      const rows = [...pane.querySelectorAll('.monaco-list-row .label-description')].map(({ textContent }) => textContent ?? '');
      const now: [number, number] = [rows.length, rows.filter((text) => !/‖w‖ [\d.]+/.test(text)).length];
      if (rows.length > 0 && now.join() !== told.at(-1)?.join()) told.push(now);
    }).observe(pane, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  return () => view.page.evaluate(() => (window as unknown as { gradpeekTold: [number, number][] }).gradpeekTold);
}
