import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from '@vitest/coverage-v8';
import { isOwnTest } from './own-tests.ts';

interface Taken {
  result: { url: string }[];
}
/** What a process of vitest knows of its tests. */
interface Worker {
  filepath?: string;
  config: { name?: string; root: string };
}

const worker = () => (globalThis as { __vitest_worker__?: Worker }).__vitest_worker__;

/** Reports whether this process has tests of sources. Coverage by tests of programs does not count. */
const isMeasured = () => worker()?.config.name?.startsWith('sources') ?? false;

/** Leaves of what was measured only the sources whose own test has just ended: all else is neither sent nor kept. */
function ofOwnTest(taken: Taken): Taken {
  const { filepath, config } = worker()!;
  const path = (file: string) => relative(config.root, file).split(sep).join('/');
  const test = path(filepath!);
  return { result: taken.result.filter(({ url }) => isOwnTest(test, path(fileURLToPath(url)))) };
}

/** Coverage as V8 measures it, of which only that by a source's own tests counts. */
const provider: typeof v8 = {
  ...v8,
  startCoverage: async (options) => isMeasured() && v8.startCoverage!(options),
  takeCoverage: async (options) => isMeasured() && ofOwnTest((await v8.takeCoverage!(options)) as Taken),
  stopCoverage: async (options) => isMeasured() && v8.stopCoverage!(options),
};

// Vitest asks for a default export.
export default provider;
