import { describe, expect, it } from 'vitest';
import { proposePatterns } from '../../../src/verify/compare/propose-patterns.ts';

const propose = (recorded: string, first: string, second: string) => proposePatterns({ recorded, first, second });

describe('proposePatterns', () => {
  it.each([
    [
      'a time',
      'Now 09:00:00, sunny',
      'Now 10:11:12, sunny',
      'Now 10:11:15, sunny',
      ['Now \\d\\d?:\\d\\d(:\\d\\d(\\.\\d+)?)?( ?[AP]M)?'],
    ],
    [
      'an ISO time',
      'Updated at 2026-01-02T03:04:05.678Z.',
      'Updated at 2026-02-02T03:04:05Z.',
      'Updated at 2026-02-02T03:04:06.1Z.',
      ['Updated at \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z'],
    ],
    [
      'a day that is the same in both runs',
      'Today is 2026-01-02.',
      'Today is 2026-02-03.',
      'Today is 2026-02-03.',
      ['Today is \\d{4}-\\d\\d-\\d\\d'],
    ],
    [
      'a UUID',
      'order 1b4e28ba-2fa1-11d2-883f-0016d3cca427',
      'order 2b4e28ba-2fa1-11d2-883f-0016d3cca427',
      'order 3b4e28ba-2fa1-11d2-883f-0016d3cca427',
      ['order [0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'],
    ],
    [
      'a port',
      'http://localhost:3000/',
      'http://localhost:49152/',
      'http://localhost:50001/',
      ['http://localhost:\\d+'],
    ],
    [
      'a duration',
      'took 12ms (3 rows)',
      'took 1.5s (3 rows)',
      'took 8ms (3 rows)',
      ['took \\d+(\\.\\d+)?([num\u00b5]?s|min|h)'],
    ],
    ['a hex id', 'commit 12345678 done', 'commit 1234567f done', 'commit a2345678 done', ['commit [0-9a-fA-F]{8,}']],
    ['an id with hyphens', 'id: V1StGXR8_Z5-jdHi6B', 'id: a-b-c1', 'id: x9', ['id: [\\w-]+']],
    [
      'an epoch in JSON',
      '{"at":1700000000,"n":3}',
      '{"at":1800000000,"n":3}',
      '{"at":1800000000,"n":3}',
      ['\\{"at":[12]\\d{9}(\\d{3})?'],
    ],
    ['a number at the start', '1 row found', '2 row found', '3 row found', ['^\\d+ row found$']],
    [
      'two values close by',
      'at 09:00/5ms',
      'at 10:00/6ms',
      'at 11:00/7ms',
      ['at \\d\\d?:\\d\\d(:\\d\\d(\\.\\d+)?)?( ?[AP]M)?/\\d+(\\.\\d+)?([num\u00b5]?s|min|h)'],
    ],
    ['a whole text that is a date', '2026-01-02', '2026-02-03', '2026-02-03', ['^\\d{4}-\\d\\d-\\d\\d$']],
  ])('proposes the form of %s', (_what, recorded, first, second, expected) => {
    expect(propose(recorded, first, second)).toEqual(expected);
  });

  it.each([
    ['other words', 'Rain', 'Rain', 'Snow'],
    ['a number alone, since every number would be ignored', '41', '42', '43'],
    [
      'a number that is the same in both runs: it may be a mistake of the server',
      '17 degrees',
      '18 degrees',
      '18 degrees',
    ],
    ['no difference', 'at 09:00', 'at 09:00', 'at 09:00'],
  ])('proposes nothing for %s', (_what, recorded, first, second) => {
    expect(propose(recorded, first, second)).toBeUndefined();
  });

  it('leaves a value that differs from the cassette only', () => {
    expect(propose('17 degrees at 09:00', '18 degrees at 10:00', '18 degrees at 10:01')).toEqual([
      ' degrees at \\d\\d?:\\d\\d(:\\d\\d(\\.\\d+)?)?( ?[AP]M)?',
    ]);
  });

  it('proposes a form alone where more than three places have it', () => {
    const rows = (day: number) => ['ab', 'cd', 'ef', 'gh'].map((key) => `${key} 2026-01-0${day}`).join('\n');
    expect(propose(rows(1), rows(2), rows(3))).toEqual(['\\d{4}-\\d\\d-\\d\\d']);
  });

  it('does not hang on long texts', () => {
    for (const text of [
      '1'.repeat(200_000),
      'a'.repeat(200_000),
      '1:'.repeat(100_000),
      '1.'.repeat(100_000),
      '-'.repeat(200_000),
    ]) {
      propose(text, `${text}x`, `${text}y`);
    }
    expect(propose('', 'x1', 'x2')).toBeUndefined();
  });
});
