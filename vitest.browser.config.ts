import { defineConfig } from 'vitest/config';

/** Tests that need a Chromium: `npm run test:browser`. CHROMIUM names it where it is not in the PATH. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.browser.ts', 'test/adapters/*.browser.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
});
