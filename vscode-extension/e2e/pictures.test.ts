/** The pictures of the READMEs, taken of the real thing: `make pictures`. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { markedLine } from './page/editor.ts';
import { openGradients, resizeSidebar } from './page/gradients.ts';
import { until } from './page/until.ts';
import { useWorkbench } from './use-workbench.ts';
import { gradpeekVsix, REPOSITORY } from './workbench.ts';

const EXAMPLES = path.join(REPOSITORY, 'examples');
const PICTURES = path.join(REPOSITORY, 'vscode-extension/media/screenshots');
const example = path.join(EXAMPLES, 'cifar10_cnn.py');

const bench = useWorkbench(() => ({ extensions: [gradpeekVsix()], folder: EXAMPLES, settings: { 'workbench.layoutControl.enabled': false } }));

test('of the view, a tooltip and the Debug Console', async () => {
  const vs = bench();
  const save = async (name: string, clip?: { x: number; y: number; width: number; height: number }): Promise<void> => {
    await vs.page.screenshot({ path: path.join(PICTURES, `${name}.png`), animations: 'disabled', ...(clip ? { clip } : {}) });
  };
  mkdirSync(PICTURES, { recursive: true });
  await openGradients(vs);
  await vs.debug.setBreakpoints({ file: example, line: markedLine(example, 'after backward') });
  const stop = await vs.debug.startAndStop({ program: example });
  await vs.showsStop(stop);
  const gradients = await openGradients(vs, { width: 600 });
  await gradients.waitForRows('all numbers', ([first]) => /‖∇‖ \d/.test(first?.description ?? ''), 60_000);
  await vs.debug.executeCommand('notifications.clearAll');
  await gradients.expand(['model', 'modle1']);
  for (const layer of ['0', '7']) await gradients.expand(['model', 'modle1', layer]);
  await gradients.expand(['model', 'modle1', '0', 'weight']);
  await vs.page.mouse.move(700, 860);
  await vs.page.locator('.monaco-hover').filter({ visible: true }).waitFor({ state: 'hidden' });

  await resizeSidebar(vs, 745);
  await gradients.row('model');
  const rows = (await gradients.rows()).length;
  await vs.page.mouse.move(1100, 860);
  const pane = await gradients.pane.boundingBox();
  if (!pane) throw new Error('the view is not drawn');
  await save('view', { ...pane, height: Math.min(pane.height, (rows + 1) * 22 + 12) });
  await resizeSidebar(vs, 600);

  const tooltip = await gradients.tooltip(['model', 'modle1', '7', 'weight']);
  expect(tooltip.text).toContain('gradient');
  await save('overview');
  await vs.page.mouse.move(900, 860);

  await vs.debug.executeCommand('workbench.action.closeSidebar');
  await vs.console.evaluate('grads(model)');
  await vs.debug.executeCommand('workbench.action.toggleMaximizedPanel');
  await until('the console to be large', async () => ((await vs.console.panel.boundingBox())?.height ?? 0) > 500);
  await vs.console.open();
  await vs.page.mouse.move(1300, 30);
  const panel = await vs.console.panel.boundingBox();
  if (!panel) throw new Error('the console is not drawn');
  await save('console', { x: panel.x, y: panel.y - 36, width: 760, height: 490 });
  await vs.debug.stop();
}, 400_000);
