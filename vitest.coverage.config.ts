import { defineConfig } from 'vitest/config';
import { ELSEWHERE } from './test/support/own/own-tests.ts';
import base, { sources } from './vitest.config.ts';

/**
 * `npm run coverage`: each source file is covered by its own tests, or is named in `ELSEWHERE`. Tests of whole
 * programs are left out: they pass through everything, and look at its results from afar.
 */
export default defineConfig({
  test: {
    ...base.test,
    // What a module runs when it is loaded is counted for each file of tests, in a process of its own.
    projects: [sources(true)],
    coverage: {
      enabled: true,
      provider: 'custom',
      customProviderModule: './test/support/own/provider.ts',
      include: ['src/**/*.ts'],
      exclude: Object.keys(ELSEWHERE).map((place) => (place.endsWith('/') ? `${place}**` : place)),
      reporter: ['text-summary', 'json-summary'],
      reportOnFailure: true,
      thresholds: { perFile: true, lines: 80, functions: 50, branches: 50 },
    },
  },
});
