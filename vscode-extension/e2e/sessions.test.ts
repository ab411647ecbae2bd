/** Several debug sessions at once, child processes, programs that are attached to, and a trainer class. */
import path from 'node:path';
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listenForDebugger } from './listening.ts';
import { markedLine } from './page/editor.ts';
import { openGradients, waitForWords } from './page/gradients.ts';
import type { Row } from './page/list.ts';
import type { View } from './page/view.ts';
import { useWorkbench } from './use-workbench.ts';
import { gradpeekVsix, PROGRAMS, REPOSITORY } from './workbench.ts';

const training = path.join(PROGRAMS, 'training.py');
const processes = path.join(PROGRAMS, 'processes.py');
const trainer = path.join(REPOSITORY, 'examples/trainer.py');
/** The first root of training.py's frame. */
const MODEL = /^model\b/;
const bench = useWorkbench(() => ({ extensions: [gradpeekVsix()] }));
let gradients: View;

beforeAll(async () => {
  gradients = await openGradients(bench());
});

afterEach(async () => {
  await bench().debug.setBreakpoints();
  await bench().debug.stop();
});

/** Rows of processes: groups at the top of the tree. */
function groups(rows: readonly Row[]): Row[] {
  return rows.filter(({ level, icon }) => level === 1 && icon === 'codicon-server-process');
}

test('a trainer class shows what its attributes hold', async () => {
  const vs = bench();
  await vs.debug.setBreakpoints({ file: trainer, line: markedLine(trainer, 'after backward') });
  const stop = await vs.debug.startAndStop({ program: trainer });
  await vs.showsStop(stop);
  await openGradients(vs);
  await gradients.waitForRows('the optimizer', (rows) => rows.some(({ label }) => label === 'self.optimizer'), 60_000);
  const roots = (await gradients.rows()).filter(({ level }) => level === 1);
  expect(roots.map(({ label }) => label)).toEqual(['self.model', 'loss', 'self.optimizer', 'self.scheduler']);
  await gradients.rowSaying(['self.model', '2', 'weight'], /not in any optimizer/);
  await gradients.rowSaying(['self.model', '1'], /no parameters/);
  await vs.screenshot('sessions-trainer');
  await vs.debug.setBreakpoints();
  await vs.debug.continueToEnd(stop.sessionId);
  await waitForWords(gradients, /Stop a PyTorch program at a breakpoint/);
});

test('two sessions are two groups with label and process id, and the end of one leaves the other', async () => {
  const vs = bench();
  await vs.debug.setBreakpoints({ file: training, line: markedLine(training, 'after backward') });
  const one = await vs.debug.startAndStop({ program: training, name: 'one' });
  await gradients.waitForRows('the model', ([first]) => MODEL.test(first?.label ?? ''), 60_000);
  expect(groups(await gradients.rows()), 'a single session has no group').toEqual([]);
  const two = await vs.debug.startAndStop({ program: training, name: 'two' });
  expect(two.sessionId).not.toBe(one.sessionId);
  await gradients.waitForRows('two groups', (rows) => groups(rows).length === 2, 60_000);
  const rows = await gradients.rows();
  const pid = async (sessionId: string): Promise<number> => (await vs.debug.waitForDap({ sessionId, event: 'process' })).message.body.systemProcessId;
  expect(groups(rows).map(({ label, description }) => `${label}  ${description}`)).toEqual([
    `one  process ${await pid(one.sessionId)}`,
    `two  process ${await pid(two.sessionId)}`,
  ]);
  for (const name of ['one', 'two']) {
    await gradients.rowSaying([name, MODEL, '0', 'weight'], /\[3,4\]/);
  }
  await vs.screenshot('sessions-two');

  await vs.debug.stop(one.sessionId);
  await gradients.waitForRows('no groups', (left) => left.length > 0 && groups(left).length === 0);
  await gradients.rowSaying([MODEL, '0', 'weight'], /\[3,4\]/);
  const next = await vs.debug.stepAndStop('over', { sessionId: two.sessionId, threadId: two.threadId });
  expect(next.frames[0]?.line).toBe((two.frames[0]?.line ?? 0) + 1);
  await vs.debug.setBreakpoints();
  await vs.debug.continueToEnd(two.sessionId);
  await waitForWords(gradients, /Stop a PyTorch program at a breakpoint/);
});

test('a program and its child process are one group each', async () => {
  const vs = bench();
  await vs.debug.setBreakpoints({ file: processes, line: markedLine(processes, 'after backward') });
  const first = await vs.debug.startAndStop({ program: processes, name: 'parent' });
  const second = await vs.debug.waitForStop(first.seq);
  const sessions = await vs.debug.sessions();
  const stopped = sessions.filter(({ id }) => id === first.sessionId || id === second.sessionId);
  const parent = stopped.find((one) => one.parent === null);
  const child = stopped.find((one) => one.parent !== null);
  expect(child?.parent).toBe(parent?.id);
  await gradients.waitForRows('two groups', (rows) => groups(rows).length === 2, 60_000);
  const rows = await gradients.rows();
  const pids = groups(rows).map(({ description }) => /^process (\d+)$/.exec(description)?.[1]);
  expect(new Set(pids).size).toBe(2);
  expect(pids).not.toContain(undefined);
  await gradients.rowSaying(['parent', 'model', '0', 'weight'], /\[1,2\]/);
  await gradients.rowSaying([child?.name ?? 'no child', 'model', '0', 'weight'], /\[1,3\]/);
  await vs.screenshot('sessions-child');

  await vs.debug.setBreakpoints();
  const after = await vs.debug.seq();
  for (const { sessionId, threadId } of [second, first].sort((a) => (a.sessionId === child?.id ? -1 : 1))) {
    await vs.debug.customRequest(sessionId, 'continue', { threadId });
  }
  await vs.debug.waitForDap({ event: 'sessionEnded', sessionId: parent?.id ?? '' }, { after });
  expect(await vs.debug.output(after)).toMatch(/child: 0/);
  expect(await vs.debug.sessions()).toEqual([]);
});

test('a program that waits on a port is attached to, looked at, and left to run', async () => {
  const vs = bench();
  const { port, output, exited, kill } = await listenForDebugger(training);
  onTestFinished(() => void kill());
  await vs.debug.setBreakpoints({ file: training, line: markedLine(training, 'after backward') });
  const stop = await vs.debug.startAndStop({ request: 'attach', name: 'by port', connect: { host: '127.0.0.1', port } });
  await gradients.waitForRows('the model', ([first]) => MODEL.test(first?.label ?? ''), 60_000);
  await gradients.rowSaying([MODEL, '2', 'bias'], /∇ -?\d/);
  await vs.screenshot('sessions-attach');
  const frames = await vs.debug.stepAndStop('over');
  expect(frames.frames[0]?.line).toBe((stop.frames[0]?.line ?? 0) + 1);
  await vs.debug.setBreakpoints();
  await vs.debug.step('continue');
  expect(await exited, output()).toBe(0);
  expect(output()).toMatch(/epoch 1: loss/);
});
