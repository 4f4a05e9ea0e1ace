import { describe, expect, it } from 'vitest';
import type { CassetteEvent } from '../../../src/cassette/cassette.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import type { Ignore } from '../../../src/match/ignore-rules.ts';
import { compareSession } from '../../../src/verify/compare/compare-session.ts';
import { partsAroundTokens, tokenSource } from '../../../src/verify/propose/parts-around-tokens.ts';
import { proposeIgnores } from '../../../src/verify/propose/propose-ignores.ts';
import type { ServerRun } from '../../../src/verify/run/run-recorded-client.ts';
import { call, cassette, client, server } from '../../support/conversation.ts';
import { live } from '../live.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const random = seededRandom(20261129);
const signs = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
const bytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
const ALPHANUMERIC = LOWER + LOWER.toUpperCase() + DIGITS;
const day = () => new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 3e10));

/** Makers of values as servers make them up. */
const MAKERS: Record<string, () => string> = {
  hex: () => signs(HEX, 16),
  'short hex': () => `a${signs(HEX, 6)}1`,
  base64: () => bytes(9).toString('base64'),
  'padded base64': () => bytes(16).toString('base64'),
  base64url: () => bytes(12).toString('base64url'),
  'long base64url': () => bytes(32).toString('base64url'),
  uuid: () => `${signs(HEX, 8)}-${signs(HEX, 4)}-4${signs(HEX, 3)}-a${signs(HEX, 3)}-${signs(HEX, 12)}`,
  nanoid: () => signs(`${ALPHANUMERIC}_-`, 21),
  ulid: () => `01${signs('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`,
  'letters and digits': () => signs(ALPHANUMERIC, 22),
  'a prefix and base64url': () => `sess-${bytes(9).toString('base64url')}`,
  'three parts with dots': () => [9, 20, 16].map((length) => bytes(length).toString('base64url')).join('.'),
  'a prefix and 6 characters': () => `ord_${signs(LOWER + DIGITS, 6)}`,
  'a random number and an offset': () => `${signs(HEX, 12)}-2`,
  'a short cursor': () => `c${10 + Math.floor(random() * 90)}`,
  'a date': () => day().toISOString().slice(0, 10),
  'a time': () => day().toISOString(),
  'milliseconds since 1970': () => String(day().getTime()),
};

const FORMS: Record<string, (value: string) => object> = {
  'text that is JSON': (value) => ({
    content: [{ type: 'text', text: JSON.stringify({ items: [1, 2], next: value, kind: 'tea' }) }],
  }),
  'a sentence': (value) => ({ content: [{ type: 'text', text: `Stored the note (${value}), bye` }] }),
  'structured content': (value) => ({ content: [], structuredContent: { next: value, kind: 'tea' } }),
};

const said = (id: number, result: object) => ({ jsonrpc: '2.0' as const, id, result });

/** A session of two calls, of which the second sends what the first returned, and returns the next value. */
function session(form: (value: string) => object, make: () => string) {
  const values = [make(), make()] as const;
  return cassette(
    client(call(1, 'list')),
    server(said(1, form(values[0]))),
    client(call(2, 'list', { cursor: values[0] })),
    server(said(2, form(values[1]))),
  );
}

const rulesBeside = (events: readonly CassetteEvent[], proposals: ReturnType<typeof proposeIgnores>) =>
  events.map((event) => {
    const rules = proposals
      .filter(({ beside }) => beside?.some(({ line }) => line === event.line))
      .flatMap(({ patterns, pointers }) => (patterns.length > 0 ? patterns.map((one) => `/${one}/`) : pointers));
    return rules.length === 0 ? event : { ...event, match: { ignore: rules } };
  });

describe.each(Object.entries(MAKERS))('%s', (_, make) => {
  it.each(Object.entries(FORMS))(
    'in %s passes 50 later runs with the proposals, and no other answer does',
    async (...[, form]) => {
      const recorded = session(form, make);
      const answering =
        (first: object, second: object) =>
        ({ id }: { id?: unknown }) => [said(Number(id), id === 1 ? first : second)];
      const runs: ServerRun[] = [];
      for (let run = 0; run < 2; run++) runs.push((await live(recorded, answering(form(make()), form(make())))).driven);
      const proposals = proposeIgnores(runs[0]!, runs[1]!);
      const ignore = proposals.flatMap(({ beside, patterns, pointers }): Ignore[] =>
        beside ? [] : patterns.length > 0 ? patterns.map((one) => new RegExp(one)) : pointers,
      );
      const ruled = { ...recorded, events: rulesBeside(recorded.events, proposals) };
      const failures = async (first: object, second: object) => {
        const { driven } = await live(ruled, answering(first, second), { ignore });
        const { steps } = compareSession({ file: 'cassette.yaml', driven, ignore });
        return steps.filter(({ status }) => status === 'failed');
      };
      for (let run = 0; run < 50; run++) expect(await failures(form(make()), form(make()))).toEqual([]);
      const wrong = { content: [{ type: 'text', text: 'There is no such note.' }] };
      expect(await failures(form(make()), wrong)).toHaveLength(1);
      // A rule for a whole value leaves nothing of it.
      if (proposals.every(({ patterns }) => patterns.length > 0))
        expect(await failures(form(''), form(make()))).not.toEqual([]);
    },
  );
});

it('a token is one part of a text, with the name before it and the path after it apart', () => {
  const texts = (...tokens: string[]) =>
    tokens.map((token) => `See /orders/ord_${token}/status of 2026-11-28T10:00:00Z`);
  const kinds = partsAroundTokens(texts('aB3-x_9Z', 'Zy8w-Q1r')).map((parts) => parts.map(({ text }) => text));
  expect(kinds).toEqual(
    ['aB3-x_9Z', 'Zy8w-Q1r'].map((token) => ['See /orders/ord_', token, '/status of ', '2026-11-28T10:00:00Z']),
  );
  const words = ['rain on Monday', 'snow on Friday'];
  expect(partsAroundTokens(words)).toEqual(words.map((text) => [{ kind: 'literal', text }]));
});

it.each([
  ['letters of one case', ['a1b2c3', 'd4e5f6'], '', '\\w+'],
  ['letters of both cases, which may be base64', ['a1B2', 'c3D4'], '"', '[\\w+/=-]+'],
  ['the same before a path', ['a1B2', 'c3D4'], '/status', '[\\w-]+'],
  ['the same before a hyphen', ['a1B2', 'c3D4'], '-x', '\\w+'],
  ['base64url', ['a1_B2', 'c3D4'], '"', '[\\w-]+'],
  ['base64', ['a1+B2', 'c3D4'], '', '[\\w+/=-]+'],
  ['a dot', ['a.1', 'b.2'], '', undefined],
])('the expression for tokens with %s', (_, values, following, expected) => {
  expect(tokenSource(values, following)).toBe(expected);
});
