import { describe, expect, it } from 'vitest';
import { exactValue } from '../../../src/match/exact-json-value.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { placeholderAdvice, withRecordedPlaceholders } from '../../../src/verify/compare/equal-placeholders.ts';

const { json } = createRedactor({ env: {}, rules: [{ pattern: /ORD-\d+/, name: 'order' }] });
const redaction = {
  redact: json,
  advise: (variable?: string) => (variable ? `Set ${variable}.` : 'Give the rule.'),
};
const value = (message: unknown) => exactValue(new JsonText(JSON.stringify(message)));
const compared = (recorded: unknown, live: unknown) =>
  withRecordedPlaceholders(value(recorded), value(live), redaction);

describe('a live value that the rules redact is the recorded placeholder', () => {
  it.each([
    ['alone', { text: '[redacted:order:7]' }, { text: 'ORD-1' }],
    ['several in one text', { text: '[redacted:order:7] [redacted:order:3]' }, { text: 'ORD-1 ORD-2' }],
    ['in a list', { all: ['a', '[redacted:order:2]'] }, { all: ['a', 'ORD-5'] }],
    ['in a key', { 'for [redacted:order:2]': 1 }, { 'for ORD-5': 1 }],
    [
      'in base64',
      { text: Buffer.from('the number is [redacted:order:9], as it was').toString('base64') },
      { text: Buffer.from('the number is ORD-123, as it was').toString('base64') },
    ],
  ])('%s', (_, recorded, live) => {
    expect(compared(recorded, live)).toEqual(value(recorded));
  });
});

it('what differs beside it stays', () => {
  expect(compared({ text: 'a [redacted:order:7]', n: 1 }, { text: 'b ORD-1', n: 2, new: 'ORD-2' })).toEqual(
    value({ text: 'b [redacted:order:7]', n: 2, new: 'ORD-2' }),
  );
  expect(compared({ text: '[redacted:order:7]' }, { text: 'ORD-1 ORD-2' })).toEqual(value({ text: 'ORD-1 ORD-2' }));
  expect(compared({ text: '[redacted:order:7]' }, { text: 'none' })).toEqual(value({ text: 'none' }));
  expect(compared({ text: '[redacted:order:7]' }, { text: 5 })).toEqual(value({ text: 5 }));
  expect(compared({ all: ['[redacted:order:7]'] }, { all: 'ORD-1' })).toEqual(value({ all: 'ORD-1' }));
});

it('without a recorded placeholder, or without rules, the live value stays as it is', () => {
  const live = value({ text: 'ORD-1' });
  expect(compared({ text: 'ORD-1' }, { text: 'ORD-1' })).toEqual(live);
  expect(withRecordedPlaceholders(value({ text: '[redacted:order:1]' }), live, undefined)).toBe(live);
  expect(withRecordedPlaceholders(undefined, live, redaction)).toBe(live);
  expect(withRecordedPlaceholders(value({}), undefined, redaction)).toBeUndefined();
});

describe('advice', () => {
  const advice = (recorded: unknown, live: unknown) => placeholderAdvice(value(recorded), value(live), redaction);

  it('names the place where only the cassette has a redacted value', () => {
    expect(advice({ result: { text: '[redacted:x:1]' } }, { result: { text: 'plain' } })).toEqual([
      'The cassette has a redacted value at /result/text, where nothing is redacted now. Give the rule.',
    ]);
  });

  it('names the variable that the placeholder is named after', () => {
    expect(advice({ text: 'by [redacted:SHOP_TOKEN:1]' }, { text: 'by test' })).toEqual([
      expect.stringMatching(/now\. Set SHOP_TOKEN\.$/),
    ]);
  });

  it.each([
    ['both have one', { text: 'a [redacted:x:1]' }, { text: 'b [redacted:x:1]' }],
    ['the cassette has none', { text: 'a' }, { text: 'b' }],
    ['the live value is gone', { text: '[redacted:x:1]' }, {}],
    ['another value differs', { n: 1, text: '[redacted:x:1]' }, { n: 2, text: '[redacted:x:1]' }],
  ])('there is none where %s', (_, recorded, live) => {
    expect(advice(recorded, live)).toEqual([]);
  });

  it('there is none without rules', () => {
    expect(placeholderAdvice({ text: '[redacted:x:1]' }, { text: 'a' }, undefined)).toEqual([]);
  });
});
