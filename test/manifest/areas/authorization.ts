import { expect } from 'vitest';
import type { Area } from '../area.ts';
import type { Exchange } from '../http/exchange.ts';
import { driven, recorded, served } from '../http/scene.ts';
import { json, opening, post } from '../http/script.ts';
import type { Talk } from '../talk.ts';

const STREAMABLE = { since: '2025-03-26' } as const;
const ON = { ...STREAMABLE, on: ['Streamable HTTP'] } as const;
const ELSEWHERE = { stdio: 'environment instead', 'HTTP+SSE': 'as Streamable' } as const;
const done = { content: [{ type: 'text', text: 'done' }] };

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const as = (token: string, { headers, ...exchange }: Exchange): Exchange => ({
  ...exchange,
  headers: { ...headers, ...bearer(token) },
});
const call = (talk: Talk, id = 1) =>
  post(talk, talk.ask(id, 'tools/call', { name: 'echo' }), json(talk.answer(id, done)));
const session = (talk: Talk): Exchange[] => [...opening(talk), call(talk)];

const challenge = (status: number, words: string) => ({
  status,
  headers: { 'www-authenticate': `Bearer ${words}` },
});

/** Who may ask, over HTTP. */
export const authorization: Area = {
  name: 'Authorization',
  note: `Both official SDK clients log in to the mock server in the tests, and refresh a token that expires in the middle of a session. \`npm run third-party\` does the same with
[mcp-remote, the Inspector and the AI SDK](auth-other-clients.md). \`npm run conformance\` runs the logins of
[the official suite](reliability.md#the-official-conformance-suite) against a replay alone.`,
  requirements: [
    {
      id: 'auth/challenge',
      ...STREAMABLE,
      source: 'Authorization, Protected Resource Metadata',
      not: { ...ELSEWHERE, 'mock server': 'auth/mock-flow', 'mock client': 'is given a token' },
      says: 'Who has no token is told with 401 where to get one, and comes back with it.',
    },
    {
      id: 'auth/every-request',
      ...STREAMABLE,
      source: 'Authorization, Access Token Usage',
      not: ELSEWHERE,
      says: 'Every request has the token, in its header and nowhere else.',
    },
    {
      id: 'auth/step-up',
      ...STREAMABLE,
      source: 'Authorization, Scope Challenge',
      not: { ...ELSEWHERE, 'mock server': 'auth/mock-flow' },
      says: 'Whose token lacks a scope is told with 403 which, and comes back with more.',
    },
    {
      id: 'auth/no-token-kept',
      ...STREAMABLE,
      source: 'Authorization, Security',
      not: { ...ELSEWHERE, 'mock server': 'has none', 'mock client': 'is given one' },
      says: 'No token is in a cassette.',
    },
    {
      id: 'auth/flow',
      ...STREAMABLE,
      source: 'Authorization',
      says: 'A client finds the authorization server and comes back with a token.',
      shownBy: [
        'test/e2e/http/auth.test.ts',
        '§13, authorization through the recorder',
        'needs an authorization server',
      ],
    },
    {
      id: 'auth/mock-flow',
      ...STREAMABLE,
      source: 'Authorization',
      says: 'A mock server with authorization challenges, issues tokens, lets them expire, and demands scopes.',
      shownBy: [
        'test/mock/authorization/official-clients.test.ts',
        'registers, is authorized by a code, and refreshes as often as its token expires',
        'needs an authorization server',
      ],
    },
  ],
  scenes: [
    {
      title: 'a client is challenged before it has said anything, and comes back with a token',
      ...ON,
      as: ['recorder'],
      shows: ['auth/challenge', 'auth/no-token-kept'],
      async play(talk) {
        const [first, ...rest] = session(talk);
        const refused = { ...first!, answer: challenge(401, 'realm="mcp", scope="a"') };
        const script = [
          { ...refused, headers: { ...refused.headers, authorization: '' } },
          ...[first!, ...rest].map((exchange) => as('s3cr3t-t0ken', exchange)),
        ];
        const cassettes = await recorded(script);
        const text = JSON.stringify(cassettes);
        expect(text).toContain('www-authenticate');
        expect(text).not.toContain('s3cr3t');
      },
    },
    {
      title: 'a client has a token from the first request on',
      ...ON,
      shows: ['auth/every-request'],
      async play(talk) {
        const script = session(talk).map((exchange) => as('s3cr3t-t0ken', exchange));
        const cassettes = await recorded(script);
        expect(JSON.stringify(cassettes)).not.toContain('s3cr3t');
        await served(script, cassettes);
        await driven(script, cassettes[0]!, bearer('s3cr3t-t0ken'));
      },
    },
    {
      title: 'a token is not enough for a call',
      ...ON,
      as: ['recorder', 'mock client'],
      shows: ['auth/step-up'],
      async play(talk) {
        const more = call(talk, 2);
        const refused = { ...more, answer: challenge(403, 'error="insufficient_scope", scope="a b"') };
        const script = [...session(talk), refused, call(talk, 3)];
        const [cassette] = await recorded(script);
        await driven(script, cassette!);
        // The mock server of the cassette serves the call that was refused as it did in the end.
        await served([...session(talk), call(talk, 3)], [cassette!]);
      },
    },
  ],
};
