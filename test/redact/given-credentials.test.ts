import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/protocol/json-text.ts';
import { createRedactor } from '../../src/redact/redactor.ts';

const OPAQUE = 'clientOpaque55Xyz789Qq';
const basic = (text: string) => Buffer.from(text).toString('base64');

describe('the credentials of a request', () => {
  it.each([
    ['Authorization', `Bearer ${OPAQUE}`, OPAQUE],
    ['authorization', `Custom ${OPAQUE}`, OPAQUE],
    ['Authorization', OPAQUE, OPAQUE],
    ['Authorization', `Basic ${basic(`somebody:${OPAQUE}`)}`, OPAQUE],
    ['Authorization', `Basic ${basic(`somebody:${OPAQUE}`)}`, basic(`somebody:${OPAQUE}`)],
    ['Proxy-Authorization', `Bearer ${OPAQUE}`, OPAQUE],
    ['X-API-Key', OPAQUE, OPAQUE],
    ['X-Auth-Token', OPAQUE, OPAQUE],
    ['Cookie', `theme=dark; sid=${OPAQUE}`, OPAQUE],
  ])('in %s: %s are redacted in all that follows', (name, value, secret) => {
    const redactor = createRedactor({ env: {} });
    const answer = new JsonText(
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: { said: `you are ${secret}, hello` } }),
    );
    expect(redactor.json(answer)).toBe(answer);
    redactor.learnHeaders(['Accept', 'application/json', name, value]);
    expect(redactor.hasRedacted()).toBe(false);
    const safe = redactor.json(answer).text;
    expect(safe).not.toContain(secret);
    expect(safe).toMatch(/you are \[redacted:[\w-]+:\d\], hello/);
    const written = Buffer.from(answer.text);
    expect(redactor.isClean(written, 0, written.length)).toBe(false);
  });

  it('are not what other headers say', () => {
    const redactor = createRedactor({ env: {} });
    redactor.learnHeaders([
      'Accept',
      'application/json',
      'Mcp-Session-Id',
      OPAQUE,
      'User-Agent',
      'client-7f3a9b/1.2',
      'Authorization',
      'Bearer',
    ]);
    expect(redactor.learnt()).toEqual([]);
    expect(redactor.text(`session ${OPAQUE} of client-7f3a9b/1.2`)).toBe(`session ${OPAQUE} of client-7f3a9b/1.2`);
  });
});

describe('headers that a user has given', () => {
  it.each([
    ['authorization', `Bearer ${OPAQUE}`],
    ['x-team-auth', OPAQUE],
    ['x-whatever', 'a1b2c3d4e5f6a7b8'],
  ])('%s: their values are redacted from the start', (name, value) => {
    const { text } = createRedactor({ env: {}, headers: { [name]: value } });
    const secret = value.split(' ').at(-1)!;
    expect(text(`it was ${secret}`)).toMatch(/^it was \[redacted:/);
  });

  it('hold what is no credential, too', () => {
    const { text } = createRedactor({ env: {}, headers: { 'user-agent': 'probe/1.2', 'x-team': 'alpha-team' } });
    expect(text('probe/1.2 of alpha-team')).toBe('probe/1.2 of alpha-team');
  });
});
