import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Changes, INTERVAL_MS, RefreshQueue } from "../../src/views/refreshQueue";

let fired: (string[] | null)[];
let queue: RefreshQueue;

beforeEach(() => {
  vi.useFakeTimers();
  fired = [];
  queue = new RefreshQueue((changes: Changes) =>
    fired.push(changes === null ? null : [...changes]),
  );
});

afterEach(() => {
  queue.dispose();
  vi.useRealTimers();
});

test("a change that comes alone is told at once", () => {
  queue.add(["a"]);
  expect(fired).toEqual([["a"]]);
});

test("changes that come fast are told together, at a distance", () => {
  queue.add(["a"]);
  queue.add(["b", "c"]);
  queue.add(["c"]);
  vi.advanceTimersByTime(INTERVAL_MS - 1);
  expect(fired).toEqual([["a"]]);
  vi.advanceTimersByTime(1);
  expect(fired).toEqual([["a"], ["b", "c"]]);
});

test("the whole tree takes in all nodes", () => {
  queue.add(["a"]);
  queue.add(["b"]);
  queue.add(null);
  queue.add(["c"]);
  expect(queue.holdsAll).toBe(true);
  vi.advanceTimersByTime(INTERVAL_MS);
  expect(fired).toEqual([["a"], null]);
  expect(queue.holdsAll).toBe(false);
});

test("a steady stream is told again and again, never put off", () => {
  for (let ms = 0; ms < 10 * INTERVAL_MS; ms += 50) {
    queue.add(["a"]);
    vi.advanceTimersByTime(50);
  }
  expect(fired.length).toBeGreaterThanOrEqual(9);
});

test("nothing is told after the end", () => {
  queue.add(["a"]);
  queue.add(["b"]);
  queue.dispose();
  vi.advanceTimersByTime(INTERVAL_MS);
  expect(fired).toEqual([["a"]]);
});
