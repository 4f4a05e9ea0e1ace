import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/protocol/json-text.ts';
import { unsearchedHeaders } from '../../src/redact/given-credentials.ts';
import { createRedactor } from '../../src/redact/redactor.ts';

const OPAQUE = 'clientOpaque55Xyz789Qq';
const basic = (text: string) => Buffer.from(text).toString('base64');

describe('numbers of placeholders do not depend on the environment', () => {
  const rules = [{ pattern: 'CUST-\\d{5}', name: 'customer' }];
  const texts = ['Ada (CUST-12345)', 'Bob (CUST-67890), not CUST-00000'];
  const numbered = (env: Record<string, string>) => {
    const redactor = createRedactor({ env, rules });
    return texts.map(redactor.text);
  };

  it.each([
    ['a variable', { FOO: 'CUST-00000' }],
    ['a variable with more text', { FOO: 'as CUST-00000 and CUST-67890 are' }],
    ['a variable of a credential', { CUSTOMER_TOKEN: 'CUST-00000' }],
    ['a variable in base64', { FOO: basic('customer is CUST-00000, as said') }],
    ['a secret that is in no message', { FOO: 'CUST-99999' }],
  ])('of a rule, with %s', (_, env) => {
    expect(numbered(env)).toEqual(numbered({}));
    expect(numbered({})[1]).toBe('Bob ([redacted:customer:2]), not [redacted:customer:3]');
  });

  it('of a token kind', () => {
    const token = (letter: string) => `ghp_${`${letter}B3dE6gH9jK2mN5pQ8sT`.repeat(2).slice(0, 36)}`;
    const redactor = createRedactor({ env: { FOO: token('a') } });
    expect([token('b'), token('a')].map(redactor.text)).toEqual([
      '[redacted:github-token:1]',
      '[redacted:github-token:2]',
    ]);
  });

  it('and its values are still found where no rule would see them', () => {
    const redactor = createRedactor({
      env: { FOO: 'key CUST-00000' },
      rules: [{ pattern: 'key (CUST-\\d{5})', name: 'id' }],
    });
    expect(redactor.text('no key: CUST-00000')).toBe('no key: [redacted:id:1]');
    const [id] = [new JsonText('{"jsonrpc":"2.0","id":1,"result":{"nextCursor":"CUST-00000"}}')];
    expect(redactor.json(id).text).not.toContain('CUST-00000');
  });
});

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
    ['Authentication', OPAQUE, OPAQUE],
    ['X-User-JWT', 'not-a-jwt-1234567', 'not-a-jwt-1234567'],
    ['X-Custom-Credential', 'cred11223344', 'cred11223344'],
    ['X-Acme-Creds', 'k7-l8-m9', 'k7-l8-m9'],
    ['Cf-Access-Jwt-Assertion', OPAQUE, OPAQUE],
    ['X-Amzn-Oidc-Data', OPAQUE, OPAQUE],
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
      'Idempotency-Key',
      'r7q8w9e0t1y2',
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
    ['x-whatever', 'opaqueGivenCmd77Qq12'],
    ['X-Whatever', 'Bearer opaque7'],
  ])('%s: their values are redacted from the start', (name, value) => {
    const { text } = createRedactor({ env: {}, headers: { [name]: value } });
    const secret = value.split(' ').at(-1)!;
    expect(text(`it was ${secret}`)).toMatch(/^it was \[redacted:/);
  });

  it('hold what is no credential, too', () => {
    const headers = {
      'user-agent': 'probe/1.2',
      'x-team': 'alpha-team',
      'MCP-Protocol-Version': '2025-11-25',
      'x-request-id': 'r7q8w9e0t1y2',
    };
    const { text } = createRedactor({ env: {}, headers });
    expect(text(Object.values(headers).join(' of '))).toBe(Object.values(headers).join(' of '));
  });
});

