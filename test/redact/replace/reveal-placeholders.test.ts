import { expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';

const json = (value: unknown) => new JsonText(JSON.stringify(value));

it('a message with the placeholders of a redactor becomes the message that it was given', () => {
  const { json: redacted, revealed, hasRedacted } = createRedactor({ env: {} });
  expect(hasRedacted()).toBe(false);
  const message = json({ password: 'zebra "92" \n lamp', note: 'and zebra "92" \n lamp again' });
  const safe = redacted(message);
  expect(safe.text).not.toContain('zebra');
  expect(hasRedacted()).toBe(true);
  expect(revealed(safe).value).toEqual(message.value);
});

it('placeholders that the redactor has not given stay, and a message without any is the same object', () => {
  const { revealed } = createRedactor({ env: {} });
  for (const message of [json({ a: '[redacted:password:1]' }), json({ a: 1 })]) expect(revealed(message)).toBe(message);
});

it('a secret that came in an URL is given back as it was written there', () => {
  const { json: redacted, revealed } = createRedactor({ env: {} });
  const message = json({ url: 'https://example.com/?password=zebra%2F92%2Dlamp' });
  const safe = redacted(message);
  expect(safe.text).toContain('[redacted:password:1]');
  expect(revealed(safe).value).toEqual(message.value);
});
