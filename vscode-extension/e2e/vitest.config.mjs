import { fileURLToPath } from 'node:url';

// A workbench takes most of a small machine: one file at a time, its tests in their order.
export default {
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: process.env.GRADPEEK_E2E_VITE_CACHE,
  test: {
    include: ['**/*.test.ts'],
    // Pictures are made when they are asked for: fonts differ from machine to machine.
    exclude: ['node_modules/**', ...(process.env.GRADPEEK_PICTURES ? [] : ['pictures.test.ts'])],
    fileParallelism: false,
    sequence: { concurrent: false },
    testTimeout: 180_000,
    hookTimeout: 150_000,
    teardownTimeout: 30_000,
    retry: 0,
    passWithNoTests: false,
  },
};
