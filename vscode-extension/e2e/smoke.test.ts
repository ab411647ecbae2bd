import path from 'node:path';
import { expect, test } from 'vitest';
import type { Stop } from './debugger.ts';
import { markedLine } from './page/editor.ts';
import { until } from './page/until.ts';
import { outline } from './page/view.ts';
import { useWorkbench } from './use-workbench.ts';
import { PROGRAMS } from './workbench.ts';

const program = path.join(PROGRAMS, 'training.py');
const bench = useWorkbench();
let stop: Stop;

test('a program stops at a breakpoint, in the editor and in Call Stack', async () => {
  const vs = bench();
  await vs.openDebugSidebar();
  await vs.debug.setBreakpoints({ file: program, line: markedLine(program, 'after backward') });
  stop = await vs.debug.startAndStop({ program });
  await vs.showsStop(stop);
  expect(stop.reason).toBe('breakpoint');
  expect(stop.frames.map(({ name }) => name)).toEqual(['step', 'main', '<module>']);
  const frames = await vs.callStack.waitForRows('three frames', (rows) => rows.length === 3);
  expect(outline(frames)).toBe('step  training.py\nmain  training.py\n<module>  training.py');
  expect((await vs.editor.linesInSight()).join('\n')).toContain('loss.backward()');
  await vs.screenshot('smoke-stopped');
});

test('Variables unfolds row by row, also rows that are out of sight', async () => {
  const vs = bench();
  const value = await vs.variables.row(['Locals', 'self', 'optimizer', 'defaults', "'lr'"]);
  expect(value.description).toBe('0.1');
  expect(value.level).toBe(5);
  const rows = await vs.variables.rows();
  expect(rows.length).toBeGreaterThan((await vs.variables.rowsInSight()).length);
  expect(rows.map(({ index }) => index)).toEqual([...rows.keys()]);
  await vs.variables.collapse(['Locals', 'self']);
  expect((await vs.variables.row(['Locals', 'self'])).expanded).toBe(false);
});

test('the context menu of a variable copies its value and adds it to Watch', async () => {
  const vs = bench();
  expect(await vs.variables.contextMenu(['Locals', 'loss'])).toContain('Add to Watch');
  await vs.variables.chooseInContextMenu(['Locals', 'loss'], 'Copy as Expression');
  expect(await vs.debug.readClipboard()).toBe('loss');
  await vs.variables.chooseInContextMenu(['Locals', 'loss'], 'Add to Watch');
  const watched = await vs.watch.waitForRows('a value', ([first]) => first?.description.startsWith('tensor(') === true);
  expect(watched[0]?.label).toMatch(/^loss/);
  expect(await vs.watch.contextMenu(/^loss/)).toContain('Copy Value');
  await vs.screenshot('smoke-watch');
});

test('the tooltip of a row shows', async () => {
  expect((await bench().variables.tooltip(['Locals', 'batch'])).text).toContain('Tensor');
});

test('the Debug Console evaluates in the selected frame', async () => {
  const vs = bench();
  const after = await vs.debug.seq();
  expect(await vs.console.evaluate('type(self.model).__name__')).toEqual([{ kind: 'result', text: "'Sequential'" }]);
  const asked = (await vs.debug.evaluates(after)).filter(({ context }) => context === 'repl');
  expect(asked.map(({ expression, frameId }) => [expression, frameId])).toEqual([['type(self.model).__name__', stop.frames[0]?.id]]);
  expect(await vs.console.evaluate('print("one\\ntwo")')).toEqual([
    { kind: 'output', text: 'one' },
    { kind: 'output', text: 'two' },
  ]);
  expect((await vs.console.evaluate('nonsense'))[0]).toMatchObject({ kind: 'error', text: expect.stringContaining('NameError') });
  await vs.screenshot('smoke-console');
});

test('another frame in Call Stack changes Variables and the editor', async () => {
  const vs = bench();
  await vs.selectFrame('main');
  expect((await vs.debug.window()).activeStackItem?.frameId).toBe(stop.frames[1]?.id);
  expect((await vs.variables.row(['Locals', 'epoch'])).description).toBe('0');
  expect((await vs.debug.window()).activeLine).toBe(stop.frames[1]?.line);
  await vs.screenshot('smoke-frame');
});

test('the editor selects text, opens its context menu, and the palette runs a command', async () => {
  const vs = bench();
  await vs.editor.select(program, 'self.model', 14);
  expect(await vs.editor.contextMenu()).toContain('Add to Watch');
  await vs.editor.chooseInContextMenu('Add to Watch');
  await vs.watch.waitForRows('two', (rows) => rows.length === 2);
  await vs.editor.placeCursor(program, 'trainer.step');
  expect(await vs.editor.contextMenu()).toContain('Run to Cursor');
  expect(await vs.quickInput.offered('Go to Line')).toContain('Go to Line/Column...');
  await vs.quickInput.run('Go to Line/Column...');
  await vs.quickInput.answer(':3');
  await until('the cursor in line 3', async () => (await vs.debug.window()).activeLine === 3);
  await vs.watch.titleAction('Remove All Expressions');
  await vs.watch.waitForRows('none', (rows) => rows.length === 0);
});

test('a step stops on the next line, and the program runs to its end', async () => {
  const vs = bench();
  await vs.selectFrame('step');
  const next = await vs.debug.stepAndStop('over');
  expect(next.frames[0]?.line).toBe((stop.frames[0]?.line ?? 0) + 1);
  await vs.debug.setBreakpoints();
  await vs.debug.continueToEnd(next.sessionId);
  expect(await vs.debug.sessions()).toEqual([]);
  const output = (await vs.console.lines()).filter(({ kind }) => kind === 'output').map(({ text }) => text);
  expect(output.join('\n')).toMatch(/epoch 0: loss [\d.]+\s+epoch 1: loss [\d.]+/);
  await vs.screenshot('smoke-ended');
});
