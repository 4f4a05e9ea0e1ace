import { describe, expect, it } from 'vitest';
import { exactValue } from '../../../src/match/exact-json-value.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { restored } from '../../../src/redact/replace/restore-secrets.ts';
import { rulesForSecrets } from '../../../src/redact/rules/rules-for-secrets.ts';
import { SecretBindings } from '../../../src/replay/match/secret-bindings.ts';
import {
  hasLiteralPlaceholder,
  liveRedaction,
  placeholderAdvice,
  withRecordedPlaceholders,
} from '../../../src/verify/compare/equal-placeholders.ts';

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

  it.each([
    ['beside another difference', '{"token":"[redacted:x:1]","total":3}', '{"token":"abc","total":4}'],
    ['behind another one', 'a [redacted:y:1], with [redacted:x:1]', 'b, with secret'],
    ['in a number', '[redacted:x:1]', 4711],
  ])('is there for a value in the place of a placeholder %s', (_, recorded, live) => {
    expect(advice({ text: recorded }, { text: live })).toHaveLength(1);
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
    ['the text is another one', { text: 'Signed in with [redacted:x:1]' }, { text: 'The shop is closed' }],
    ['the text ends before it', { text: 'Signed in with [redacted:x:1]' }, { text: 'Signed in with ' }],
    ['the JSON is another one', { text: '{"token":"[redacted:x:1]","total":3}' }, { text: '{"total":4}' }],
    ['another value differs', { n: 1, text: '[redacted:x:1]' }, { n: 2, text: '[redacted:x:1]' }],
  ])('there is none where %s', (_, recorded, live) => {
    expect(advice(recorded, live)).toEqual([]);
  });

  it('there is none without rules', () => {
    expect(placeholderAdvice({ text: '[redacted:x:1]' }, { text: 'a' }, undefined)).toEqual([]);
  });
});

describe.each(['tok-7Zk29xLmP0vRt41?>', 'q7Wd-zzRt-91xK'])('a secret that is all of an encoded text: %s', (token) => {
  // Of a secret this short, only the encoding of a known one is found.
  const sources = { env: { TOKEN: token } };
  const rule = { rules: [{ pattern: 'tok-[^"\\\\ ]+', name: 'TOKEN' }] };
  const redaction = (given: Record<string, string>) =>
    liveRedaction(createRedactor({ ...sources, ...rule }), given, () => '', sources);
  const encodings = {
    raw: (text: string) => text,
    base64: (text: string) => Buffer.from(text).toString('base64'),
    base64url: (text: string) => Buffer.from(text).toString('base64url'),
    hex: (text: string) => Buffer.from(text).toString('hex'),
  };
  type Encoding = keyof typeof encodings;
  const names = Object.keys(encodings) as Encoding[];
  /** What verify compares: the cassette, with the secret in place of its placeholder if it is given. */
  const passes = (before: Encoding, now: Encoding, given: Record<string, string>, secret = token) => {
    const recorded = createRedactor({ ...sources, ...rule }).json(
      new JsonText(JSON.stringify({ text: encodings[before](token) })),
    );
    const frame = { kind: 'message', at: 0, from: 'server', json: recorded } as const;
    const { json } = restored(frame, given) as typeof frame;
    const live = { text: encodings[now](secret) };
    const aligned = withRecordedPlaceholders(value(json.value), value(live), redaction(given));
    return JSON.stringify(aligned) === json.text;
  };

  it.each(names)('passes as it is: %s', (name) => {
    expect(passes(name, name, { TOKEN: token })).toBe(true);
    expect(passes(name, name, {})).toBe(true);
    expect(passes(name, name, { TOKEN: token }, 'tok-another00Xx11?>')).toBe(false);
  });

  it.each(
    names
      .flatMap((before) => names.map((now) => [before, now] as const))
      .filter(([before, now]) => before.slice(0, 6) !== now.slice(0, 6)),
  )('fails if the encoding is another one: %s, then %s', (before, now) => {
    expect(passes(before, now, { TOKEN: token })).toBe(false);
    expect(passes(before, now, {})).toBe(false);
  });
});

