import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { THAT_TAKE_LONGEST } from './own-tests.ts';

/**
 * Starts the longest files first, so that no core waits for one that was started last. Vitest goes by how long each took in the run
 * before, and in a clean checkout by its size, which says little about processes that a test waits for.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      THAT_TAKE_LONGEST.indexOf(relative(this.ctx.config.root, moduleId).split(sep).join('/'));
    const sorted = await super.sort(files);
    const longest = sorted.filter((file) => place(file) >= 0).sort((one, other) => place(one) - place(other));
    return [...longest, ...sorted.filter((file) => place(file) < 0)];
  }
}
