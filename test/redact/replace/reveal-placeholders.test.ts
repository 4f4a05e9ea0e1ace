import { expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';

const json = (value: unknown) => new JsonText(JSON.stringify(value));

it('a message with the placeholders of a redactor becomes the message that it was given', () => {
  const { json: redacted, restored, hasRedacted } = createRedactor({ env: {} });
  expect(hasRedacted()).toBe(false);
  const message = json({ password: 'zebra "92" \n lamp', note: 'and zebra "92" \n lamp again' });
  const safe = redacted(message);
  expect(safe.text).not.toContain('zebra');
  expect(hasRedacted()).toBe(true);
  expect(restored(safe).value).toEqual(message.value);
});

it('placeholders that the redactor has not given stay, and a message without any is the same object', () => {
  const { restored } = createRedactor({ env: {} });
  for (const message of [json({ a: '[redacted:password:1]' }), json({ a: 1 })]) expect(restored(message)).toBe(message);
});

it('a secret that came in an URL is given back as it was written there', () => {
  const { json: redacted, restored } = createRedactor({ env: {} });
  const message = json({ url: 'https://example.com/?password=zebra%2F92%2Dlamp' });
  const safe = redacted(message);
  expect(safe.text).toContain('[redacted:password:1]');
  expect(restored(safe).value).toEqual(message.value);
});

it('a number is given back as a number where its placeholder is a whole string, and as a text within others', () => {
  const {
    json: redacted,
    restored,
    isOfNumber,
  } = createRedactor({ env: {}, rules: [{ key: 'customer' }, { key: 'code' }] });
  const safe = redacted(json({ customer: 40718823, code: '5150-1984' }));
  expect(safe.value).toEqual({ customer: '[redacted:customer:1]', code: '[redacted:code:1]' });
  expect([isOfNumber('[redacted:customer:1]'), isOfNumber('[redacted:code:1]')]).toEqual([true, false]);
  const said = {
    list: ['[redacted:customer:1]', '[redacted:code:1]'],
    text: 'no. [redacted:customer:1], "[redacted:customer:1]"',
  };
  expect(restored(json(said)).value).toEqual({ list: [40718823, '5150-1984'], text: 'no. 40718823, "40718823"' });
});

it('only secrets that are accepted are shown', () => {
  const { json: redacted, revealed } = createRedactor({ env: {}, rules: [{ key: 'a' }, { key: 'b' }] });
  const safe = redacted(json({ a: 'zebra-92-lamp', b: 'tiger-17-fork' }));
  expect(revealed(safe, (secret) => secret === 'tiger-17-fork').value).toEqual({
    a: '[redacted:a:1]',
    b: 'tiger-17-fork',
  });
});

it('a short secret in base64 or hexadecimal is given back in its encoding', () => {
  const ACME_TOKEN = 'q7Wd-zzRt-91xK';
  const { json: redacted, restored } = createRedactor({ env: { ACME_TOKEN } });
  const message = json({ all: (['base64', 'hex'] as const).map((one) => Buffer.from(ACME_TOKEN).toString(one)) });
  const safe = redacted(message);
  expect(safe.text).not.toContain('redacted:');
  expect(safe.text).not.toBe(message.text);
  expect(restored(safe).value).toEqual(message.value);
});