describe('a credential that the client sends in a header', () => {
  const [token, another] = ['parcelOpaque55Xyz789Qq', 'someoneElses77Abc123Rr'];
  const env = { PARCEL_TOKEN: token };
  const sources = { env, headers: { authorization: `Bearer ${token}` } };
  const own = liveRedaction(createRedactor(sources), {}, () => '', sources);
  const verdict = (recorded: unknown, live: unknown) =>
    JSON.stringify(withRecordedPlaceholders(value(recorded), value(live), own)) === JSON.stringify(value(recorded));

  it.each(['PARCEL_TOKEN', 'parcel-token', 'authorization', 'Authorization'])(
    'is no other secret in place of %s',
    (name) => {
      const recorded = { text: `you are Bearer [redacted:${name}:1]` };
      expect(verdict(recorded, { text: `you are Bearer ${token}` })).toBe(true);
      expect(verdict(recorded, { text: `you are Bearer ${another}` })).toBe(false);
      const both = { all: [`Bearer [redacted:${name}:1]`, 'password=[redacted:password:1]'] };
      expect(verdict(both, { all: [`Bearer ${token}`, `password=correct-horse-9`] })).toBe(true);
      expect(verdict(both, { all: [`Bearer ${another}`, `password=correct-horse-9`] })).toBe(false);
      const key = { [`Bearer [redacted:${name}:1]`]: 1 };
      expect(verdict(key, { [`Bearer ${token}`]: 1 })).toBe(true);
      expect(verdict(key, { [`Bearer ${another}`]: 1 })).toBe(false);
      const encoded = (secret: string) => ({
        text: Buffer.from(`the words are Bearer ${secret}, here`).toString('base64'),
      });
      expect(verdict(encoded(`[redacted:${name}:1]`), encoded(token))).toBe(true);
      expect(verdict(encoded(`[redacted:${name}:1]`), encoded(another))).toBe(false);
    },
  );

  it('is shown as another secret in a difference', () => {
    expect(
      withRecordedPlaceholders(
        value({ text: 'Bearer [redacted:PARCEL_TOKEN:1]' }),
        value({ text: `Bearer ${another}` }),
        own,
      ),
    ).toEqual({ text: 'Bearer [redacted:another-secret:1]' });
  });

  it('may be any secret, where the placeholder has another name or number', () => {
    for (const placeholder of ['[redacted:cookie:1]', '[redacted:authorization:2]', '[redacted:OTHER_TOKEN:1]'])
      expect(verdict({ text: `Bearer ${placeholder}` }, { text: `Bearer ${another}` })).toBe(true);
  });

  it('is named in the advice', () => {
    const recorded = value({ text: 'Bearer [redacted:authorization:1]' });
    const live = withRecordedPlaceholders(recorded, value({ text: `Bearer ${another}` }), own);
    expect(placeholderAdvice(recorded, live, own)).toEqual([
      'The server said another secret at /text, where the cassette has the credential that this run sends in a header.',
    ]);
  });

  it('hides no other text, in base64 either', () => {
    const said = (secret: string) => ({
      text: `for ${Buffer.from(`it is Bearer ${secret}, here`).toString('base64')} so`,
    });
    const live = withRecordedPlaceholders(value(said('[redacted:authorization:1]')), value(said(another)), own);
    expect(live).toEqual(value({ text: 'for [encoded [redacted:another-secret:1]] so' }));
  });
});

describe('with bindings', () => {
  const text = (n: number) => `is [redacted:order:${n}]`;
  const bound = () => {
    const withBindings = { ...redaction, bindings: new SecretBindings() };
    return (recorded: unknown, live: unknown) => {
      const after = withRecordedPlaceholders(value(recorded), value(live), withBindings);
      return { after, advice: placeholderAdvice(value(recorded), after, withBindings) };
    };
  };

  it('a value is the placeholder that it was compared with first, and no other', () => {
    const compare = bound();
    expect(compare({ a: text(1) }, { a: 'is ORD-1' }).after).toEqual(value({ a: text(1) }));
    expect(compare({ b: text(2), c: text(1) }, { b: 'is ORD-1', c: 'is ORD-1' })).toEqual({
      after: value({ b: text(1), c: text(1) }),
      advice: ['The server said for [redacted:order:2] at /b the value that it said for [redacted:order:1].'],
    });
    expect(compare({ b: text(2) }, { b: 'is ORD-2' }).after).toEqual(value({ b: text(2) }));
  });

  it('a placeholder has one value', () => {
    const compare = bound();
    compare({ a: text(1) }, { a: 'is ORD-1' });
    expect(compare({ a: text(1) }, { a: 'is ORD-2' })).toEqual({
      after: value({ a: 'is [another value]' }),
      advice: ['The server said another value than before for [redacted:order:1] at /a.'],
    });
  });

  it('base64 is bound, too', () => {
    const compare = bound();
    const base64 = (inner: string) => Buffer.from(`the number of it ${inner}, as it was`).toString('base64');
    compare({ a: text(1) }, { a: 'is ORD-1' });
    expect(compare({ a: base64(text(2)) }, { a: base64('is ORD-1') }).after).toEqual(
      value({ a: '[encoded [redacted:order:1]]' }),
    );
    expect(compare({ a: base64(text(2)) }, { a: base64('is ORD-2') }).after).toEqual(value({ a: base64(text(2)) }));
  });

  it('of base64 shows the rest of its text', () => {
    const compare = bound();
    const base64 = (inner: string) => Buffer.from(`the number is ${inner}, as it was`).toString('base64');
    compare({ a: text(1) }, { a: 'is ORD-1' });
    const recorded = { a: `Bob ${text(2)}, at /c?k=${base64('[redacted:order:2]')}&n=1` };
    const { after, advice } = compare(recorded, { a: `Bob is ORD-2, at /c?k=${base64('ORD-1')}&n=1` });
    expect(after).toEqual(value({ a: `Bob ${text(2)}, at /c?k=[encoded [redacted:order:1]]&n=1` }));
    expect(advice).toEqual([
      'The server said for [redacted:order:2] at /a the value that it said for [redacted:order:1].',
    ]);
  });
});

