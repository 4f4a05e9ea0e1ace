import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/protocol/json-text.ts';
import { redactCassette } from '../../src/record/redact-file/redact-cassette.ts';
import { createRedactor } from '../../src/redact/redactor.ts';

const TOKEN = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}`;
const STRIPE = `rk_test_${'a1B2c3D4e5F6g7H8'}`;

/** Redacts the result of a tool, twice. */
function redacted(result: unknown): unknown {
  const json = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
  const once = createRedactor({ env: {} }).json(new JsonText(json)).text;
  expect(createRedactor({ env: {} }).json(new JsonText(once)).text).toBe(once);
  const cassette = `format: mcp-record/1\nevents:\n- client: { id: 1, method: a }\n- server: ${json}\n`;
  const safe = redactCassette(cassette, 'a.yaml', createRedactor({ env: {} })).text;
  expect(redactCassette(safe, 'a.yaml', createRedactor({ env: {} })).secrets).toEqual([]);
  const bytes = Buffer.from(`${json}\n`);
  if (once !== json && /^[ -~]*$/.test(json) && !/[\\&%@]/.test(json))
    expect(createRedactor({ env: {} }).isClean(bytes, 0, bytes.length - 1)).toBe(false);
  return (JSON.parse(once) as { result: unknown }).result;
}

const decimal = (text: string) => [...text].map((c) => `&#${c.charCodeAt(0)};`).join('');
const hex = (text: string) => [...text].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join('');

describe('HTML entities in a token', () => {
  it.each([
    TOKEN.replace('p', '&#112;'),
    TOKEN.replace('_', '&#x5F;'),
    TOKEN.replace('_', '&#X005f;'),
    TOKEN.replace('_', '&lowbar;'),
    STRIPE.replace('_', '&#95;'),
    STRIPE.replaceAll('_', '&lowbar;'),
    decimal(TOKEN),
    hex(STRIPE),
  ])('do not hide it: %s', (token) => {
    expect(redacted({ text: `at ${token} so` })).toEqual({
      text: expect.stringMatching(/^at \[redacted:[\w-]+:1\] so$/),
    });
  });

  it.each([`password=${decimal('hunter2-x')}`, `pass&#119;ord=hunter2-x`, `${hex('password=hunter2-x')}`])(
    'nor a password: %s',
    (text) => {
      expect(redacted({ text })).toEqual({ text: expect.stringMatching(/\[redacted:password:1\]$/) });
    },
  );

  it.each(['a &amp; b &lt; c', 'Caf&#233; &#8212; it&#39;s', '/a?b=1&c=2#d', '&#0;&#x110000;&#;', '&lowbar;&period;'])(
    'in a text without a secret stay: %s',
    (text) => expect(redacted({ text })).toEqual({ text }),
  );
});

/** Writes a text as a JSON string with the escape of a character by its number. */
const escaped = (text: string, character = '-') =>
  text.replaceAll(character, `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('escapes of JSON or code within a text', () => {
  const GIVEN = 'q7Wd-zzRt-91xK/a"b';
  const rules = [{ pattern: '(?i)CUST-[\\w-]+', name: 'customer' }];
  const texts = (text: string) => {
    const redactor = createRedactor({ env: { ACME_TOKEN: GIVEN }, rules });
    const line = { kind: 'line', at: 0, from: 'server', on: 'stderr', data: text } as const;
    const { json } = redactor.frame({
      kind: 'message',
      at: 0,
      from: 'server',
      json: new JsonText(JSON.stringify({ text })),
    }) as {
      json: JsonText;
    };
    return [redactor.text(text), (redactor.frame(line) as typeof line).data, (json.value as { text: string }).text];
  };

  it.each([
    ['a value of a rule', `Result: {"c":"${escaped('CUST-12345-XYZ')}"}`, 'Result: {"c":"[redacted:customer:1]"}'],
    ['in upper case', 'Result: {"c":"CUST\\u002D12345"}', 'Result: {"c":"[redacted:customer:1]"}'],
    ['a letter of it', 'Result: {"c":"\\u0043UST-12345"}', 'Result: {"c":"[redacted:customer:1]"}'],
    ['all of it', `is ${[...'CUST-12345'].map((c) => escaped(c, c)).join('')}`, 'is [redacted:customer:1]'],
    ['by two digits', "print 'CUST\\x2d12345'", "print '[redacted:customer:1]'"],
    ['in braces', "log('CUST\\u{2d}12345')", "log('[redacted:customer:1]')"],
    [
      'of JSON in JSON in a text',
      'a {"b":"{\\"c\\":\\"CUST\\\\u002d12345\\"}"}',
      'a {"b":"{\\"c\\":\\"[redacted:customer:1]\\"}"}',
    ],
    [
      'a known value',
      `Result: {"c":"${escaped(GIVEN.slice(0, 14))}\\/a\\"b"}`,
      'Result: {"c":"[redacted:ACME_TOKEN:1]"}',
    ],
    ['a slash and a quote only', 'Result: {"c":"q7Wd-zzRt-91xK\\/a\\"b"}', 'Result: {"c":"[redacted:ACME_TOKEN:1]"}'],
    ['a token', `at ${escaped(TOKEN, '_')}`, 'at [redacted:github-token:1]'],
    ['a password', 'then password\\u003dhunter2-x', 'then password\\u003d[redacted:password:1]'],
    ['in the name of a password', 'then pass\\u0077ord=hunter2-x', 'then pass\\u0077ord=[redacted:password:1]'],
  ])('do not hide %s', (_, text, safe) => {
    expect(texts(text)).toEqual([safe, safe, safe]);
  });

  it('leave a value one placeholder, in each spelling', () => {
    const [safe] = texts('password=hunter2\\u0026xY9 and password=hunter2&xY9 and password=hunter3xY9');
    expect(safe!.match(/\[redacted:password:\d\]/g)).toEqual([1, 1, 2].map((n) => `[redacted:password:${n}]`));
  });

  it.each([
    'C:\\users\\name\\x\\new',
    'print("\\x1b[0m\\u00e9 \\u{110000} \\u{1f600}")',
    'const address = /^postgres:\\/\\/([^:]+):([^@]+)@/;',
    'escaped \\" and \\/ and \\\\',
  ])('stay in a text without a secret: %s', (text) => {
    expect(texts(text)).toEqual([text, text, text]);
  });
});

