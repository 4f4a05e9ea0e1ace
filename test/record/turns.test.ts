import { expect, it } from 'vitest';
import { Turns } from '../../src/record/turns.ts';

it('lets everybody speak at once, but for what is said while somebody holds the floor', () => {
  const turns = new Turns();
  const [a, b, c] = [{}, {}, {}];
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
