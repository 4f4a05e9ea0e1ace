import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { createRedactor, type Redactor } from '../../src/redact/redactor.ts';

const message = (text: string): Frame => ({
  kind: 'message',
  at: 0,
  from: 'client',
  json: new JsonText(text),
});

describe('a redactor', () => {
  it('gives back the very objects that hold no secret', () => {
    const redactor = createRedactor({ env: {} });
    const frames: Frame[] = [
      message('{"jsonrpc": "2.0", "id": 1.0, "method": "tools/list", "params": {"_meta": {"progressToken": 7}}}'),
      { kind: 'line', at: 0, from: 'server', on: 'stderr', data: 'listening on port 3000' },
      { kind: 'line', at: 0, from: 'server', on: 'stderr', data: Uint8Array.of(0xff, 0xfe) },
      { kind: 'open', at: 0, from: 'client', method: 'GET', path: '/mcp?x=1', headers: { accept: '*/*' } },
      { kind: 'http-response', at: 0, from: 'server', status: 404, headers: {}, body: 'not here' },
      { kind: 'sse', at: 0, from: 'server', sse: { id: '1', data: '/messages' } },
      { kind: 'comment', at: 0, from: 'server', text: 'ping' },
      { kind: 'close', at: 0, from: 'client' },
      { kind: 'signal', at: 0, from: 'client', signal: 'SIGTERM' },
      { kind: 'exit', at: 0, from: 'server', status: 0 },
    ];
    for (const frame of frames) expect(redactor.frame(frame)).toBe(frame);
    expect(redactor.learnt()).toEqual([]);
  });

  it('edits nothing of a message but its secrets', () => {
    const { json } = createRedactor({ env: {} });
    const text = '{ "id":1.0 , "params" : {"password":"hunter2\\n", "n":-0, "note":"it is hunter2\\n!" } }';
    expect(json(new JsonText(text)).text).toBe(
      '{ "id":1.0 , "params" : {"password":"[redacted:password:1]", "n":-0, "note":"it is [redacted:password:1]!" } }',
    );
  });

  it('calls the same secret the same, whichever way it comes', () => {
    const { json, text, learnt } = createRedactor({ env: { DEPLOY_TOKEN: 'Qx7 kV/2p+"Zt' } });
    const value = 'Qx7 kV/2p+"Zt';
    expect(text(`token=${encodeURIComponent(value)}&x=1`)).toBe('token=[redacted:DEPLOY_TOKEN:1]&x=1');
    expect(text(JSON.stringify(JSON.stringify({ a: value })))).toContain('[redacted:DEPLOY_TOKEN:1]');
    expect(text(Buffer.from(value).toString('base64'))).toBe(
      Buffer.from('[redacted:DEPLOY_TOKEN:1]').toString('base64'),
    );
    expect(json(new JsonText(JSON.stringify({ [value]: [value] }))).value).toEqual({
      '[redacted:DEPLOY_TOKEN:1]': ['[redacted:DEPLOY_TOKEN:1]'],
    });
    expect(learnt()).toEqual([{ placeholder: '[redacted:DEPLOY_TOKEN:1]', name: 'DEPLOY_TOKEN', everywhere: true }]);
  });

  it('finds in front of where it learnt a value, too', () => {
    const { json } = createRedactor({ env: {} });
    const result = {
      content: [{ type: 'text', text: 'got zebra-92-lamp' }],
      structuredContent: { apiKey: 'zebra-92-lamp' },
    };
    expect(json(new JsonText(JSON.stringify({ id: 1, result }))).value).toEqual({
      id: 1,
      result: {
        content: [{ type: 'text', text: 'got [redacted:apiKey:1]' }],
        structuredContent: { apiKey: '[redacted:apiKey:1]' },
      },
    });
  });

  it('numbers distinct values of a name, apart from those that it finds numbered', () => {
    const { text } = createRedactor({ env: {} });
    expect(text('password=[redacted:password:4] password=abc123x')).toBe(
      'password=[redacted:password:4] password=[redacted:password:5]',
    );
    expect(text('password=qwe789y, password=abc123x')).toBe(
      'password=[redacted:password:6], password=[redacted:password:5]',
    );
  });

  it('has the same placeholder for a secret in hexadecimal, in entities, and in a list of pairs', () => {
    const { text, json } = createRedactor({ env: { API_TOKEN: 'q9w8&e7"r6t5' } });
    const hex = (inner: string) => Buffer.from(inner).toString('hex');
    expect(text(`x ${hex('q9w8&e7"r6t5')}`)).toBe(`x ${hex('[redacted:API_TOKEN:1]')}`);
    expect(text(hex('a q9w8&e7"r6t5 b'))).toBe(hex('a [redacted:API_TOKEN:1] b'));
    expect(text('<i>q9w8&amp;e7&quot;r6t5</i>')).toBe('<i>[redacted:API_TOKEN:1]</i>');
    expect(text('token=&quot;q9w8&#38;e7&quot;r6t5&quot;')).toBe('token=&quot;[redacted:API_TOKEN:1]&quot;');
    const pairs = [['X-Api-Key', 'k1-l2-m3'], ['Host', 'k1-l2-m3.example'], { v: 'k1-l2-m3' }];
    expect(json(new JsonText(JSON.stringify({ id: 1, result: pairs }))).text).toBe(
      JSON.stringify({
        id: 1,
        result: [
          ['X-Api-Key', '[redacted:X-Api-Key:1]'],
          ['Host', '[redacted:X-Api-Key:1].example'],
          { v: '[redacted:X-Api-Key:1]' },
        ],
      }),
    );
  });

  it('lets stay what is allowed', () => {
    const { text, suspicious } = createRedactor({ env: {}, allow: ['abc123x', /^sk_test_/] });
    const stays = `password=abc123x ${['sk_test_', 'a1B2c3D4e5F6g7H8i9'].join('')}`;
    expect(text(stays)).toBe(stays);
    expect(suspicious(stays)).toBeUndefined();
  });

  it('says of a suspicious value where it is and what it looks like, and not what it is', () => {
    const { suspicious } = createRedactor({ env: {} });
    const token = ['ghp_', 'a1B2'.repeat(9)].join('');
    expect(suspicious(`see ${token}`)).toEqual({ name: 'github-token', start: 4, end: 44 });
    expect(suspicious('nothing to see: password=abc123x')).toBeUndefined();
  });

  it('looks into base64, alone and behind an escape', () => {
    const { json } = createRedactor({ env: {} });
    const blob = Buffer.from(`see ghp_${'a1B2'.repeat(9)} there`).toString('base64');
    for (const before of ['', 'line\n']) {
      const safe = json(new JsonText(JSON.stringify({ id: 1, result: before + blob }))).text;
      const [run = ''] = (JSON.parse(safe) as { result: string }).result.slice(before.length).split(' ');
      expect(Buffer.from(run, 'base64').toString()).toBe('see [redacted:github-token:1] there');
    }
  });

  it('does not suspect what it let stay for the protocol', () => {
    const { json, suspicious } = createRedactor({ env: {} });
    const state = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdGVwIjoyLCJhIjoxfQ', 'c2lnbmF0dXJl'].join('.');
    expect(suspicious(state)).toMatchObject({ name: 'jwt' });
    const message = new JsonText(JSON.stringify({ id: 1, result: { requestState: state } }));
    expect(json(message)).toBe(message);
    expect(suspicious(`- server: { requestState: ${state} }`)).toBeUndefined();
  });

  it('knows the values of variables that are named like credentials, if they are long enough and no common words', () => {
    const env = {
      A_TOKEN: 'short1',
      B_KEY: 'production',
      C_PASSWORD: 'l3tmein-now',
      PATH: '/usr/l3tmein-then',
      D_TOKEN: undefined,
    };
    const { text } = createRedactor({ env });
    expect(text('short1 production l3tmein-now /usr/l3tmein-then')).toBe(
      'short1 production [redacted:C_PASSWORD:1] /usr/l3tmein-then',
    );
  });

  it('knows the password in the URL that a variable holds', () => {
    const { text } = createRedactor({ env: { DATABASE_URL: 'postgres://ann:s3same-0pen@db/app' } });
    expect(text('no login for ann with s3same-0pen')).toBe('no login for ann with [redacted:url-password:1]');
  });

  it.each([
    'node server.js --token=%',
    'node server.js --api-key %',
    "node server.js --password '%'",
    'API_KEY=% node server.js',
    'docker run -e API_TOKEN=% image',
    '["node","server.js","--token=%"]',
    '["server.js","--api-key","%","--port","80"]',
    '["--password=%"]',
    '["API_KEY=%","node","server.js"]',
    '["-H","Authorization: Bearer %"]',
    '{"command":"node","args":["--secret","%"],"env":{"A":"b"}}',
    '{"command":"node","args":[],"env":{"API_KEY":"%"}}',
  ])('finds the secret of a command in a message: %s', (command) => {
    const { json } = createRedactor({ env: {} });
    const secret = 'q9w8e7r6t5';
    const data = /^[[{]/.test(command) ? command : JSON.stringify(command);
    const message = `{"jsonrpc":"2.0","method":"a","params":{"data":${data.replace('%', secret)}}}`;
    const safe = json(new JsonText(message)).text;
    expect(safe).toMatch(/\[redacted:[\w-]+:1\]/);
    expect(safe).not.toContain(secret);
  });

  it('takes what stands in a block of YAML, and the value of an object that is a secret', () => {
    const { text, json } = createRedactor({ env: {} });
    expect(text('token: |-\n  q9w8e7r6t5y4u3\nkind: x')).toBe('token: |-\n  [redacted:token:1]\nkind: x');
    const secret = new JsonText('{"secret":{"value":"q9w8e7r6t5","version":"v12-3"}}');
    expect(json(secret).text).toBe('{"secret":{"value":"[redacted:secret:1]","version":"v12-3"}}');
  });

  it('replaces a number only where it is long under the name of a secret, or a rule says so', () => {
    const { json } = createRedactor({ env: {} });
    expect(
      json(new JsonText('{"password": 12345678, "password2": 12, "token": 12345678, "token2": 151643}')).text,
    ).toBe(
      '{"password": "[redacted:password:1]", "password2": 12, "token": "[redacted:password:1]", "token2": 151643}',
    );
  });

  it('goes on where JSON is too deep to be walked', () => {
    const { json, text } = createRedactor({ env: {} });
    const deep = `${'['.repeat(10_000)}{"password":"hunter2-x"}${']'.repeat(10_000)}`;
    expect(json(new JsonText(deep)).text).toBe(deep.replace('hunter2-x', '[redacted:password:1]'));
    expect(text(deep)).toBe(deep.replace('hunter2-x', '[redacted:password:1]'));
  });

  it('takes what is no JSON after all for text', () => {
    const { json } = createRedactor({ env: {} });
    expect(json(new JsonText('{"password":"hunter2-x"')).text).toBe('{"password":"[redacted:password:1]"');
  });

  it('reads names that stand beside their values, and options before theirs', () => {
    const { json } = createRedactor({ env: {} });
    const params = {
      env: [
        { value: 'k-1', name: 'API_KEY' },
        { name: 'MODE', value: 'k-2' },
      ],
      args: ['--password', 'k-3', 'k-4'],
    };
    expect(json(new JsonText(JSON.stringify({ params }))).value).toEqual({
      params: {
        env: [
          { value: '[redacted:API_KEY:1]', name: 'API_KEY' },
          { name: 'MODE', value: 'k-2' },
        ],
        args: ['--password', '[redacted:password:1]', 'k-4'],
      },
    });
  });

  it('learns the password that came in base64', () => {
    const { text } = createRedactor({ env: {} });
    const basic = Buffer.from('ann:s3same-0pen').toString('base64');
    expect(text(`Authorization: Basic ${basic}, that is s3same-0pen`)).toBe(
      'Authorization: Basic [redacted:basic:1], that is [redacted:basic-password:1]',
    );
  });

  it.each(['base64', 'base64url', 'hex'] as const)(
    'keeps the encoding of a text that is nothing but a secret: %s',
    (encoding) => {
      const encode = (secret: string) => Buffer.from(secret).toString(encoding);
      const token = ['ghp_', 'a1B2'.repeat(9)].join('');
      for (const { name, value, env, rules } of [
        { name: 'github-token', value: token, env: {}, rules: [] },
        { name: 'API_TOKEN', value: 'q9w8-e7-r6t5/?>', env: { API_TOKEN: 'q9w8-e7-r6t5/?>' }, rules: [] },
        {
          name: 'customer',
          value: 'CUST-2024-118833-0042-7',
          env: {},
          rules: [{ pattern: 'CUST-[\\d-]+', name: 'customer' }],
        },
      ]) {
        const redacted = createRedactor({ env, rules }).text(`see ${encode(value)}`);
        const run = redacted.slice('see '.length);
        const bytes = Buffer.from(run, encoding === 'hex' ? 'hex' : 'base64');
        expect([name, `${bytes}`]).toEqual([name, `[redacted:${name}:1]`]);
      }
    },
  );

  it('goes on where a text holds more secrets than a call takes arguments', () => {
    const { json } = createRedactor({ env: {} });
    const many = new JsonText(JSON.stringify({ text: 'pwd=a1b2c3 '.repeat(200_000) }));
    expect(json(many).value).toEqual({ text: 'pwd=[redacted:pwd:1] '.repeat(200_000) });
  });
});

describe('many whole groups of base64', () => {
  const MANY = 'x'.repeat(8_000);
  const plainly = (redactor: Redactor, letters: string) => redactor.isPlainBase64(Buffer.from(letters));
  const saying = (text: string) => Buffer.from(text.padEnd(Math.ceil(text.length / 3) * 3)).toString('base64');

  it('need no closer look where neither they nor what they say may hold a secret', () => {
    const redactor = createRedactor({ env: {} });
    expect(plainly(redactor, MANY)).toBe(true);
    expect(plainly(redactor, saying('\u0001\n'.repeat(4_999)))).toBe(true);
  });

  it.each([
    ['a token in them', `${'x'.repeat(20)}-ghp_${'a1B2'.repeat(9)}--xxx`],
    ['a token in what they say', saying(`the token is ghp_${'a1B2'.repeat(9)}`)],
    ['a name in what they say', saying('this is my password: correct-horse-7')],
    ['base64 in what they say', saying(saying('something or other, and more of it'))],
    ['an escape in what they say', saying('it is 100%41 of all that there is here')],
    ['an address in what they say', saying('mail to somebody@example.org, and wait')],
    ['a group that is not whole', 'x'.repeat(41)],
    ['padding', `${'x'.repeat(42)}==`],
    ['something else between them', `${'x'.repeat(40)}.${'x'.repeat(43)}`],
  ])('need one because of %s', (_, letters) => {
    expect(plainly(createRedactor({ env: {} }), MANY + letters)).toBe(false);
  });

  it('need one where they begin like hexadecimal or say UTF-16, and where they are few', () => {
    const redactor = createRedactor({ env: {} });
    const wide = Buffer.from('it '.repeat(2_000), 'utf16le');
    expect(plainly(redactor, wide.toString('base64'))).toBe(false);
    expect(plainly(redactor, wide.swap16().toString('base64'))).toBe(false);
    expect(plainly(redactor, saying('&#112;a'.repeat(400)))).toBe(false);
    expect(plainly(redactor, '0123456789abcdef'.repeat(5) + MANY)).toBe(false);
    expect(plainly(redactor, 'x'.repeat(400))).toBe(false);
  });

  it('need one because of a secret that was learnt, or a rule', () => {
    const learnt = createRedactor({ env: { MY_PASSWORD: 'xyzzy-plugh-42' } });
    expect(plainly(learnt, MANY + saying('they say xyzzy-plugh-42 when they go'))).toBe(false);
    const ruled = createRedactor({ env: {}, rules: [{ name: 'n', pattern: /x{9}/ }] });
    expect(plainly(ruled, MANY)).toBe(false);
  });
});
