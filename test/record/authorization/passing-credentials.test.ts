import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { conversation, inSession, POST } from '../http-conversation.ts';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const BACK = 'http://127.0.0.1:1/back';
const ISSUER = 'https://auth.example';
type Conversation = ReturnType<typeof conversation>;
type Exchange = ReturnType<Conversation['ask']>;

/** Returns a value as servers make them up: it resembles no known token, and no word. */
const made = (letters: string) => `${letters}4f1c9027d3e8b65a`;
const loginOf = (n: number) => ({
  code: made(`c${n}`),
  verifier: made(`d${n}`),
  access: made(`a${n}`),
  refresh: made(`f${n}`),
});
type Login = ReturnType<typeof loginOf>;

const spellings = (secret: string) => [
  secret,
  Buffer.from(secret).toString('base64'),
  encodeURIComponent(secret),
  encodeURIComponent(encodeURIComponent(secret)),
];

/** A client logs in at the recorded server, by a browser and a token request. */
function logIn({ ask }: Conversation, { code, verifier, access, refresh }: Login, origin?: string): void {
  const at = origin === undefined ? {} : { origin };
  ask({ ...at, method: 'GET', path: `/authorize?response_type=code&redirect_uri=${encodeURIComponent(BACK)}` })
    .head(302, { Location: `${BACK}?code=${code}&state=s` })
    .ends();
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier: verifier });
  ask({ ...at, path: '/token', headers: FORM, body: `${form}` }).json({
    access_token: access,
    refresh_token: refresh,
    token_type: 'Bearer',
  });
}

const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
const initialized = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } };

function open({ ask }: Conversation, id: string, { access }: Login): void {
  const headers = { ...POST, Authorization: `Bearer ${access}` };
  ask({ body: initialize, headers }).json(initialized, { 'Mcp-Session-Id': id });
}

/** The server repeats values in the result of a tool. */
function repeat({ ask }: Conversation, session: string, { access }: Login, values: readonly string[]): void {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'debug', arguments: {} } };
  const content = values.flatMap(spellings).map((text) => ({ type: 'text', text: `x ${text} y` }));
  ask({ body, headers: inSession(session, { Authorization: `Bearer ${access}` }) }).json({
    jsonrpc: '2.0',
    id: 1,
    result: { content },
  });
}

function textsOf({ recorder, cassettes, cassetteText }: Conversation): string {
  recorder.end('complete');
  return cassettes().map(cassetteText).join('\n');
}

function expectNone(text: string, secrets: readonly string[]): void {
  for (const secret of secrets.flatMap(spellings)) expect(text).not.toContain(secret);
}

const [FIRST, SECOND] = [loginOf(1), loginOf(2)] as const;
const ALL = [FIRST, SECOND].flatMap((login) => Object.values(login));