describe('Set-Cookie in a text', () => {
  it.each([
    ['Set-Cookie: sid=A9f3kQ0zPq81LmXyTT42; HttpOnly\n', 'Set-Cookie: sid=[redacted:Set-Cookie:1]; HttpOnly\n'],
    ['set-cookie: sid=A9f3kQ0zPq81; Path=/; Secure', 'set-cookie: sid=[redacted:set-cookie:1]; Path=/; Secure'],
    ['Set-Cookie: sid=A9f3kQ0zPq81; Partitioned', 'Set-Cookie: sid=[redacted:Set-Cookie:1]; Partitioned'],
    [
      'Set-Cookie: sid=A9f3kQ0zPq81; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly',
      'Set-Cookie: sid=[redacted:Set-Cookie:1]; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly',
    ],
    ['Cookie: sid=A9f3kQ0zPq81; flag', 'Cookie: sid=[redacted:Cookie:1]; flag'],
  ])('%s', (text, safe) =>
    expect(redacted({ text: `HTTP/1.1 200 OK\n${text}` })).toEqual({ text: `HTTP/1.1 200 OK\n${safe}` }),
  );

  it.each(['The Set-Cookie: header sets it', 'Set-Cookie: name=value; HttpOnly'])('in prose stays: %s', (text) =>
    expect(redacted({ text })).toEqual({ text }),
  );
});

describe('a number under the name of a secret', () => {
  it.each([
    ['api_key', 918273645546372],
    ['apiKey', 918273],
    ['client_secret', 91827364],
    ['token', 91827364],
    ['accessToken', 91827364],
    ['otp', 49382711],
    ['password', 987654],
  ])('%s is replaced', (name, number) => {
    expect(redacted({ [name]: number })).toEqual({ [name]: `[redacted:${name}:1]` });
    expect(redacted({ text: JSON.stringify({ [name]: number }) })).toEqual({
      text: `{"${name}":"[redacted:${name}:1]"}`,
    });
    const pair = { name, value: number };
    expect(redacted({ list: [pair] })).toEqual({ list: [{ name, value: `[redacted:${name}:1]` }] });
  });

  it.each([
    { tokens: 123456789 },
    { totalTokens: 123456789 },
    { maxTokens: 1234567 },
    { token: 151643 },
    { visionToken: 151656 },
    { api_key: 12345 },
    { password: 12345 },
    { token: -91827364 },
    { token: 0.91827364 },
    { primaryKey: 918273645 },
    { session_id: 918273645 },
    { secretLength: 918273645 },
  ])('stays where it is a count or position: %j', (result) => expect(redacted(result)).toEqual(result));
});

describe('the id of a session', () => {
  it.each(['sessionid', 'sessionId', 'session_id', 'PHPSESSID', 'JSESSIONID', 'ASP.NET_SessionId'])(
    'under %s is replaced if it is random',
    (name) => {
      const id = 'A9f3kQ0zPq81LmXy';
      const instead = expect.stringMatching(/^\[redacted:[\w.-]+:1\]$/);
      expect(redacted({ [name]: id })).toEqual({ [name]: instead });
      expect(redacted({ text: `${name}=${id}` })).toEqual({ text: expect.stringMatching(/=\[redacted:[\w.-]+:1\]$/) });
    },
  );

  it.each([
    { sessionId: 'f47ac10b-58cc-4372-a567-0e02b2c3d479' },
    { sessionId: 'session-12' },
    { session_id: 'my-first-session-of-2026' },
    { permissionId: 'A9f3kQ0zPq81LmXy' },
    { obsessionIdea: 'A9f3kQ0zPq81LmXy' },
  ])('stays if it is none, or public: %j', (result) => expect(redacted(result)).toEqual(result));
});
