/** A model of 20,000 parameter tensors: nothing freezes, and no more is asked for than shows. */
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Stop } from './debugger.ts';
import { markedLine } from './page/editor.ts';
import { openGradients } from './page/gradients.ts';
import { type Jank, jankOf } from './page/jank.ts';
import { until } from './page/until.ts';
import type { View } from './page/view.ts';
import { useWorkbench } from './use-workbench.ts';
import { gradpeekVsix, PROGRAMS } from './workbench.ts';

const big = path.join(PROGRAMS, 'big.py');
/** Machines that run tests are slow and shared: what freezes takes far longer, what does not a tenth of this. */
const FROZEN_MS = 2_000;
const bench = useWorkbench(() => ({ extensions: [gradpeekVsix()], settings: { 'gradpeek.trace.server': 'messages' } }));
let gradients: View;
let stop: Stop;

beforeAll(async () => {
  gradients = await openGradients(bench());
});

/** How often the server has been asked for the rows below a row. */
function askedForChildren(): number {
  return bench().logs().match(/Sending request 'gradpeek\/children/g)?.length ?? 0;
}

function report(what: string, { longestTask, longestGap, frames }: Jank): void {
  console.info(`${what}: longest task ${longestTask} ms, longest gap between frames ${longestGap} ms, ${frames} frames`);
}

test('its first rows appear, folded, and its numbers stream in', async () => {
  const vs = bench();
  await vs.debug.setBreakpoints({ file: big, line: markedLine(big, 'many') });
  stop = await vs.debug.startAndStop({ program: big });
  await vs.showsStop(stop);
  const [stopped] = await vs.debug.dapLog({ event: 'stopped' }, stop.seq - 1);
  await gradients.waitForRows('the model', ([first]) => first?.label === 'model', 60_000);
  const rowsMs = performance.timeOrigin + performance.now() - (stopped?.timeMs ?? 0);
  await openGradients(vs);
  const [model] = await gradients.waitForRows('all numbers', ([first]) => /‖∇‖ \d/.test(first?.description ?? ''), 60_000);
  const numbersMs = performance.timeOrigin + performance.now() - (stopped?.timeMs ?? 0);
  console.info(`first rows after ${Math.round(rowsMs)} ms, all numbers after ${Math.round(numbersMs)} ms`);
  expect(model?.description).toContain('20k tensors');
  const shown = (await gradients.rows()).filter(({ level }) => level < 3).map(({ label }) => label);
  expect(shown.slice(0, 4)).toEqual(['model', 'first', 'flat', 'deep']);
  await vs.screenshot('big-first');
});

test('only what is unfolded is asked for', async () => {
  const vs = bench();
  const before = askedForChildren();
  await gradients.expand(['model', 'deep']);
  await gradients.expand(['model', 'deep', '3']);
  expect((await gradients.row(['model', 'deep', '3', '9'])).level).toBe(4);
  expect((await gradients.rows()).length).toBeLessThan(40);
  await until('the log of requests', () => askedForChildren() >= before + 2);
  // Rows that are unfolded already may be asked for again, of 4,445 modules.
  expect(askedForChildren() - before).toBeLessThanOrEqual(20);
  await gradients.collapse(['model', 'deep']);
  await gradients.expand(['model', 'flat']);
  await gradients.waitForRows('24 parts of 500', (rows) => rows.filter(({ level }) => level === 3).length === 24, 30_000);
  await gradients.expand(['model', 'flat', /^\[500 … 999\]/]);
  await gradients.row(['model', 'flat', /^\[500 … 999\]/, '500']);
  await vs.screenshot('big-unfolded');
});

test('scrolling through unfolded parts does not freeze the page', async () => {
  const vs = bench();
  const box = await gradients.list.boundingBox();
  if (!box) throw new Error('the list is not drawn');
  const seen = await jankOf(vs.page, async () => {
    await vs.page.mouse.move(box.x + 5, box.y + box.height / 2);
    for (let turn = 0; turn < 40; turn++) await vs.page.mouse.wheel(0, turn < 30 ? 500 : -1200);
    await gradients.row('model');
  });
  report('scrolling', seen);
  expect(seen.longestTask).toBeLessThan(FROZEN_MS);
  await gradients.collapse(['model', 'flat']);
});

test('searching all rows does not freeze the page, and a row that was never unfolded is revealed', async () => {
  const vs = bench();
  await gradients.titleAction('Search Gradients');
  const seen = await jankOf(vs.page, async () => {
    await vs.quickInput.type('deep');
    await until('many', async () => /first 200 of/.test((await vs.quickInput.question()).title));
    await vs.quickInput.type('deep.2.7.5.3 bias');
    await until('one', async () => /\b1 found/.test((await vs.quickInput.question()).title));
  });
  report('searching', seen);
  expect(seen.longestTask).toBeLessThan(FROZEN_MS);
  await vs.screenshot('big-search');
  const reveal = await jankOf(vs.page, async () => {
    await vs.page.keyboard.press('Enter');
    await gradients.waitForRows('the row', (rows) => rows.some(({ label, selected }) => selected && label === 'bias'));
  });
  report('revealing', reveal);
  expect(reveal.longestTask).toBeLessThan(FROZEN_MS);
  await vs.screenshot('big-revealed');
});

test('fast steps leave nothing behind: after the last one only its own stop is asked, and the rows are its', async () => {
  const vs = bench();
  const before = await vs.debug.seq();
  let last = stop;
  const seen = await jankOf(vs.page, async () => {
    for (let step = 0; step < 10; step++) last = await vs.debug.stepAndStop('over');
    await gradients.row(['model', 'first'], 30_000);
    await gradients.waitForRows('all numbers', (rows) => rows.some(({ label, description }) => label === 'first' && /∇ 10\b/.test(description)), 100_000);
  });
  report('stepping', seen);
  expect(seen.longestTask).toBeLessThan(FROZEN_MS);
  const frames = new Set(last.frames.map(({ id }) => id));
  const ours = (await vs.debug.evaluates(before)).filter(({ context }) => context === 'clipboard');
  const late = ours.filter(({ seq, frameId }) => seq > last.seq && !frames.has(frameId ?? -1));
  expect(late).toEqual([]);
  const between = ours.filter(({ seq }) => seq < last.seq);
  console.info(`${between.length} evaluates for nine stops that were left at once, ${ours.length - between.length} for the last one`);
  expect((await gradients.row(['model', 'deep'])).expanded, 'what was unfolded stays so').toBe(true);
  await vs.screenshot('big-stepped');
  await vs.debug.setBreakpoints();
  await vs.debug.continueToEnd(last.sessionId);
});
