import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/support/own/longest-first.ts';
import { LONG_THAT_RUN_ALONE, OF_PROGRAMS, THAT_RUN_ALONE, THAT_TAKE_LONG } from './test/support/own/own-tests.ts';

/** Much of the time is spent waiting for processes: on two cores, three files at once take the least time. */
const WORKERS: number = Math.max(3, availableParallelism() - 1);

/**
 * The long tests wait for most of their time: ten of them take 800 s on three workers, and 340 s of a processor. With five
 * workers, messages of tests that cancel a call at work came too late.
 */
const LONG = { sequence: { groupOrder: 1 }, maxWorkers: Math.max(4, availableParallelism()) };

interface ProjectOptions {
  include: readonly string[];
  exclude: readonly string[];
  isolate: boolean;
  /** Projects with another number of workers than others run after those. */
  sequence?: { groupOrder: number };
  maxWorkers?: number;
}

function project(name: string, { include, exclude, ...more }: ProjectOptions): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: { name, include: [...include], exclude: [...configDefaults.exclude, ...exclude], ...more },
  };
}

/** Tests of sources below a folder, many files in one process. */
export const sources = (name: string, folder: string): TestProjectInlineConfiguration =>
  project(name, { include: [`${folder}/**/*.test.ts`], exclude: OF_PROGRAMS, isolate: false });

/** Tests of whole programs, the structure and the documents. */
export const OTHER_PROJECTS: readonly TestProjectInlineConfiguration[] = [
  project('alone', { include: THAT_RUN_ALONE, exclude: LONG_THAT_RUN_ALONE, isolate: true }),
  project('long', { ...LONG, include: THAT_TAKE_LONG, exclude: [], isolate: false }),
  project('long-alone', { ...LONG, include: LONG_THAT_RUN_ALONE, exclude: [], isolate: true }),
  project('programs', {
    include: OF_PROGRAMS,
    exclude: [...THAT_RUN_ALONE, ...THAT_TAKE_LONG],
    isolate: false,
  }),
];

/** All tests. `npm test` leaves out the projects `long` and `long-alone`, `npm run test:all` nothing. */
export default defineConfig({
  test: {
    // A busy machine takes several times as long as an idle one. No test waits for these limits.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: ['./test/support/bundled-sdks.ts', './test/support/compile-cache.ts'],
    // Sources are transformed once, and not by each run again: a file is found by its content.
    experimental: { fsModuleCache: true },
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    projects: [...OTHER_PROJECTS, sources('sources', 'test')],
  },
});
