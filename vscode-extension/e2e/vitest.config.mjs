import { fileURLToPath } from 'node:url';

// A workbench takes most of a small machine: one file at a time, its tests in their order.
export default {
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: process.env.GRADPEEK_E2E_VITE_CACHE,
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**'],
    fileParallelism: false,
    sequence: { concurrent: false },
    testTimeout: 180_000,
    hookTimeout: 150_000,
    teardownTimeout: 30_000,
    retry: 0,
    passWithNoTests: false,
  },
};
