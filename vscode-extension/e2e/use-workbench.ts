/** Ties a workbench to a vitest file: one for all its tests, a picture of each failure, a sure end. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startWorkbench, type Workbench, type WorkbenchOptions } from './workbench.ts';

/** A function that returns the file's workbench; `options` may be a function, called when it starts. */
export function useWorkbench(options: WorkbenchOptions | (() => WorkbenchOptions | Promise<WorkbenchOptions>) = {}): () => Workbench {
  let workbench: Workbench | undefined;
  beforeAll(async () => {
    workbench = await startWorkbench(typeof options === 'function' ? await options() : options);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail' || !workbench) return;
    const picture = await workbench.screenshot(`failed-${task.name.replace(/[^\w]+/g, '-').slice(0, 80)}`);
    console.error(`${task.name}: see ${picture}\nthe page's errors:\n${workbench.pageErrors.slice(-10).join('\n')}\nlogs:\n${workbench.logs().slice(-3000)}`);
  });
  afterAll(async () => {
    await workbench?.end();
  });
  return () => {
    if (!workbench) throw new Error('the workbench has not started: ask for it inside a test');
    return workbench;
  };
}
