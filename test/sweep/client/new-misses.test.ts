import { expect, it } from 'vitest';
import { missesText, newMisses, shortMiss } from '../../../src/sweep/client/new-misses.ts';

const miss = (tool: string, value: string) =>
  `Cannot answer tools/call "${tool}": no recorded call matches. Closest:\n    a.yaml:3 tools/call "${tool}" differs at /params/arguments/a (1 → ${value})\n  Write it`;

it('a request that is sent without the fault, too, is no new miss, whatever its values', () => {
  expect(newMisses([miss('a', '2')], [])).toEqual([miss('a', '2')]);
  expect(newMisses([miss('a', '2')], [miss('a', '3')])).toEqual([]);
  expect(newMisses([miss('b', '2')], [miss('a', '3')])).toEqual([miss('b', '2')]);
  expect(newMisses([miss('a', '2'), miss('a', '4')], [miss('a', '3')])).toEqual([miss('a', '4')]);
});

it('the text names the first request, where it differs, and the number of others', () => {
  const short =
    'Cannot answer tools/call "a": no recorded call matches. Closest: a.yaml:3 tools/call "a" differs at /params/arguments/a (1 → 2)';
  expect(shortMiss(miss('a', '2'))).toBe(short);
  expect(shortMiss('Cannot answer "x".')).toBe('Cannot answer "x"');
  expect(missesText([miss('a', '2')])).toBe(`it sent a request that the cassette does not have: ${short}`);
  expect(missesText([miss('a', '2'), 'b'])).toContain('(and 1 more)');
});
