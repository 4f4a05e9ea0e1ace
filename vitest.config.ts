import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    // Most of the time is spent waiting for processes: on two cores, one file at a time would take twice as long.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
