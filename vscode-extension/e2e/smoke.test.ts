import path from 'node:path';
import { expect, test } from 'vitest';
import { markedLine } from './page/editor.ts';
import { outline } from './page/view.ts';
import { useWorkbench } from './use-workbench.ts';
import { PROGRAMS } from './workbench.ts';

const program = path.join(PROGRAMS, 'training.py');
const bench = useWorkbench();

test('a program stops at a breakpoint, in the editor and in Call Stack', async () => {
  const { debug, editor, callStack, ...vs } = bench();
  await debug.setBreakpoints({ file: program, line: markedLine(program, 'after backward') });
  const stop = await debug.startAndStop({ program });
  await bench().openDebugSidebar();
  expect(stop.reason).toBe('breakpoint');
  expect(stop.frames.map(({ name }) => name)).toEqual(['step', 'main', '<module>']);
  expect((await debug.window()).activeLine).toBe(stop.frames[0]?.line);
  await callStack.waitForRows('three frames', (rows) => rows.length === 3);
  expect(outline(await callStack.rows())).toContain('training.py');
  expect((await editor.linesInSight()).join('\n')).toContain('loss.backward()');
  expect(vs.pageErrors).toBeDefined();
});
