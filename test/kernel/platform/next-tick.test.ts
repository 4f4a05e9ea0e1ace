import { afterEach, expect, it, vi } from 'vitest';
import { onNextTick } from '../../../src/kernel/platform/next-tick.ts';

afterEach(() => void vi.restoreAllMocks());

it('runs a task after the present operation, also while the test replaces process.nextTick', async () => {
  const replaced = vi.spyOn(process, 'nextTick').mockImplementation(() => {});
  const done: string[] = [];
  await new Promise<void>((resolve) => {
    onNextTick(() => {
      done.push('next tick');
      resolve();
    });
    done.push('now');
  });
  expect(done).toEqual(['now', 'next tick']);
  expect(replaced).not.toHaveBeenCalled();
});
