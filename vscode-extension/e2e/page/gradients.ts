/** The Gradients view with room for its rows. */
import type { Workbench } from '../workbench.ts';
import { until } from './until.ts';
import type { View } from './view.ts';

/** Views above it in the sidebar of Run and Debug, that take its room. */
const OTHERS = ['Variables', 'Watch', 'Call Stack', 'Breakpoints'];

/**
 * Brings the view to the front, with the sidebar as wide as told, in pixels, and the other views folded
 * but those to keep. VS Code has no other views before the first session: call it again at a stop.
 */
export async function openGradients(vs: Workbench, { name = 'Gradients', width = 560, keep = [] as readonly string[] } = {}): Promise<View> {
  await vs.openDebugSidebar();
  await resizeSidebar(vs, width);
  const gradients = vs.view(name);
  await gradients.open();
  for (const other of OTHERS.filter((one) => !keep.includes(one)).map((one) => vs.view(one))) {
    if (await other.isOpen()) await other.close();
  }
  return gradients;
}

/** Drags the edge of the sidebar until it is about that wide. */
export async function resizeSidebar(vs: Workbench, width: number): Promise<void> {
  const sidebar = vs.page.locator('.part.sidebar');
  await until(`the sidebar to be ${width} px wide`, async () => {
    const box = await sidebar.boundingBox();
    if (!box) return false;
    if (Math.abs(box.width - width) < 15) return true;
    const [edge, y] = [box.x + box.width, box.y + box.height / 2];
    await vs.page.mouse.move(edge, y);
    await vs.page.mouse.down();
    await vs.page.mouse.move(box.x + width, y, { steps: 4 });
    await vs.page.mouse.up();
    const after = await sidebar.boundingBox();
    return after !== null && Math.abs(after.width - width) < 15;
  });
}

/** What the view says instead of rows, and in its header; waited for. */
export function waitForWords(view: View, pattern: RegExp, timeoutMs?: number): Promise<string> {
  return until(
    `${view.name} to say ${pattern}`,
    async () => {
      const words = `${await view.description()}\n${await view.message()}`;
      if (pattern.test(words)) return words;
      throw new Error(`it says: ${words}`);
    },
    timeoutMs,
  );
}
