import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import { ELSEWHERE, OF_PROGRAMS } from './test/support/own/own-tests.ts';
import base from './vitest.config.ts';

/**
 * `npm run coverage`: each source file is covered by its own tests, or is named in `ELSEWHERE`. Tests of whole
 * programs, which `npm run programs` runs, are left out: they pass through everything, and look at its results from afar.
 */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      exclude: [...configDefaults.exclude, ...OF_PROGRAMS],
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
