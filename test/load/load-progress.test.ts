import { expect, it } from 'vitest';
import { LoadProgress } from '../../src/load/load-progress.ts';

it('counts the sessions of all threads that have its memory, and adds up what each has counted', () => {
  const progress = new LoadProgress(3);
  const inThread = new LoadProgress(progress.memory);
  expect([progress.startSession(), inThread.startSession(), progress.startSession()]).toEqual([1, 2, 3]);
  progress.update(0, { sessions: 1, answers: 20, failed: 0 });
  inThread.update(2, { sessions: 4, answers: 80, failed: 3 });
  inThread.update(2, { sessions: 5, answers: 100, failed: 3 });
  expect(progress.total()).toEqual({ sessions: 6, answers: 120, failed: 3 });
  expect(inThread.total()).toEqual(progress.total());
});
