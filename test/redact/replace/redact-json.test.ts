import { expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';

it.each([
  { password: { old: '', plain: 'q9w8e7r6t5' } },
  { password: { current: 'q9w8e7r6t5', new: 'T7x4Lq9Z2m' } },
  { credentials: { user: 'ann', value: 'q9w8e7r6t5' } },
  { column: 'password', val: 'q9w8e7r6t5' },
  { param: 'api_key', value: 'q9w8e7r6t5' },
  { 'set-cookie': 'a=b1c2d3e4; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, sid=q9w8e7r6t5' },
])('%j has a secret', (result) => {
  const { json } = createRedactor({ env: {} });
  expect(json(new JsonText(JSON.stringify({ id: 1, result }))).text).not.toMatch(/q9w8e7r6t5|T7x4Lq9Z2m/);
});

it('of cookies that were joined by commas each is a secret of its own, and their attributes are none', () => {
  const { json } = createRedactor({ env: {} });
  const joined = 'a=b1c2d3e4; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, sid=q9w8e7r6t5; Max-Age=5';
  expect(json(new JsonText(JSON.stringify({ 'set-cookie': joined }))).value).toEqual({
    'set-cookie':
      'a=[redacted:set-cookie:1]; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, sid=[redacted:set-cookie:2]; Max-Age=5',
  });
});

it.each(['inputSchema', 'properties', 'tools', 'session_id'])(
  'a key stays, though %s is a password elsewhere',
  (name) => {
    const { json } = createRedactor({ env: {} });
    const said = JSON.stringify({ id: 1, result: { content: [{ type: 'text', text: `password=${name}` }] } });
    expect(json(new JsonText(said)).text).not.toContain(name);
    const later = JSON.stringify({ id: 2, result: { [name]: { type: 'object', [name]: 1 } } });
    expect(json(new JsonText(later)).text).toBe(later);
  },
);

it('a token is none that may stay in a key', () => {
  const { json } = createRedactor({ env: {} });
  const said = JSON.stringify({
    id: 1,
    result: { ghp_abcdefghijklmnopqrstuvwxyz0123456789: true, 'password=q9w8e7r6t5': 1 },
  });
  expect(json(new JsonText(said)).text).not.toMatch(/ghp_|q9w8e7r6t5/);
});

it('a known secret is one as a number, too, but for the ids of the protocol and short counts', () => {
  const { json, text, isOfNumber } = createRedactor({ env: {} });
  text('password: 48291377, pin: "771234"');
  const said = {
    jsonrpc: '2.0',
    id: 48291377,
    result: { code: 48291377, count: 771234, near: 482913770, list: [48291377] },
  };
  const placeholder = '[redacted:password:1]';
  expect(json(new JsonText(JSON.stringify(said))).value).toEqual({
    ...said,
    result: { ...said.result, code: placeholder, list: [placeholder] },
  });
  expect(isOfNumber(placeholder)).toBe(true);
});