describe('a header that a rule for a key names', () => {
  const rules = [
    { key: 'X-Acme' },
    { key: /^x-team/, name: 'team' },
    { key: 'region' },
    { key: /name/ },
    { pointer: '/x-other' },
  ];
  const plain = 'q7Wd-zzRt-91xK';

  it.each([
    ['x-acme', plain, plain, 'x-acme'],
    ['X-ACME', `Bearer ${plain}`, plain, 'x-acme'],
    ['X-Team-Of', 'alpha-project', 'alpha-project', 'team'],
    ['Mcp-Param-Region', 'eu-west-3b', 'eu-west-3b', 'region'],
  ])('%s: %s is a known value, of a client or given', (name, value, secret, placeholder) => {
    const learning = createRedactor({ env: {}, rules });
    learning.learnHeaders(['Accept', '*/*', name, value]);
    const given = createRedactor({ env: {}, rules, headers: { [name]: value } });
    for (const { text, json, unusedRules } of [learning, given]) {
      expect(text(`it was ${secret}!`)).toMatch(new RegExp(`^it was \\[redacted:${placeholder}:\\d\\]!$`));
      const cursor = json(new JsonText(`{"jsonrpc":"2.0","id":1,"result":{"tools":[],"nextCursor":"at ${secret}"}}`));
      expect(cursor.text).not.toContain(secret);
      expect(unusedRules()).toHaveLength(learning.text === text ? 4 : 5);
    }
  });

  it.each([
    ['a pointer names a place of a message', 'x-other', plain],
    ['the message says it, too', 'mcp-name', 'get_forecast'],
    ['a common word could be anything', 'x-acme', 'production'],
    ['it is too short', 'x-acme', 'k7'],
  ])('is none where %s', (_why, name, value) => {
    const redactor = createRedactor({ env: {}, rules });
    redactor.learnHeaders([name, value]);
    expect(redactor.text(`it was ${value}`)).toBe(`it was ${value}`);
  });

  it('has its placeholder in the cassette, if that has the header, whatever the value is', () => {
    const { frame } = createRedactor({ env: {}, rules });
    const headers = { 'x-acme': 'k7', 'mcp-param-region': '', accept: '*/*' };
    expect(frame({ kind: 'open', at: 0, from: 'client', method: 'GET', headers })).toMatchObject({
      headers: { ...headers, 'x-acme': '[redacted:x-acme:1]' },
    });
  });
});

it('a value that its caller knows as a secret has a placeholder wherever it comes again, unless it is allowed', () => {
  const redactor = createRedactor({ env: {}, allow: ['public-5-value'] });
  expect(redactor.secret('code', 'zebra-92-lamp')).toBe('[redacted:code:1]');
  expect(redactor.text('It was zebra-92-lamp.')).toBe('It was [redacted:code:1].');
  expect(redactor.hasRedacted()).toBe(true);
  expect(redactor.secret('code', 'public-5-value')).toBe('public-5-value');
});

describe('a value that a variable or a command has given for a header', () => {
  it.each([
    ['x-team', 'blueberry', 'of blueberry!', 'of [redacted:x-team:1]!'],
    ['x-team', 'blueberry', 'of blueberrys', 'of blueberrys'],
    ['x-team', 'k7-q9w', 'of k7-q9w!', 'of [redacted:x-team:1]!'],
    ['user-agent', 'acme internal', 'of acme internal!', 'of [redacted:user-agent:1]!'],
    ['x-team', 'Bearer q7Wd-zzRt', 'of q7Wd-zzRt!', 'of [redacted:x-team:1]!'],
    ['x-team', '/srv/acme/of-ann', 'of /srv/acme/of-ann!', 'of [redacted:x-team:1]!'],
    ['x-team', 'q7W', 'of q7W!', 'of q7W!'],
    ['x-team', 'production', 'of production!', 'of production!'],
  ])('%s: %s makes %s %s', (name, value, text, redacted) => {
    expect(createRedactor({ env: {}, headerSecrets: { [name]: [value] } }).text(text)).toBe(redacted);
    const isWord = text === redacted && !text.includes(`${value}s`);
    expect(unsearchedHeaders({ [name]: [value] })).toEqual(isWord ? [name] : []);
  });

  it('is a secret for its origin: a plain value that is written out is none', () => {
    const { text } = createRedactor({ env: {}, headers: { 'x-team': 'blueberry', 'user-agent': 'acme internal' } });
    expect(text('of blueberry, acme internal')).toBe('of blueberry, acme internal');
  });
});
