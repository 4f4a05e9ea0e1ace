import { describe, expect, it } from 'vitest';
import { newInEachRunHint, proposePatterns } from '../../../src/verify/propose/propose-patterns.ts';

const propose = (recorded: string, first: string, second: string) =>
  proposePatterns({ recorded, first, second })?.map(({ source }) => source);

describe('proposePatterns', () => {
  it.each([
    [
      'a time',
      'Now 09:00:00, sunny',
      'Now 10:11:12, sunny',
      'Now 10:11:15, sunny',
      ['Now [0-2]?\\d:[0-5]\\d:[0-5]\\d'],
    ],
    [
      'an ISO time',
      'Updated at 2026-01-02T03:04:05.678Z.',
      'Updated at 2026-02-02T03:04:05Z.',
      'Updated at 2026-02-02T03:04:06.1Z.',
      ['Updated at \\d{4}-[01]\\d-[0-3]\\dT[0-2]\\d:[0-5]\\d:[0-5]\\d(\\.\\d+)?Z'],
    ],
    [
      'a day that is the same in both runs',
      'Today is 2026-01-02.',
      'Today is 2026-02-03.',
      'Today is 2026-02-03.',
      ['Today is \\d{4}-[01]\\d-[0-3]\\d'],
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
    ['an id that is the whole text', 'ord_8f3a', 'ord_1111', 'ord_2222', ['ord_\\w+']],
    [
      'an id with a prefix that has digits alone in the cassette',
      'Added todo_26082134: tea',
      'Added todo_f9d31723: tea',
      'Added todo_11e14c94: tea',
      ['Added todo_[0-9a-fA-F]{8,}'],
    ],
    [
      'an id with a prefix and hyphens',
      'Added todo_26082134: tea',
      'Added todo_a-b-c1: tea',
      'Added todo_x9: tea',
      ['Added todo_[\\w-]+'],
    ],
    [
      'an id after two words',
      '{"id":"prod_todo_26082134"}',
      '{"id":"prod_todo_f9d31723"}',
      '{"id":"prod_todo_11e14c94"}',
      ['"id":"prod_todo_[0-9a-fA-F]{8,}'],
    ],
    ['an id with digits before the sign', 'in snap12_a1b2', 'in snap12_x3y4', 'in snap12_z5', ['in \\w+']],
    ['such an id with hyphens', 'sess_a-1', 'sess_b-2', 'sess_c-3', ['sess_[\\w-]+']],
    ['such an id of letters and digits', 'sess-a1b2c3', 'sess-d4e5f6', 'sess-9f8e7d', ['sess-\\w+']],
    ['an id with hyphens', 'id: V1StGXR8_Z5-jdHi6B', 'id: a-b-c1', 'id: x9', ['id: [\\w-]+']],
    [
      'an epoch in JSON',
      '{"at":1700000000,"n":3}',
      '{"at":1800000000,"n":3}',
      '{"at":1800000000,"n":3}',
      ['"at":[12]\\d{9}(\\d{3})?'],
    ],
    ['a number at the start', '1 row found', '2 row found', '3 row found', ['^\\d+ row found$']],
    [
      'two values close by',
      'at 09:00/5ms',
      'at 10:00/6ms',
      'at 11:00/7ms',
      ['at [0-2]?\\d:[0-5]\\d/\\d+(\\.\\d+)?([num\u00b5]?s|min|h)'],
    ],
    [
      'a time after the date of today',
      '2026-11-28, checked 2026-11-28T09:00:00Z',
      '2026-11-28, checked 2026-11-28T10:00:00Z',
      '2026-11-28, checked 2026-11-28T10:00:01Z',
      [', checked \\d{4}-[01]\\d-[0-3]\\dT[0-2]\\d:[0-5]\\d:[0-5]\\dZ'],
    ],
    ['an id beside a number', 'Order 12 (x7f3)', 'Order 12 (a1b2)', 'Order 12 (c3d4)', ['Order \\d+ \\(\\w+']],
    ['an id in base64', 'Order a/b+1==, kept', 'Order T/u+1c==, kept', 'Order x+y/2z==, kept', ['Order [\\w+/=-]+']],
    ['an id in base64 without signs', 'id A1b2C3d4==', 'id T9uca1jq==', 'id Xy2zab3c==', ['id [\\w+/=-]+']],
    ['an id in base64 without digits', 'id kKOnQuaB==', 'id kKOn/kkbuewCQuaBLQ==', 'id Rp+ZlWzEB==', ['id [\\w+/=-]+']],
    ['an id that has signs in the cassette alone', 'id A/b+C3d4', 'id T9uca1jq', 'id Xy2zab3c', ['id [\\w+/=-]+']],
    ['an id of letters', 'for aBcDefGhijKl', 'for QwErTzUiOpAs', 'for yXwVuTsRqPoN', ['for [\\w+/=-]+']],
    [
      'an id with hyphens after a date',
      'On 2026-11-28, id V1StGXR8_Z5-jd',
      'On 2026-11-28, id a-b-c1',
      'On 2026-11-28, id x9',
      [', id [\\w-]+'],
    ],
    [
      'a UUID after two slashes',
      'notes://1b4e28ba-2fa1-11d2-883f-0016d3cca427',
      'notes://2b4e28ba-2fa1-11d2-883f-0016d3cca427',
      'notes://3b4e28ba-2fa1-11d2-883f-0016d3cca427',
      ['notes://[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'],
    ],
    [
      'a token after two slashes',
      'notes://x8Kq2Lm9Zp',
      'notes://a1Bc3De5Fg',
      'notes://y7Bc3De5-g',
      ['notes://[\\w-]+'],
    ],
    [
      'a number after an equal one, without the count before both',
      '2 notes: 41, 42',
      '2 notes: 41, 534',
      '2 notes: 41, 61',
      [' notes: \\d+, \\d+'],
    ],
    ['a short cursor of base64url', 'x8Kq-Lm9Zp4R', 'a1Bc3De5Fg7H', 'pQrStUvWx2Yz', ['^[\\w-]{12}$']],
    ['a whole text that is a date', '2026-01-02', '2026-02-03', '2026-02-03', ['^\\d{4}-[01]\\d-[0-3]\\d$']],
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

  it('has no date, number or id of these texts in a pattern', () => {
    const texts = (time: string, id: string) => [
      `2026-11-28: order 4711 (${id}) at ${time}`,
      `v2.1 of build_77aa12, took 12ms, ${id}`,
      `5/${id}`,
      `at 08:00:00 order ord_77aa12 for ${id}-1 was placed`,
    ];
    const [first, second] = [texts('09:00:01', 'x7f3'), texts('09:00:07', 'a1b2')];
    for (const [index, text] of first.entries())
      for (const pattern of propose(text, text, second[index]!) ?? [])
        expect(pattern).not.toMatch(/2026|4711|v2|77aa12|12ms|08:00|^\^?5/);
    expect(propose(first[0]!, first[0]!, second[0]!)).toHaveLength(1);
  });

  it('leaves a value that differs from the cassette only', () => {
    expect(propose('17 degrees at 09:00', '18 degrees at 10:00', '18 degrees at 10:01')).toEqual([
      ' degrees at [0-2]?\\d:[0-5]\\d',
    ]);
  });

  it('proposes a form alone where more than three places have it', () => {
    const rows = (day: number) => ['ab', 'cd', 'ef', 'gh'].map((key) => `${key} 2026-01-0${day}`).join('\n');
    expect(propose(rows(1), rows(2), rows(3))).toEqual(['\\d{4}-[01]\\d-[0-3]\\d']);
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

describe('newInEachRunHint', () => {
  const uuid = (first: string) => `${first}b4e28ba-2fa1-11d2-883f-0016d3cca427`;
  const failed = (recorded: unknown, live: unknown, more: object = {}) => ({
    title: 'tools/call "now"',
    status: 'failed' as const,
    recorded: { result: recorded },
    live: { result: live },
    ...more,
  });
  const text = (one: string, two: string, more?: object) => failed({ text: one }, { text: two }, more);
  const LOOKS =
    'The differences look like values that change in each run, such as dates, times and ids. If one should not change, it is a bug.';

  it.each([
    ['a date', text('Today is 2026-01-02.', 'Today is 2026-02-03.')],
    ['a time', text('Now 09:00:00, sunny', 'Now 10:11:12, sunny')],
    ['a UUID', text(`order ${uuid('1')}`, `order ${uuid('2')}`)],
    ['an id', text('commit 1234567a done', 'commit a2345678 done')],
    ['an id with hyphens', text('id: V1StGXR8_Z5-jdHi6B', 'id: a-b-c1-d2-e3')],
    ['an epoch', text('{"at":1700000000,"n":3}', '{"at":1800000000,"n":3}')],
    ['two texts', failed(['On 2026-01-02', uuid('1')], ['On 2026-01-03', uuid('2')])],
  ])('finds %s', (_, step) => {
    expect(newInEachRunHint([step])).toBe(LOOKS);
  });

  it.each([
    ['a count', text('3 rows found', '4 rows found')],
    ['a price', text('costs 12.50 EUR', 'costs 13.00 EUR')],
    ['a price beside a date', text('On 2026-01-02: 12.50 EUR', 'On 2026-01-03: 13.00 EUR')],
    ['a version', text('server v1 is up', 'server v2 is up')],
    ['a range', text('rows: 1-5', 'rows: 1')],
    ['another secret', text('you are [redacted:authorization:1]', 'you are [redacted:another-secret:1]')],
    ['a secret in place of an id', text('you are 1b4e28ba-2fa1', 'you are [redacted:github-token:1]')],
    ['words', text('Rain on 2026-01-02', 'Snow on 2026-01-03')],
    ['a value that is no text beside a date', failed({ text: 'On 2026-01-02', n: 1 }, { text: 'On 2026-01-03', n: 2 })],
    ['a value that is new', failed({ text: 'On 2026-01-02' }, { text: 'On 2026-01-03', isError: true })],
    ['an answer that never came', { ...text('On 2026-01-02', ''), live: undefined }],
    ['another HTTP status', text('On 2026-01-02', 'On 2026-01-03', { details: ['HTTP status 200 → 400'] })],
    [
      'a broken promise',
      text('On 2026-01-02', 'On 2026-01-03', { changes: [{ severity: 'breaking', path: '/result', reason: 'r' }] }),
    ],
    ['no difference of values', { title: 't', status: 'failed' as const, headline: 'slow' }],
  ])('is silent about %s', (_, step) => {
    expect(newInEachRunHint([step])).toBeUndefined();
  });

  it('says so if other steps differ in something else', () => {
    const steps = [text('On 2026-01-02', 'On 2026-01-03'), text('3 rows', '4 rows')];
    expect(newInEachRunHint(steps)).toMatch(/^Some of the differences look /);
  });
});

it('tells dates, times and durations from what a later message may repeat', () => {
  const isPassing = (first: string, second: string) =>
    proposePatterns({ recorded: undefined, first, second })?.map((pattern) => pattern.isPassing);
  expect(isPassing('Updated at 12:30:01', 'Updated at 12:30:07')).toEqual([true]);
  expect(isPassing('Found in 12ms', 'Found in 9ms')).toEqual([true]);
  expect(isPassing('Order ord_8f3a', 'Order ord_91c2')).toEqual([false]);
  expect(isPassing('Ticket 1700000000', 'Ticket 1700000444')).toEqual([false]);
  expect(isPassing('Order ord_8f3a of 2026-01-01', 'Order ord_91c2 of 2026-01-02')).toEqual([false, true]);
  const note = (id: string, day: string) =>
    `{"id":"${id}4e28ba-2fa1-11d2-883f-0016d3cca427","title":"milk","at":"${day}"}`;
  expect(isPassing(note('1b', '2026-01-01'), note('2b', '2026-01-02'))).toEqual([false, true]);
});
