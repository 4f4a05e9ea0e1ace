import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { THAT_TAKE_LONGEST } from './own-tests.ts';

/**
 * Starts the longest files first, so that no core waits for one that was started last. Vitest goes by how long each took in the run
 * before, and in a clean checkout by its size, which says little about processes that a test waits for.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return this.#longestFirst(await super.sort(files));
  }

  /** Deals the files out to the parts of `--shard`, so that each part gets its share of the longest. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shard } = this.ctx.config;
    if (shard === undefined) return files;
    const byPath = files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
    const dealt = this.#longestFirst(byPath);
    return dealt.filter((_, n) => n % shard.count === shard.index - 1);
  }

  #longestFirst(files: TestSpecification[]): TestSpecification[] {
    const place = ({ moduleId }: TestSpecification) =>
      THAT_TAKE_LONGEST.indexOf(relative(this.ctx.config.root, moduleId).split(sep).join('/'));
    const longest = files.filter((file) => place(file) >= 0).toSorted((one, other) => place(one) - place(other));
    return [...longest, ...files.filter((file) => place(file) < 0)];
  }
}
