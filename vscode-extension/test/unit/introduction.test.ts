import { expect, test } from "vitest";
import { Introduction } from "../../src/views/introduction";

function memory(): {
  get: (key: string) => unknown;
  update: (key: string, value: unknown) => Promise<void>;
} {
  const kept = new Map<string, unknown>();
  return {
    get: (key) => kept.get(key),
    update: async (key, value) => {
      kept.set(key, value);
    },
  };
}

test("the view unfolds at the first stop, and never again, in this window or the next", async () => {
  const kept = memory();
  let opened = 0;
  const open = async () => {
    opened += 1;
  };
  const first = new Introduction(kept as never, open);
  await first.stopped();
  await first.stopped();
  await new Introduction(kept as never, open).stopped();
  expect(opened).toBe(1);
});

test("a user who has seen the view finds it as it was left", async () => {
  const kept = memory();
  let opened = 0;
  const introduction = new Introduction(kept as never, async () => {
    opened += 1;
  });
  await introduction.seen();
  await introduction.stopped();
  expect(opened).toBe(0);
});
