/** `grads(…)` in the Debug Console, which the program that is debugged knows nothing of. */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Stop } from './debugger.ts';
import type { ConsoleLine } from './page/console.ts';
import { markedLine } from './page/editor.ts';
import { until } from './page/until.ts';
import { useWorkbench } from './use-workbench.ts';
import { gradpeekVsix, PROGRAMS } from './workbench.ts';

const training = path.join(PROGRAMS, 'training.py');
const names = path.join(PROGRAMS, 'console_names.py');
const bench = useWorkbench(() => ({ extensions: [gradpeekVsix()] }));
/** The first line of the tree of a model. */
const MODEL = /^model\b.* {2}Sequential {2}4 tensors · 19 parameters {2}/;
let stop: Stop;

for (const terminal of ['internalConsole', 'integratedTerminal']) {
  test(`grads(model) prints the tree, line by line, of a program in the ${terminal}`, async () => {
    const vs = bench();
    await vs.debug.stop();
    await vs.debug.setBreakpoints({ file: training, line: markedLine(training, 'after backward') });
    stop = await startAndRegister({ program: training, console: terminal });
    for (const call of ['grads(model)', 'show_gradients(model)']) {
      await vs.console.clear();
      const lines = text(await vs.console.evaluate(call)).split('\n');
      expect(lines[0], call).toMatch(MODEL);
      expect(lines.filter((line) => /weight +\[3,4\] +float32 .*∇ [\d.]+/.test(line)), lines.join('\n')).toHaveLength(1);
      expect(lines.length, lines.join('\n')).toBeGreaterThan(7);
      await vs.screenshot(`console-${terminal}${call.startsWith('show') ? '-show' : ''}`);
    }
    expect(text(await vs.console.evaluate('grads(self.model[0].weight)'))).toMatch(/^self\.model\[0\]\.weight\b.* \[3,4\] +float32 .*∇ [\d.]+/);
    expect(text(await vs.console.evaluate('grads(missing)'))).toMatch(/NameError/);
  });
}

test('completions of the Debug Console offer grads', async () => {
  const vs = bench();
  await until('grads among the completions', async () => {
    await vs.console.open();
    await vs.page.keyboard.press('ControlOrMeta+a');
    await vs.page.keyboard.insertText('gra');
    const offered = await vs.console.suggestions();
    if (offered.includes('grads')) return true;
    throw new Error(`they are ${offered}`);
  });
  await vs.screenshot('console-completions');
  await vs.page.keyboard.press('Escape');
  await vs.page.keyboard.press('ControlOrMeta+a');
  await vs.page.keyboard.press('Delete');
});

test('a variable of the program that is named grads stays what it is', async () => {
  const vs = bench();
  await vs.debug.stop();
  await vs.debug.setBreakpoints({ file: names, line: markedLine(names, 'own name') });
  stop = await startAndRegister({ program: names });
  expect(await vs.console.evaluate('(type(grads).__name__, len(grads))')).toEqual([{ kind: 'result', text: "('list', 4)" }]);
  expect(text(await vs.console.evaluate('show_gradients(model)'))).toMatch(MODEL);
  await vs.screenshot('console-own-name');
  await vs.openDebugSidebar();
  await vs.selectFrame('main');
  expect(text(await vs.console.evaluate('grads(model)'))).toMatch(MODEL);
  await vs.debug.setBreakpoints();
  await vs.debug.continueToEnd(stop.sessionId);
  const output = await vs.console.lines();
  expect(output.filter(({ kind }) => kind === 'output').map((line) => line.text.trim())).toContain('4');
});

test('where the setting is off the name is not defined', async () => {
  const vs = bench();
  await vs.debug.stop();
  await vs.debug.setSetting('gradpeek.console.enabled', false);
  await vs.debug.setBreakpoints({ file: training, line: markedLine(training, 'after backward') });
  stop = await vs.debug.startAndStop({ program: training });
  await vs.showsStop(stop);
  await vs.console.clear();
  for (const name of ['grads', 'show_gradients']) {
    const [line] = await vs.console.evaluate(`${name}(model)`);
    expect(line?.kind).toBe('error');
    expect(line?.text).toContain(`NameError: name '${name}' is not defined`);
  }
  await vs.screenshot('console-off');
  await vs.debug.setSetting('gradpeek.console.enabled', true);
  await until('grads in the process that runs', async () => (await vs.debug.evaluates(stop.seq)).some(({ context, response }) => context === 'clipboard' && response?.success));
  expect(text(await vs.console.evaluate('grads(model)'))).toMatch(MODEL);
});

/** Starts a program and waits until the console function is in its process: a user types later than that. */
async function startAndRegister(configuration: Record<string, unknown>): Promise<Stop> {
  const vs = bench();
  const at = await vs.debug.startAndStop(configuration);
  await vs.showsStop(at);
  await until('the console function', async () => (await vs.debug.evaluates(at.seq)).some(({ context, response }) => context === 'clipboard' && response?.success));
  return at;
}

/** What the console shows, without what is only typed. */
function text(lines: readonly ConsoleLine[]): string {
  return lines
    .filter(({ kind }) => kind !== 'input')
    .map((line) => line.text)
    .join('\n');
}
