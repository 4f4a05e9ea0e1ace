import { defineConfig } from 'vitest/config';

/**
 * What `npm run mutation` runs for each change to the pure rooms named in stryker.config.json: their own tests, or those that
 * TESTS names instead, with commas between them.
 */
export default defineConfig({
  test: {
    include: process.env.TESTS?.split(',') ?? [
      'test/match/*.test.ts',
      'test/protocol/*.test.ts',
      'test/cassette/{read/fast-yaml/*,write/yaml-scalar,write/plain-scalar}.test.ts',
      'test/faults/**/*.test.ts',
      'test/redact/{detect/word-boundaries,detect/known-tokens,look-alikes}.test.ts',
      'test/transports/stdio/line-decoder.test.ts',
      'test/transports/http/sse/sse-decoder.test.ts',
    ],
    setupFiles: ['test/support/mutation.ts'],
    testTimeout: 60_000,
  },
});