it('in base64, a value that was given is compared, and beside it any secret passes that was not', () => {
  const rules = [{ pattern: /ORD-\d+/, name: 'order' }];
  const redactor = createRedactor({ env: {}, rules });
  const sources = { env: {} };
  const given = liveRedaction(redactor, { order: 'ORD-1' }, () => '', sources);
  const base64 = (text: string) => Buffer.from(`the orders of today: ${text}, as they were`).toString('base64');
  const compare = (live: string) =>
    withRecordedPlaceholders(value({ a: base64('ORD-1 and [redacted:order:2]') }), value({ a: base64(live) }), given);
  const recorded = value({ a: base64('ORD-1 and [redacted:order:2]') });
  expect(compare('ORD-1 and ORD-77')).toEqual(recorded);
  expect(compare('ORD-8 and ORD-77')).not.toEqual(recorded);
  expect(compare('ORD-1 and none')).not.toEqual(recorded);
});

describe('a placeholder that the server itself sends', () => {
  const [KEY, PLACEHOLDER] = ['sk-orange-juice-4711', '[redacted:apiKey:1]'];
  const given = () => {
    const redactor = createRedactor({ env: {}, rules: rulesForSecrets({ apiKey: KEY }) });
    return { ...liveRedaction(redactor, { apiKey: KEY }, () => '', { env: {} }), bindings: new SecretBindings() };
  };
  const base64 = (text: string) => Buffer.from(`the key is ${text}, as it was`).toString('base64');

  it('in base64, leaves the rest of its text', () => {
    const said = (key: string) => value({ text: `plan gold, ${base64(key)}, end` });
    const after = withRecordedPlaceholders(said(KEY), said(PLACEHOLDER), given());
    expect(after).toEqual(value({ text: 'plan gold, [encoded [the placeholder itself]], end' }));
  });

  it.each([
    ['in a text', { text: `key ${KEY}` }, { text: `key ${PLACEHOLDER}` }],
    ['in base64', { text: base64(KEY) }, { text: base64(PLACEHOLDER) }],
    ['beside another', { text: `${KEY} [redacted:other:1]` }, { text: `${PLACEHOLDER} [redacted:other:1]` }],
  ])('is no value that was given, %s', (_, recorded, live) => {
    const heard = withRecordedPlaceholders(value(recorded), value(live), given());
    expect(heard).not.toEqual(value(recorded));
    expect(hasLiteralPlaceholder(heard)).toBe(true);
    expect(placeholderAdvice(value(recorded), heard, given())).toEqual([
      expect.stringMatching(/^The server sent a placeholder of the cassette itself at /),
    ]);
  });

  it('is no key with a given value', () => {
    const recorded = value({ [`of ${KEY}`]: 1 });
    expect(withRecordedPlaceholders(recorded, value({ [`of ${PLACEHOLDER}`]: 1 }), given())).not.toEqual(recorded);
  });

  it('is no value that this run has seen before', () => {
    const bound = { ...redaction, bindings: new SecretBindings() };
    const recorded = value({ text: '[redacted:order:1]' });
    expect(withRecordedPlaceholders(recorded, value({ text: 'ORD-1' }), bound)).toEqual(recorded);
    expect(hasLiteralPlaceholder(withRecordedPlaceholders(recorded, recorded, bound))).toBe(true);
  });

  it('passes where nobody knows the value, as from a mock server', () => {
    const recorded = value({ text: '[redacted:order:1]' });
    expect(withRecordedPlaceholders(recorded, recorded, { ...redaction, bindings: new SecretBindings() })).toEqual(
      recorded,
    );
    expect(withRecordedPlaceholders(recorded, recorded, given())).toEqual(recorded);
  });
});
