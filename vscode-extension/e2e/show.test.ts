/** Show Gradients: every way to ask for it, and what becomes of what it pins. */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Stop } from './debugger.ts';
import { lineOf, markedLine } from './page/editor.ts';
import { openGradients } from './page/gradients.ts';
import type { Row } from './page/list.ts';
import { notification } from './page/surroundings.ts';
import { until } from './page/until.ts';
import type { View } from './page/view.ts';
import { useWorkbench } from './use-workbench.ts';
import { gradpeekVsix, PROGRAMS, REPOSITORY } from './workbench.ts';

const SHOW = 'Show Gradients';
const OF_EXPRESSION = 'Show Gradients of Expression…';
const program = path.join(PROGRAMS, 'pinning.py');
const trainer = path.join(REPOSITORY, 'examples/trainer.py');
const bench = useWorkbench(() => ({ extensions: [gradpeekVsix()], viewport: { width: 1400, height: 1200 } }));
let stop: Stop;

test('a variable that is a module or tensor has an icon that pins it, and a number has none', async () => {
  const vs = bench();
  await vs.openDebugSidebar();
  await vs.debug.setBreakpoints({ file: program, line: markedLine(program, 'after backward') });
  stop = await vs.debug.startAndStop({ program });
  await openGradients(vs, { keep: ['Variables', 'Watch'] });
  await gradients().waitForRows('rows', (rows) => rows.length > 0, 60_000);
  expect((await vs.variables.row(['Locals', 'scale'])).actions).toContain(SHOW);
  expect((await vs.variables.row(['Locals', 'count'])).actions).not.toContain(SHOW);
  expect((await vs.variables.row(['Locals', 'self'])).actions).not.toContain(SHOW);
  // VS Code draws no image of a file here, only an icon of its own.
  const row = vs.variables.list.locator('.monaco-list-row').filter({ has: vs.page.locator('.name', { hasText: /^scale/ }) });
  await row.hover();
  const icon = row.locator(`.action-label[aria-label^="${SHOW}"]`);
  await icon.waitFor();
  expect(await icon.getAttribute('class')).toContain('codicon-triangle-down');
  await vs.screenshot('show-icon');
  await vs.variables.inlineAction(['Locals', 'scale'], SHOW);
  await pinned('scale');
  // A tensor of four ones.
  await gradients().waitForRows('its numbers', ([first]) => first?.label === 'scale' && /^\[4\] {2}float32 {2}norm 2 {2}∇ [\d.]+$/.test(first.description));
  await vs.screenshot('show-tensor');
});

test('an attribute below self is pinned from its context menu, first, unfolded and selected', async () => {
  const vs = bench();
  await unpin('scale');
  expect(await vs.variables.contextMenu(['Locals', 'count'])).not.toContain(SHOW);
  await vs.variables.chooseInContextMenu(['Locals', 'self', 'model'], SHOW);
  const rows = await pinned('self.model');
  expect(rows[0]).toMatchObject({ expanded: true, icon: 'codicon-symbol-class' });
  // Pinned, it is not there a second time.
  expect(rows.filter(({ label }) => label === 'self.model')).toHaveLength(1);
  expect(rows[1]).toMatchObject({ level: 2, label: '0' });
  await vs.screenshot('show-variable');
});

test('a tensor is pinned from its context menu, behind what was pinned before', async () => {
  const vs = bench();
  await vs.variables.chooseInContextMenu(['Locals', 'batch'], SHOW);
  const rows = await pinned('batch');
  expect(roots(rows).slice(0, 2)).toEqual(['self.model', 'batch']);
});

