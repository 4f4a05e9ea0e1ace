import { expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { isTimed, requireTimes, shortTimesNote, slowerWords } from '../../src/contract/slower-answer.ts';

it.each([
  ['as long as before', 300, 300, undefined],
  ['as long as is allowed', 300, 600, undefined],
  ['longer', 300, 601, 'slower: took 601 ms, and 300 ms before'],
  ['longer, but both are short', 5, 199, undefined],
  ['longer than short times vary', 5, 201, 'slower: took 201 ms, and 5 ms before'],
])('twice as long is allowed: an answer that takes %s', (_, before, after, words) => {
  expect(slowerWords('tools/call', { before, after }, 2)).toBe(words);
});

it('the opening of a session is not judged, since a program starts in it', () => {
  for (const method of ['initialize', 'server/discover'])
    expect(slowerWords(method, { before: 100, after: 9000 }, 2)).toBe(undefined);
});

it('a note says so if all answers were so fast that a much slower one passes', () => {
  expect(shortTimesNote([5, 100], 2, '--max-time')).toBe(
    'No recorded answer took more than 100 ms, so that none below 200 ms fails as slower. Use --max-time as well.',
  );
  expect(shortTimesNote([5, 101], 2, 'timeMax')).toBeUndefined();
  expect(shortTimesNote([], 2, 'timeMax')).toBeUndefined();
  expect(['tools/call', 'initialize'].map(isTimed)).toEqual([true, false]);
});

it('a cassette without times is an error, since nothing would be compared', () => {
  const cassette = (at: string) =>
    parseCassette(
      `format: mcp-record/1\nevents:\n- client: { id: 1, method: ping }\n- server: { id: 1, result: {} }\n${at}`,
      'a.yaml',
    );
  expect(() => requireTimes(cassette(''))).toThrow('[CASSETTE_WITHOUT_TIMES]');
  expect(() => requireTimes(cassette('  after: 200\n'))).not.toThrow();
});
