import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { OF_PROGRAMS, THAT_RUN_ALONE, THAT_TAKE_LONG } from './test/support/own/own-tests.ts';

function project(
  name: string,
  { include, exclude, isolate }: { include: readonly string[]; exclude: readonly string[]; isolate: boolean },
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: { name, include: [...include], exclude: [...configDefaults.exclude, ...exclude], isolate },
  };
}

/** Tests of sources below a folder, many files in one process. */
export const sources = (name: string, folder: string): TestProjectInlineConfiguration =>
  project(name, { include: [`${folder}/**/*.test.ts`], exclude: OF_PROGRAMS, isolate: false });

/** Tests of whole programs, the structure and the documents. */
export const OTHER_PROJECTS: readonly TestProjectInlineConfiguration[] = [
  project('alone', { include: THAT_RUN_ALONE, exclude: [], isolate: true }),
  project('long', { include: THAT_TAKE_LONG, exclude: [], isolate: false }),
  project('programs', {
    include: OF_PROGRAMS,
    exclude: [...THAT_RUN_ALONE, ...THAT_TAKE_LONG],
    isolate: false,
  }),
];

/** All tests. `npm test` leaves out the project `long`, `npm run test:all` nothing. */
export default defineConfig({
  test: {
    // A busy machine takes several times as long as an idle one. No test waits for these limits.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: './test/support/bundled-sdks.ts',
    // Sources are transformed once, and not by each run again: a file is found by its content.
    experimental: { fsModuleCache: true },
    // Much of the time is spent waiting for processes: on two cores, three files at once take the least time.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [...OTHER_PROJECTS, sources('sources', 'test')],
  },
});