test('what is pinned is there at the next stop, with its new numbers', async () => {
  const vs = bench();
  const before = await gradients().row(['self.model', '0', 'weight']);
  await vs.debug.setBreakpoints({ file: program, line: markedLine(program, 'before backward') });
  stop = await vs.debug.stepAndStop('continue');
  await gradients().waitForRows('the next stop', (rows) => rows.some(({ label, description }) => label === 'weight' && description.includes('∇ none')));
  const after = await gradients().row(['self.model', '0', 'weight']);
  expect(after.description).not.toBe(before.description);
  expect(roots(await gradients().rows()).slice(0, 2)).toEqual(['self.model', 'batch']);
  await unpin('batch');
  await unpin('self.model');
  // It is found without being pinned, too.
  expect(roots(await gradients().rows())).toContain('self.model');
});

test('a watch expression is pinned from its context menu', async () => {
  const vs = bench();
  await vs.variables.chooseInContextMenu(['Locals', 'self', 'model'], 'Add to Watch');
  await vs.watch.waitForRows('a value', ([first]) => first?.description.startsWith('Sequential') === true);
  await vs.watch.chooseInContextMenu('self.model', SHOW);
  await pinned('self.model');
  await vs.screenshot('show-watch');
  await vs.watch.titleAction('Remove All Expressions');
  await unpin('self.model');
});

test('the editor pins what is selected', async () => {
  const vs = bench();
  await vs.editor.select(program, 'batch * scale');
  await vs.editor.chooseInContextMenu(SHOW);
  await pinned('batch * scale');
  await vs.screenshot('show-selection');
  await unpin('batch * scale');
});

test('the editor pins the chain of attributes around the cursor', async () => {
  const vs = bench();
  const line = lineOf(program, 'loss = self.model(');
  await vs.editor.placeCursor(program, 'self.model', { line, offset: 7 });
  await vs.editor.chooseInContextMenu(SHOW);
  await pinned('self.model');
  await unpin('self.model');
  await vs.editor.placeCursor(program, 'self.model', { line, offset: 2 });
  await vs.editor.chooseInContextMenu(SHOW);
  const rows = await pinned('self');
  await vs.screenshot('show-cursor');
  expect(rows[0]?.label).toBe('self');
  await unpin('self');
});

test('the palette asks for an expression', async () => {
  const vs = bench();
  await vs.quickInput.run(`GradPeek: ${SHOW}`);
  expect((await vs.quickInput.question()).message).toContain('Expression in the selected frame');
  await vs.screenshot('show-palette');
  await vs.quickInput.answer('self.model[0]');
  const rows = await pinned('self.model[0]');
  expect(rows.slice(1, 3).map(({ level, label }) => [level, label])).toEqual([
    [2, 'weight'],
    [2, 'bias'],
  ]);
});

test('the debug toolbar asks for an expression', async () => {
  const vs = bench();
  await vs.page.locator(`.debug-toolbar .action-label[aria-label^="${OF_EXPRESSION}"]`).click();
  await vs.quickInput.answer('self.model[2].bias');
  const [, ...rest] = await pinned('self.model[2].bias');
  expect(roots(rest)).toContain('self.model[2].bias');
  await vs.screenshot('show-toolbar');
});

test('an expression that raises is one line that says so, and the rest still works', async () => {
  const vs = bench();
  await ask('self.nothing');
  const { icon, text } = await gradients().rowSaying('self.nothing', /AttributeError.*nothing/);
  expect(icon).toBe('codicon-error');
  expect(text).not.toContain('\n');
  await gradients().rowSaying(['self.model[0]', 'weight'], /‖w‖/);
  await vs.screenshot('show-error');
  await unpin('self.nothing');
  await ask('self.model[');
  await gradients().rowSaying('self.model[', /SyntaxError/);
  await unpin('self.model[');
});