describe.each([false, true])('credentials that pass, with authorization flows kept: %s', (keepsAuthorization) => {
  it('are in no cassette of a later session, nor of one that is still open', () => {
    using talk = conversation({ redacts: true, keepsAuthorization });
    logIn(talk, FIRST);
    open(talk, 's1', FIRST);
    logIn(talk, SECOND);
    open(talk, 's2', SECOND);
    repeat(talk, 's2', SECOND, ALL);
    repeat(talk, 's1', FIRST, ALL);
    const text = textsOf(talk);
    expectNone(text, ALL);
    expect(text.match(/x \[redacted:/g)!.length).toBeGreaterThanOrEqual(2 * ALL.length * 3);
    expect(talk.failures).toEqual([]);
  });

  it('of another authorization server are in no cassette', () => {
    using talk = conversation({ redacts: true, keepsAuthorization });
    logIn(talk, FIRST, ISSUER);
    open(talk, 's1', FIRST);
    repeat(talk, 's1', FIRST, Object.values(FIRST));
    expectNone(textsOf(talk), Object.values(FIRST));
  });
});

/** Values that pass in an exchange are in no cassette of a session that is open, or comes later. */
function expectKnown(secrets: readonly string[], pass: (talk: Conversation) => void): void {
  using talk = conversation({ redacts: true });
  open(talk, 's1', FIRST);
  pass(talk);
  repeat(talk, 's1', FIRST, secrets);
  open(talk, 's2', SECOND);
  repeat(talk, 's2', SECOND, secrets);
  const text = textsOf(talk);
  expectNone(text, secrets);
  expect(text).toContain('x [redacted:');
  expect(talk.failures).toEqual([]);
}

const secret = made('e5');

describe('a credential is known', () => {
  it.each([
    ...['code', 'code_verifier', 'refresh_token', 'client_secret', 'client_assertion', 'assertion', 'subject_token'],
    ...['actor_token', 'password', 'device_code', 'token'],
  ])('from the field %s of a form', (field) => {
    expectKnown([secret], ({ ask }) => {
      const body = `${new URLSearchParams({ grant_type: 'x', [field]: secret })}`;
      ask({ path: '/oauth/token', headers: FORM, body }).json({ error: 'invalid_grant' }, {}, 400);
    });
  });

  it.each(['access_token', 'refresh_token', 'id_token', 'client_secret', 'registration_access_token', 'device_code'])(
    'from the member %s of an answer, also within another member',
    (member) => {
      const inner = made('b6');
      expectKnown([secret, inner], ({ ask }) => {
        const answer = { client_id: 'c1', [member]: secret, authed_user: { [member]: inner } };
        ask({ path: '/register', body: { redirect_uris: [BACK] } }).json(answer, {}, 201);
      });
    },
  );

  it('from a request in JSON, a compressed answer, a fragment, and the query of a request', () => {
    const [inJson, zipped, inFragment, inQuery] = ['a1', 'b2', 'c3', 'd4'].map(made) as [
      string,
      string,
      string,
      string,
    ];
    expectKnown([inJson, zipped, inFragment, inQuery], ({ ask }) => {
      ask({ path: '/token', body: { grant_type: 'refresh_token', refresh_token: inJson } })
        .head(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .says(gzipSync(JSON.stringify({ access_token: zipped })))
        .ends();
      ask({ method: 'GET', path: `/callback?code=${inQuery}&state=x` })
        .head(303, { Location: `${BACK}#access_token=${inFragment}&token_type=bearer` })
        .ends();
    });
  });

  it('in all spellings of a client secret that is URL-encoded in Basic credentials (RFC 6749, 2.3.1)', () => {
    const spelt = 'p9+q8/r7=s6 t5';
    expectKnown([spelt], ({ ask }) => {
      const basic = Buffer.from(`c1:${encodeURIComponent(spelt)}`).toString('base64');
      ask({ path: '/token', headers: { ...FORM, Authorization: `Basic ${basic}` }, body: 'grant_type=x' }).json({});
    });
  });

  it('as soon as an answer is complete, before its end', () => {
    let exchange: Exchange | undefined;
    expectKnown([secret], ({ ask }) => {
      exchange = ask({ path: '/token', headers: FORM, body: 'grant_type=x' });
      const answer = JSON.stringify({ access_token: secret });
      exchange.head(200, { 'Content-Type': 'application/json' }).says(answer.slice(0, 20)).says(answer.slice(20));
    });
  });

  it('from the headers of a request that has no answer yet', () => {
    expectKnown([secret], ({ ask }) => void ask({ body: initialize, headers: { ...POST, 'X-Api-Key': secret } }));
  });

  it('in the fast path of a stream that was open before', () => {
    using talk = conversation({ redacts: true });
    open(talk, 's1', FIRST);
    const stream = talk.ask({ method: 'GET', headers: inSession('s1', { Accept: 'text/event-stream' }) }).stream();
    const say = (data: string) =>
      stream.says(
        `data: ${JSON.stringify({ method: 'notifications/message', params: { level: 'info', data }, jsonrpc: '2.0' })}\n\n`,
      );
    say('nothing yet');
    logIn(talk, SECOND);
    say(`x ${SECOND.refresh} y`);
    expectNone(textsOf(talk), Object.values(SECOND));
  });

  it('also where it was written before it passed', () => {
    using talk = conversation({ redacts: true });
    open(talk, 's1', FIRST);
    repeat(talk, 's1', FIRST, [SECOND.refresh]);
    logIn(talk, SECOND);
    expectNone(textsOf(talk), [SECOND.refresh]);
  });
});

describe('what is no credential stays', () => {
  it('a code of an error, a word, and values of requests to the endpoint', () => {
    using talk = conversation({ redacts: true });
    const words = ['error_code_77', 'application', made('b1')];
    talk.ask({ path: '/register', body: {} }).json({ error: { code: words[0] }, client_secret: words[1] }, {}, 400);
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {}, code: words[2] };
    talk.ask({ body, headers: { ...POST, ...FORM } }).json(initialized, { 'Mcp-Session-Id': 's1' });
    repeat(talk, 's1', FIRST, words);
    const text = textsOf(talk);
    for (const word of words) expect(text).toContain(`x ${word} y`);
  });

  it('a value that the user allows', () => {
    using talk = conversation({ redacts: true, allow: [FIRST.refresh] });
    logIn(talk, FIRST);
    open(talk, 's1', FIRST);
    repeat(talk, 's1', FIRST, [FIRST.refresh, FIRST.code]);
    const text = textsOf(talk);
    expect(text).toContain(`x ${FIRST.refresh} y`);
    expect(text).not.toContain(FIRST.code);
  });

  it('everything, without redaction', () => {
    using talk = conversation();
    logIn(talk, FIRST);
    open(talk, 's1', FIRST);
    repeat(talk, 's1', FIRST, [FIRST.refresh]);
    expect(textsOf(talk)).toContain(`x ${FIRST.refresh} y`);
  });
});
