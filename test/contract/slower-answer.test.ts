import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import {
  isTimed,
  requireTimes,
  slowerLimitNotes,
  slowerWords,
  timesInPairsNotes,
} from '../../src/contract/slower-answer.ts';

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

describe('notes say what becomes slower without failing', () => {
  const times = (...pairs: [string, number][]) => pairs.map(([title, time]) => ({ title, time }));

  it('if all answers were short', () => {
    expect(slowerLimitNotes(times(['a', 5], ['b', 100]), 2, '--max-time')).toEqual([
      'No recorded answer took more than 100 ms, so that none below 200 ms fails as slower. --max-time limits all answers; mcp-record load compares shorter times of two versions.',
    ]);
    expect(slowerLimitNotes([], 2, 'timeMax')).toEqual([]);
  });

  it('if some were, by name and once', () => {
    const short = times(['a', 5], ['a', 7], ['b', 9], ['c', 9], ['d', 9]);
    expect(slowerLimitNotes([...times(['slow', 166.2]), ...short], 1.8, 'timeMax')).toEqual([
      'A recorded time below 100 ms counts as 100 ms, so that a, b, c and 1 more may take up to 180 ms. timeMax limits all answers; mcp-record load --threshold limits those of one tool.',
    ]);
  });

  it('if their times are rounded: the shortest may have changed most', () => {
    expect(slowerLimitNotes(times(['longest', 900], ['search', 200]), 1.8, 'timeMax')).toEqual([
      'The times of the cassette are rounded: search has 200 ms, may have taken 150 ms, and passes up to 360 ms. For a sharp limit, use mcp-record record --timing exact.',
    ]);
    expect(slowerLimitNotes(times(['longest', 901.3], ['search', 200]), 2, 'timeMax')).toEqual([]);
  });

  it('if the answer takes nearly as long as it may', () => {
    const [[slow], [healthy], [failed]] = [303, 200, 310].map((now) =>
      slowerLimitNotes([{ title: 'search', time: 169, now }], 1.8, 'timeMax'),
    ) as [string[], string[], string[]];
    expect(slow).toBe(
      'search took 303 ms, and may take 304 ms, since it was recorded once with 169 ms. For a sharp limit, record it again while the machine is idle, or use a lower factor.',
    );
    expect([healthy, failed]).toEqual([undefined, undefined]);
  });

  it('but not on the opening of a session, which is not judged', () => {
    expect(['tools/call', 'initialize'].map(isTimed)).toEqual([true, false]);
  });
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

describe('two recordings have notes', () => {
  const pair = (before: number | undefined, after: number, method = 'tools/call') =>
    [
      { title: 'search', request: { method }, took: before },
      { title: 'search', request: { method }, took: after },
    ] as const;
  const notes = (...pairs: ReturnType<typeof pair>[]) => timesInPairsNotes({ pairs, factor: 2, file: 'b.yaml' });

  it('on an answer that rounding alone may have made slower', () => {
    expect(notes(pair(120, 250))).toContain(
      'The times of b.yaml are rounded: search has 250 ms, may have taken 200 ms, and may be slower by rounding only. For a sharp limit, use mcp-record record --timing exact.',
    );
    for (const clearly of [pair(120, 400), pair(120, 230), pair(120, 250.3)])
      expect(notes(clearly).filter((note) => note.includes('by rounding only'))).toEqual([]);
  });

  it('on times that are too short, and none without times to compare', () => {
    expect(notes(pair(10, 190))).toEqual([expect.stringContaining('none below 200 ms fails as slower')]);
    expect([notes(pair(undefined, 190)), notes(pair(10, 190, 'initialize'))]).toEqual([[], []]);
    expect(timesInPairsNotes({ pairs: [pair(10, 190)], factor: undefined, file: 'b.yaml' })).toEqual([]);
  });
});
