import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import type { RedactionRule } from '../../../src/redact/rules/compile-redaction-rules.ts';
import { rulesForSecrets } from '../../../src/redact/rules/rules-for-secrets.ts';

const redact = (value: unknown, ...rules: RedactionRule[]) =>
  createRedactor({ env: {}, rules }).json(new JsonText(JSON.stringify(value))).value;

describe('a rule', () => {
  it('takes all that stands under a key, case apart', () => {
    expect(redact({ a: [{ Iban: { country: 'DE', number: 4711, open: true } }], ibans: 'x' }, { key: 'iban' })).toEqual(
      {
        a: [{ Iban: { country: '[redacted:Iban:1]', number: '[redacted:Iban:2]', open: true } }],
        ibans: 'x',
      },
    );
  });

  it('leaves the schema of a property with its key, and takes the values in it', () => {
    const pin = { type: 'string', description: 'Four digits.', minLength: 4 };
    const tools = (given: string) => ({
      result: {
        tools: [
          {
            name: 'login',
            inputSchema: {
              type: 'object',
              properties: { pin: { ...pin, default: given, examples: [given], enum: [given, null] }, pin2: pin },
              required: ['pin'],
            },
            _meta: { pin: { of: given } },
          },
        ],
      },
    });
    expect(redact(tools('4711x'), { key: 'pin' })).toEqual(tools('[redacted:pin:1]'));
    expect(redact(tools('4711x'), { key: /^pin\d?$/, name: 'pin' })).toEqual(tools('[redacted:pin:1]'));
    const schema = { type: 'object', properties: { pin: { type: 'string', const: 'abc' } } };
    expect(redact({ params: { requestedSchema: schema } }, { key: 'pin' })).toEqual({
      params: {
        requestedSchema: { type: 'object', properties: { pin: { type: 'string', const: '[redacted:pin:1]' } } },
      },
    });
  });

  it('takes what stands under keys that match', () => {
    expect(redact({ card1: 'a', card2: 'b', car: 'c' }, { key: /^card\d$/, name: 'card' })).toEqual({
      card1: '[redacted:card:1]',
      card2: '[redacted:card:2]',
      car: 'c',
    });
  });

  it('takes what a pointer names, in each message of a batch', () => {
    const rows = { params: { rows: [{ who: 'ann' }, { who: 'bob' }, { name: 'ann' }] } };
    const safe = {
      params: { rows: [{ who: '[redacted:who:1]' }, { who: '[redacted:who:2]' }, { name: 'ann' }] },
    };
    expect(redact(rows, { pointer: '/params/rows/*/who' })).toEqual(safe);
    expect(redact([rows], { pointer: '/params/rows/*/who' })).toEqual([safe]);
  });

  it('takes the first group of what matches, or all of it, inside of other text', () => {
    expect(
      redact({ a: 'of CUST-17 and CUST-18, JSON {"b":"CUST-17"}' }, { pattern: 'CUST-(\\d+)', name: 'customer' }),
    ).toEqual({
      a: 'of CUST-[redacted:customer:1] and CUST-[redacted:customer:2], JSON {"b":"CUST-[redacted:customer:1]"}',
    });
    expect(redact({ a: 'mail ann@x.example' }, { pattern: /\w+@\S+/i })).toEqual({
      a: 'mail [redacted:pattern:1]',
    });
  });

  it('takes what a function says, and what makes it throw', () => {
    const seen: unknown[] = [];
    const test = (text: string, where: object) => {
      seen.push([text, where]);
      if (text === 'throw') throw new Error('no');
      return text === 'take';
    };
    expect(redact({ a: { b: ['take', 'throw', 'leave'] } }, { test, name: 'mine' })).toEqual({
      a: { b: ['[redacted:mine:1]', '[redacted:mine:2]', 'leave'] },
    });
    expect(seen).toContainEqual(['leave', { path: ['a', 'b', 2] }]);
  });

  it('comes before what the protocol keeps, where it names the place', () => {
    expect(redact({ params: { requestState: 'x-1' } }, { pointer: '/params/requestState' })).toEqual({
      params: { requestState: '[redacted:requestState:1]' },
    });
  });

  describe('with a name and a pattern for the whole value', () => {
    const TOKEN = 'acme_live_9fK2mQ7xZ1';
    const rule: RedactionRule = { pattern: 'acme_live_\\w+', name: 'ACME_TOKEN' };

    it('names the placeholder before the key, the scheme and the known form of the value', () => {
      const named = { token: '[redacted:ACME_TOKEN:1]', note: 'as [redacted:ACME_TOKEN:1]' };
      expect(redact({ token: TOKEN, note: `as ${TOKEN}` }, rule)).toEqual(named);
      expect(redact({ password: 12345678 }, { pattern: '\\d{8}', name: 'PIN' })).toEqual({
        password: '[redacted:PIN:1]',
      });
      const github = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
      expect(redact({ said: `Bearer ${github}` }, { pattern: 'ghp_\\w+', name: 'CI_TOKEN' })).toEqual({
        said: 'Bearer [redacted:CI_TOKEN:1]',
      });
    });

    it('names it before the environment variable, which is not set on all machines', () => {
      for (const env of [{}, { SHOP_TOKEN: TOKEN }]) {
        const redactor = createRedactor({ env, rules: [rule] });
        const { value } = redactor.json(new JsonText(JSON.stringify({ token: TOKEN })));
        expect(value).toEqual({ token: '[redacted:ACME_TOKEN:1]' });
        expect(redactor.unusedRules()).toEqual([]);
      }
      const unused = createRedactor({ env: { SHOP_TOKEN: TOKEN }, rules: [rule] });
      expect(unused.json(new JsonText('{"city":"Oslo"}')).value).toEqual({ city: 'Oslo' });
      expect(unused.unusedRules()).toEqual([rule]);
    });

    it('names it before a rule for the key, because the value may stand under other keys', () => {
      const login = { login: TOKEN, said: `in as ${TOKEN}` };
      const named = { login: '[redacted:ACME_TOKEN:1]', said: 'in as [redacted:ACME_TOKEN:1]' };
      expect(redact(login, { key: 'login' }, rule)).toEqual(named);
      expect(redact({ params: { requestState: TOKEN } }, { key: 'requestState' }, rule)).toEqual({
        params: { requestState: '[redacted:ACME_TOKEN:1]' },
      });
    });

    it('leaves the name to others if it has none, matches a part of the value, or is made of a given secret', () => {
      expect(redact({ token: TOKEN }, { pattern: 'acme_live_\\w+' })).toEqual({ token: '[redacted:token:1]' });
      expect(redact({ token: `${TOKEN}-x` }, rule)).toEqual({ token: '[redacted:token:1]' });
      expect(redact({ token: TOKEN }, ...rulesForSecrets({ other: TOKEN }))).toEqual({ token: '[redacted:token:1]' });
    });
  });

  it('ends, whatever it matches', () => {
    const value = { a: 'some text', b: 'password=hunter2' };
    for (const rule of [
      { pattern: '' },
      { pattern: '.' },
      { pattern: /.*/s },
      { test: () => true },
    ] satisfies RedactionRule[])
      expect(JSON.stringify(redact(value, rule))).not.toContain('hunter2');
  });

  it.each([
    ['USAGE_BAD_RULE', { pattern: '(' }],
    ['USAGE_BAD_RULE', {} as RedactionRule],
    ['USAGE_BAD_POINTER', { pointer: 'params' }],
  ])('that cannot be used is an error: %s', (code, rule) => {
    expect(() => createRedactor({ env: {}, rules: [rule] })).toThrow(
      expect.objectContaining({ code, problem: expect.objectContaining({ next: expect.any(String) }) }),
    );
  });
});

it.each(['[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+', '(CUST|ORD)-\\d+'])(
  'a pattern whose first group is no value is refused, since the rest would stay: %s',
  (pattern) => {
    expect(() => redact('x', { pattern })).toThrow(/only its first group is redacted.*\[USAGE_BAD_RULE\]\n.*\(\?:…\)/);
  },
);
