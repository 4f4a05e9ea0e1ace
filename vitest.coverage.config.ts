import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import { ELSEWHERE } from './test/support/own/own-tests.ts';
import base from './vitest.config.ts';

/** Tests of whole programs, and of the house and its documents. */
const NOT_OF_SOURCES = [
  'test/*.test.ts',
  'test/{browser,cli,e2e,guards,manifest,proof}/**',
  'test/adapters/vitest{,-watch}.test.ts',
  'test/record/record-stdio.test.ts',
  'test/sweep/sweep.test.ts',
];

/**
 * `npm run coverage`: each source file is covered by its own tests, or is named in `ELSEWHERE`. Sessions of real programs
 * are left out: they pass through everything, and look at its results from afar.
 */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      exclude: [...configDefaults.exclude, ...NOT_OF_SOURCES],
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
  }),
);
