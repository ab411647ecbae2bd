/** What goes wrong around the extension: it says so in one line, the debug session goes on, and the next stop works. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Stop } from './debugger.ts';
import { listenForDebugger } from './listening.ts';
import { markedLine } from './page/editor.ts';
import { openGradients, waitForWords } from './page/gradients.ts';
import { clickDialog, clickNotification, dialog, notification, notifications } from './page/surroundings.ts';
import { until } from './page/until.ts';
import type { View } from './page/view.ts';
import { oldPython } from './pythons.ts';
import { processesWith } from './processes.mjs';
import { useWorkbench } from './use-workbench.ts';
import { gradpeekVsix, PROGRAMS, type Workbench } from './workbench.ts';

const program = (name: string): string => path.join(PROGRAMS, name);
const at = (name: string, mark: string): { file: string; line: number } => ({ file: program(name), line: markedLine(program(name), mark) });
const FIRST_ROWS_MS = 60_000;
const ENDED = /GradPeek server has ended; the next stop starts it again/;
/** Folders for programs' files, of this run. */
const scratch = mkdtempSync(path.join(os.tmpdir(), 'gradpeek-faults-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** GradPeek's servers below this run's workbenches, by process id. */
function servers(): number[] {
  return processesWith('GRADPEEK_E2E_RUN', process.env['GRADPEEK_E2E_RUN'] ?? '').filter((pid) => {
    try {
      return /\bbundled\0--stdio\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    } catch {
      return false; // Ended meanwhile.
    }
  });
}

/** The only server. */
async function server(): Promise<number> {
  return until('one server', () => servers().length === 1 && servers()[0]);
}

/** What the session does all the same: a step to the next line of the frame, then on to the end. */
async function goesOn(vs: Workbench, stop: Stop, output: RegExp): Promise<void> {
  const thread = { sessionId: stop.sessionId, threadId: stop.threadId };
  const after = await vs.debug.seq();
  const next = await vs.debug.stepAndStop('over', thread);
  expect(next.frames[0]?.file).toBe(stop.frames[0]?.file);
  await vs.debug.setBreakpoints();
  await vs.debug.step('continue', thread);
  await vs.debug.waitForDap({ sessionId: stop.sessionId, event: 'sessionEnded' }, { after });
  expect(await vs.debug.output(after)).toMatch(output);
}

function cleansUp(bench: () => Workbench): void {
  afterEach(async () => {
    await bench().debug.setBreakpoints();
    await bench().debug.stop();
    await bench().debug.executeCommand('notifications.clearAll');
  });
}

/** The first root. */
const showsRoot = (view: View, label: string | RegExp): Promise<unknown> =>
  view.waitForRows(`${label}`, ([first]) => first !== undefined && (label instanceof RegExp ? label.test(first.label) : first.label === label), FIRST_ROWS_MS);

describe('with no Python for the server', () => {
  const missing = '/nowhere/python3';
  const bench = useWorkbench(() => ({ extensions: [gradpeekVsix()] }));
  cleansUp(bench);

  test('a setting that names none is said once, with what can be done; once it is right the next stop works', async () => {
    const vs = bench();
    const gradients = await openGradients(vs);
    await vs.debug.setSetting('gradpeek.server.python', missing);
    await vs.debug.setBreakpoints(at('training.py', 'after backward'));
    const stop = await vs.debug.startAndStop({ program: program('training.py') });
    const said = await notification(vs.page, /cannot run in the Python of its setting/);
    expect(said).toMatchObject({ severity: 'error', buttons: ['Choose Python…', 'Show Log'] });
    expect(said.message).toContain(missing);
    expect(said.message).not.toContain('\n');
    const words = await waitForWords(gradients, /cannot be shown now/);
    expect(words).toContain('Your debug session is not affected');
    await openGradients(vs);
    await vs.screenshot('faults-no-python');
    expect((await notifications(vs.page)).length).toBe(1);
    expect(servers()).toEqual([]);
    await clickNotification(vs.page, /cannot run/, 'Choose Python…');
    await vs.page.locator('.settings-editor').getByText('Path of the Python (3.10 or later)').first().waitFor({ timeout: 30_000 });
    await vs.screenshot('faults-choose-python');
    await vs.debug.executeCommand('workbench.action.closeAllEditors');
    expect(vs.logs()).toContain(`Does not run the server: ${missing} (the setting gradpeek.server.python)`);

    await vs.debug.setSetting('gradpeek.server.python', '');
    await vs.debug.stepAndStop('over');
    await showsRoot(gradients, /^model/);
    await goesOn(vs, stop, /epoch 1: loss/);
  });

  test('a Python that is too old is refused, with its version in the log', async () => {
    const old = oldPython(mkdtempSync(path.join(os.tmpdir(), 'gradpeek-old-')));
    const vs = bench();
    const gradients = await openGradients(vs);
    for (const running of servers()) {
      process.kill(running, 'SIGKILL');
      await notification(vs.page, ENDED);
    }
    await vs.debug.executeCommand('notifications.clearAll');
    await vs.debug.setSetting('gradpeek.server.python', old.path);
    await vs.debug.setBreakpoints(at('training.py', 'after backward'));
    const stop = await vs.debug.startAndStop({ program: program('training.py') });
    await notification(vs.page, /It needs Python 3.10 or later/);
    await until('the log to name the version', () => vs.logs().includes(`is Python ${old.version}; 3.10 or later is needed`));
    await clickNotification(vs.page, /It needs/, 'Show Log');
    await vs.page.locator('.part.panel').getByText(`is Python ${old.version}; 3.10 or later is needed`).first().waitFor();
    await vs.screenshot('faults-old-python');
    await waitForWords(gradients, /cannot be shown now/);
    await vs.debug.setSetting('gradpeek.server.python', '');
    await goesOn(vs, stop, /epoch 1: loss/);
  });
});

describe('with a Python for the server', () => {
  const bench = useWorkbench(() => ({ extensions: [gradpeekVsix()] }));
  cleansUp(bench);
  let gradients: View;
  beforeAll(async () => {
    gradients = await openGradients(bench());
  });

  test('a program without torch is told what is missing', async () => {
    const vs = bench();
    await vs.debug.setBreakpoints(at('plain.py', 'without torch'));
    const stop = await vs.debug.startAndStop({ program: program('plain.py') });
    await waitForWords(gradients, /This program has not imported torch/, FIRST_ROWS_MS);
    await openGradients(vs);
    await vs.screenshot('faults-no-torch');
    expect(await gradients.rows()).toEqual([]);
    expect(await notifications(vs.page)).toEqual([]);
    await goesOn(vs, stop, /7/);
  });

  test('a frame with nothing to show says where was looked, and offers to look elsewhere', async () => {
    const vs = bench();
    await vs.debug.setBreakpoints(at('empty_frame.py', 'nothing'));
    const stop = await vs.debug.startAndStop({ program: program('empty_frame.py') });
    const words = await waitForWords(gradients, /holds no model, optimizer or tensor/, FIRST_ROWS_MS);
    expect(words).toContain('Show Gradients of Expression…');
    await vs.screenshot('faults-nothing');
    expect(await notifications(vs.page)).toEqual([]);
    await goesOn(vs, stop, /x 3/);
  });

  test('a session of another language goes on untouched, and a Python session after it works', async () => {
    const vs = bench();
    await vs.debug.setBreakpoints(at('other_language.js', 'in another language'));
    const after = await vs.debug.seq();
    await vs.debug.start({ type: 'node', name: 'node', program: program('other_language.js') });
    const stop = await vs.debug.waitForStop(after);
    await waitForWords(gradients, /does not evaluate Python/, FIRST_ROWS_MS);
    await vs.screenshot('faults-other-language');
    expect(await notifications(vs.page)).toEqual([]);
    const ours = (await vs.debug.evaluates(after)).filter(({ context }) => context === 'clipboard' || context === 'repl');
    expect(ours.map(({ expression }) => expression)).toEqual(["__import__('sys').version_info[0] >= 3"]);
    const next = await vs.debug.stepAndStop('over', { sessionId: stop.sessionId, threadId: stop.threadId });
    expect(next.frames[0]?.file).toBe(program('other_language.js'));
    await waitForWords(gradients, /does not evaluate Python/);
    await vs.debug.setBreakpoints(at('training.py', 'after backward'));
    await vs.debug.step('continue', { sessionId: stop.sessionId, threadId: stop.threadId });
    await until('the program to end', async () => (await vs.debug.sessions()).length === 0);
    expect(await vs.debug.output(after)).toContain('total 3');

    const python = await vs.debug.startAndStop({ program: program('training.py') });
    await showsRoot(gradients, /^model/);
    await goesOn(vs, python, /epoch 1: loss/);
  });

  /** Stops in slow.py and asks for an expression that lasts until `letGo`. */
  async function askForSlow(): Promise<{ stop: Stop; letGo: () => void }> {
    const vs = bench();
    const go = path.join(mkdtempSync(path.join(scratch, 'go-')), 'go');
    const letGo = (): void => writeFileSync(go, '');
    onTestFinished(letGo);
    await vs.debug.setBreakpoints(at('slow.py', 'after backward'));
    const stop = await vs.debug.startAndStop({ program: program('slow.py'), args: [go] });
    await showsRoot(gradients, 'model');
    await gradients.rowSaying(['model', 'weight'], /∇/, FIRST_ROWS_MS);
    await vs.quickInput.run('GradPeek: Show Gradients');
    const after = await vs.debug.seq();
    await vs.quickInput.answer('slow()');
    await vs.debug.waitForDap({ from: 'editor', command: 'evaluate' }, { after });
    return { stop, letGo };
  }

  test.each([
    ['killed', ['SIGKILL'] as const],
    ['frozen, then killed', ['SIGSTOP', 'SIGKILL'] as const],
  ])('a server that is %s in the middle of a question costs one line; the next stop has its rows', async (_, signals) => {
    const vs = bench();
    const { stop, letGo } = await askForSlow();
    const first = await server();
    for (const signal of signals) process.kill(first, signal);
    const said = await notification(vs.page, ENDED);
    expect(said).toMatchObject({ severity: 'warning', buttons: ['Show Log'] });
    await waitForWords(gradients, ENDED);
    await vs.screenshot(`faults-server-${signals.length === 1 ? 'killed' : 'frozen'}`);
    letGo();
    await vs.debug.stepAndStop('over');
    await showsRoot(gradients, 'model');
    expect(await server()).not.toBe(first);
    expect((await notifications(vs.page)).map(({ message }) => message)).toEqual([said.message]);
    await goesOn(vs, stop, /done/);
  });

  test('a frozen server does not hold up the debug session', async () => {
    const vs = bench();
    await vs.debug.setBreakpoints(at('slow.py', 'after backward'));
    const stop = await vs.debug.startAndStop({ program: program('slow.py'), args: ['unused'] });
    await showsRoot(gradients, 'model');
    const frozen = await server();
    process.kill(frozen, 'SIGSTOP');
    const next = await vs.debug.stepAndStop('over');
    await vs.showsStop(next);
    expect(await vs.console.evaluate('type(model).__name__')).toEqual([{ kind: 'result', text: "'Linear'" }]);
    process.kill(frozen, 'SIGKILL');
    await notification(vs.page, ENDED);
    await vs.debug.stepAndStop('over');
    await showsRoot(gradients, 'model');
    expect((await notifications(vs.page)).length).toBe(1);
    await goesOn(vs, stop, /done/);
  });

  test('a session that ends in the middle of a question leaves an empty view, and the next session works', async () => {
    const vs = bench();
    const { stop } = await askForSlow();
    await vs.debug.stop(stop.sessionId);
    await waitForWords(gradients, /Stop a PyTorch program at a breakpoint/);
    await vs.screenshot('faults-session-ended');
    for (const { message } of await notifications(vs.page)) expect(message).not.toContain('\n');
    expect((await notifications(vs.page)).length).toBeLessThanOrEqual(1);
    await vs.debug.setBreakpoints(at('training.py', 'after backward'));
    const next = await vs.debug.startAndStop({ program: program('training.py') });
    await showsRoot(gradients, /^model/);
    await goesOn(vs, next, /epoch 1: loss/);
  });
});

describe('in a workspace that is not trusted, without Python on PATH', () => {
  const bench = useWorkbench(() => ({
    extensions: [gradpeekVsix()],
    workspaceTrust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
    env: { PATH: mkdtempSync(path.join(scratch, 'empty-')) },
  }));
  cleansUp(bench);

  test('nothing runs until it is trusted; then a missing Python is said, and the next stop after one is named works', async () => {
    const vs = bench();
    const gradients = await openGradients(vs);
    expect((await vs.debug.window()).isTrusted).toBe(false);
    await waitForWords(gradients, /Stop a PyTorch program at a breakpoint/);
    await vs.debug.executeCommand('gradpeek.search');
    await until('the search to say why', async () => (await vs.quickInput.question()).title.includes('GradPeek runs nothing until this workspace is trusted.'));
    await vs.screenshot('faults-untrusted');
    await vs.quickInput.cancel();
    expect(servers()).toEqual([]);
    expect(vs.logs()).not.toMatch(/Runs the server|Does not run the server/);
    await vs.debug.executeCommand('notifications.clearAll');

    const listening = await listenForDebugger(program('training.py'));
    onTestFinished(() => void listening.kill());
    await vs.debug.setBreakpoints(at('training.py', 'after backward'));
    const after = await vs.debug.seq();
    const starting = vs.debug.start({ request: 'attach', connect: { host: '127.0.0.1', port: listening.port } });
    expect(await dialog(vs.page)).toMatch(/trust/i);
    await clickDialog(vs.page, 'Trust');
    await starting;
    await vs.debug.waitForStop(after);
    const said = await notification(vs.page, /found no Python 3.10 or later/);
    expect(said).toMatchObject({ severity: 'error', buttons: ['Choose Python…', 'Show Log'] });
    await waitForWords(gradients, /cannot be shown now/);
    await openGradients(vs);
    await vs.screenshot('faults-no-python-on-path');

    await vs.debug.setSetting('gradpeek.server.python', process.env['GRADPEEK_E2E_PYTHON']);
    await vs.debug.stepAndStop('over');
    await showsRoot(gradients, /^model/);
    await vs.debug.setBreakpoints();
    await vs.debug.step('continue');
    expect(await listening.exited, listening.output()).toBe(0);
    expect(listening.output()).toMatch(/epoch 1: loss/);
  });
});