test('a call is evaluated when it is asked for and not again at the next stop', async () => {
  const vs = bench();
  await unpin('self.model[0]');
  await unpin('self.model[2].bias');
  await ask('self.sample()');
  await pinned('self.sample()');
  expect(await calls()).toBe(1);
  expect((await gradients().row('self.sample()')).description).not.toContain('earlier stop');
  stop = await vs.debug.stepAndStop('over');
  await gradients().waitForRows('the stale call', ([first]) => /evaluate again to refresh/.test(first?.description ?? ''));
  expect(await calls()).toBe(1);
  await gradients().click('self.optimizer'); // A selected row has the colour of the selection.
  const [call, other] = [await gradients().row('self.sample()'), await gradients().row('self.model')];
  expect(call.labelColor).not.toBe(other.labelColor);
  await vs.screenshot('show-call-stale');
  await gradients().inlineAction('self.sample()', 'Evaluate Again');
  await gradients().waitForRows('the call evaluated again', ([first]) => first?.label === 'self.sample()' && !/earlier stop/.test(first.description));
  expect(await calls()).toBe(2);
  await gradients().click('self.optimizer');
  expect((await gradients().row('self.sample()')).labelColor).toBe(other.labelColor);
  await vs.screenshot('show-call');
  await gradients().inlineAction('self.sample()', 'Unpin');
  await gradients().waitForRows('no call', (rows) => !rows.some(({ label }) => label === 'self.sample()'));
});

test('without a stop the command says what to do first', async () => {
  const vs = bench();
  await vs.debug.stop();
  await vs.debug.executeCommand('gradpeek.showGradients');
  expect((await notification(vs.page, /Start debugging/)).message).toBe('Start debugging and stop at a breakpoint first.');
  await vs.debug.executeCommand('notifications.clearAll');
});

test('attributes of a class-based trainer are found and pinned by expressions over self', async () => {
  const vs = bench();
  await vs.debug.setBreakpoints({ file: trainer, line: markedLine(trainer, 'after backward') });
  stop = await vs.debug.startAndStop({ program: trainer });
  await openGradients(vs, { keep: ['Variables'] });
  await gradients().waitForRows('roots', (rows) => rows.some(({ label, description }) => label === 'self.model' && description.includes('‖∇‖')), 60_000);
  expect(roots(await gradients().rows())).toEqual(['self.model', 'loss', 'self.optimizer', 'self.scheduler']);
  await ask('self.model[2]');
  await pinned('self.model[2]');
  await gradients().waitForRows('its numbers', ([first]) => first?.label === 'self.model[2]' && /^Linear .*‖∇‖ [\d.]+.*not in any optimizer/.test(first.description));
  await gradients().row('self.model[2]');
  await vs.screenshot('show-trainer');
  await vs.debug.stop(stop.sessionId);
});

function gradients(): View {
  return bench().view('Gradients');
}

function roots(rows: readonly Row[]): string[] {
  return rows.filter(({ level }) => level === 1).map(({ label }) => label);
}

/** Asks for an expression with the command behind the toolbar's button. */
async function ask(expression: string): Promise<void> {
  const vs = bench();
  await vs.quickInput.run(`GradPeek: ${SHOW}`);
  await vs.quickInput.answer(expression);
}

/** All rows, once the root that was pinned is selected. */
async function pinned(label: string): Promise<Row[]> {
  await gradients().waitForRows(`${label} pinned and selected`, (rows) => rows.some((row) => row.level === 1 && row.label === label && row.selected));
  return gradients().rows();
}

/** Takes a pinned root away, and waits until it is not pinned any more. */
async function unpin(label: string): Promise<void> {
  await gradients().chooseInContextMenu(label, 'Unpin');
  await until(`${label} to be unpinned`, async () => {
    const row = (await gradients().rows()).find((one) => one.level === 1 && one.label === label);
    return !row?.actions.some((name) => name.startsWith('Unpin'));
  });
}

/** How often `sample()` has been called, as the debugger says. */
async function calls(): Promise<number> {
  const { result } = await bench().debug.customRequest(stop.sessionId, 'evaluate', { expression: 'self.calls', frameId: stop.frames[0]?.id, context: 'clipboard' });
  return Number(result);
}
