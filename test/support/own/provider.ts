import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from '@vitest/coverage-v8';
import { V8CoverageProvider } from '@vitest/coverage-v8/dist/provider.js';
import { isOwnTest } from './own-tests.ts';

type Meta = Parameters<V8CoverageProvider['onAfterSuiteRun']>[0];
interface Taken {
  result: { url: string }[];
}

/** Coverage as V8 measures it, of which only that by a source's own tests counts. Tests of programs do not count. */
class OwnCoverage extends V8CoverageProvider {
  override onAfterSuiteRun(meta: Meta): void {
    const isOfSources = meta.projectName?.startsWith('sources') ?? false;
    const tests = isOfSources ? meta.testFiles.map((file) => this.#path(file)) : [];
    const taken = meta.coverage as Taken | undefined;
    const result = taken?.result.filter(({ url }) => {
      const source = this.#path(fileURLToPath(url));
      return tests.some((test) => isOwnTest(test, source));
    });
    super.onAfterSuiteRun({ ...meta, coverage: result && { result } });
  }

  #path(file: string): string {
    return relative(this.ctx.config.root, file).split(sep).join('/');
  }
}

// Vitest asks for a default export.
export default { ...v8, getProvider: async (): Promise<OwnCoverage> => new OwnCoverage() };
