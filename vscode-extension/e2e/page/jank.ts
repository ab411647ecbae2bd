/** How long the page does not answer: its long tasks, and the gaps between its frames. */
import type { Page } from 'playwright-core';

export interface Jank {
  /** The longest task of the page's thread, in ms; what takes less than 50 ms counts as 0. */
  longestTask: number;
  /** The longest time between two frames, in ms. */
  longestGap: number;
  frames: number;
}

/** What the page did while `act` went on. */
export async function jankOf(page: Page, act: () => Promise<unknown>): Promise<Jank> {
  await page.evaluate(() => {
    const seen = { longestTask: 0, longestGap: 0, frames: 0 };
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longestTask = Math.max(seen.longestTask, duration);
    });
    observer.observe({ type: 'longtask' });
    let last = performance.now();
    let running = true;
    const frame = (): void => {
      const now = performance.now();
      seen.longestGap = Math.max(seen.longestGap, now - last);
      seen.frames += 1;
      last = now;
      if (running) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    (globalThis as unknown as { endOfJank: () => Jank }).endOfJank = () => {
      running = false;
      observer.disconnect();
      return seen;
    };
  });
  await act();
  const seen = await page.evaluate(() => (globalThis as unknown as { endOfJank: () => Jank }).endOfJank());
  return { longestTask: Math.round(seen.longestTask), longestGap: Math.round(seen.longestGap), frames: seen.frames };
}
