import { expect, it } from 'vitest';
import { CassetteWriterMutex } from '../../../src/record/stdio/cassette-writer-mutex.ts';

it('lets everybody speak at once, but for what is said while somebody holds the floor', () => {
  const turns = new CassetteWriterMutex();
  const deaf = () => ({ hurry: () => {} });
  const [a, b, c] = [deaf(), deaf(), deaf()];
  const heard: string[] = [];
  const say = (speaker: object, word: string) => turns.take(speaker, () => void heard.push(word));
  say(a, 'a1');
  turns.take(b, () => turns.hold(b));
  say(a, 'a2');
  say(b, 'b1');
  turns.take(c, () => turns.hold(c));
  say(a, 'a3');
  expect(heard).toEqual(['a1', 'b1']);
  turns.release();
  expect(heard).toEqual(['a1', 'b1', 'a2']);
  say(c, 'c1');
  turns.release();
  expect(heard).toEqual(['a1', 'b1', 'a2', 'c1', 'a3']);
});

it('hurries whoever holds the floor when somebody else wants to speak, who speaks at once if that released it', () => {
  const turns = new CassetteWriterMutex();
  const heard: string[] = [];
  const say = (speaker: object, word: string) => turns.take(speaker, () => void heard.push(word));
  let hasHeardAll = false;
  const slow = {
    hurry: () => {
      if (!hasHeardAll) return;
      heard.push('the rest');
      turns.release();
    },
  };
  turns.hold(slow);
  say({}, 'one');
  say(slow, 'slow');
  expect([heard, turns.isAwaited]).toEqual([['slow'], true]);
  hasHeardAll = true;
  say({}, 'two');
  expect([heard, turns.isAwaited]).toEqual([['slow', 'the rest', 'one', 'two'], false]);
});
