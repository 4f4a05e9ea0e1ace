import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { ELSEWHERE } from './test/support/own/own-tests.ts';
import base, { OTHER_PROJECTS, sources } from './vitest.config.ts';

const rooms = readdirSync('test', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/**
 * `npm run coverage`: each source file is covered by its own tests, or is named in `ELSEWHERE`. Tests of whole
 * programs do not count: they pass through everything, and look at its results from afar. `npm test -- --config
 * vitest.coverage.config.ts` runs them as well.
 */
export default defineConfig({
  test: {
    ...base.test,
    // What a module runs when it is loaded is counted once in a process: each room has processes of its own.
    projects: [...OTHER_PROJECTS, ...rooms.map((room) => sources(`sources-${room}`, `test/${room}`))],
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
