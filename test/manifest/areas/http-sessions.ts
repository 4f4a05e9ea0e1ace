import type { Area } from '../area.ts';
import { driven, inEveryRole, recorded, served } from '../http/scene.ts';
import { end, get, json, opening, post, stream } from '../http/script.ts';

const SESSIONS = { since: '2025-03-26', until: '2025-11-25' } as const;
const NAMED = { since: '2025-06-18', until: '2025-11-25' } as const;
const ON = { on: ['Streamable HTTP'] } as const;
const NO_CLIENT = { on: ['Streamable HTTP'], as: ['recorder', 'mock server'] } as const;
const MANAGEMENT = 'Streamable HTTP, Session Management';
const ELSEWHERE = { stdio: 'HTTP only', 'HTTP+SSE': 'Streamable only' } as const;
const REFUSED = { ...ELSEWHERE, 'mock client': 'asks as it should' } as const;
const done = { content: [{ type: 'text', text: 'done' }] };

/** Sessions of Streamable HTTP, up to 2025-11-25. */
export const httpSessions: Area = {
  name: 'Streamable HTTP: sessions',
  requirements: [
    {
      id: 'http/listen',
      ...SESSIONS,
      source: 'Streamable HTTP, Listening',
      not: ELSEWHERE,
      says: 'A client listens on a stream of its own, or is told with 405 that there is none.',
    },
    {
      id: 'http/session',
      ...SESSIONS,
      source: MANAGEMENT,
      not: ELSEWHERE,
      says: 'The answer to `initialize` issues an id, which every later request names.',
    },
    {
      id: 'http/no-session',
      ...SESSIONS,
      source: MANAGEMENT,
      not: ELSEWHERE,
      says: 'A server may issue none.',
    },
    {
      id: 'http/session-refused',
      ...SESSIONS,
      source: MANAGEMENT,
      not: REFUSED,
      says: 'Without the id a request is refused with 400, with an unknown one with 404.',
    },
    {
      id: 'http/session-lost',
      ...SESSIONS,
      source: MANAGEMENT,
      not: ELSEWHERE,
      says: 'A session that is gone is begun again, without an id.',
    },
    {
      id: 'http/session-end',
      ...SESSIONS,
      source: MANAGEMENT,
      not: ELSEWHERE,
      says: 'A client ends its session with DELETE, which the server may refuse with 405.',
    },
    {
      id: 'http/many-sessions',
      ...SESSIONS,
      source: MANAGEMENT,
      not: { ...ELSEWHERE, 'mock client': 'is one client' },
      says: 'Sessions at once, with the same ids, are each their own.',
    },
    {
      id: 'http/version',
      ...NAMED,
      source: 'Streamable HTTP, Protocol Version Header',
      not: ELSEWHERE,
      says: 'Every request after `initialize` names the revision.',
    },
    {
      id: 'http/version-refused',
      ...NAMED,
      source: 'Streamable HTTP, Protocol Version Header',
      not: REFUSED,
      says: 'A revision that the server does not know is refused with 400.',
    },
  ],
  scenes: [
    {
      title: 'a session begins, is named by each request, and is ended',
      ...SESSIONS,
      ...ON,
      shows: ['http/session', 'http/session-end'],
      play: (talk) =>
        inEveryRole([
          ...opening(talk),
          post(talk, talk.ask(1, 'tools/call', { name: 'quick' }), json(talk.answer(1, done))),
          end(talk),
        ]),
    },
    {
      title: 'a server that keeps no sessions refuses to end one, and to be listened to',
      ...SESSIONS,
      ...ON,
      shows: ['http/no-session', 'http/session-end', 'http/listen'],
      play: (talk) => {
        const stateless = { 'mcp-session-id': '' };
        const refusal = { status: 405, headers: { allow: 'POST' } };
        const [initialize, initialized] = opening(talk);
        return inEveryRole([
          { ...initialize!, answer: { ...initialize!.answer, headers: stateless } },
          { ...initialized!, headers: { ...initialized!.headers, ...stateless } },
          { ...get(talk, refusal), headers: { ...get(talk, refusal).headers, ...stateless } },
          post(talk, talk.ask(1, 'tools/list'), json(talk.answer(1, { tools: [] })), stateless),
          { ...end(talk, refusal), headers: { ...end(talk).headers, ...stateless } },
        ]);
      },
    },
    {
      title: 'a client listens, and hears what concerns no request',
      ...SESSIONS,
      ...ON,
      shows: ['http/listen'],
      play: (talk) =>
        inEveryRole([
          ...opening(talk, { server: { tools: { listChanged: true } } }),
          get(talk, { ...stream(talk.told('notifications/tools/list_changed')), ending: 'stays' }),
          post(talk, talk.ask(1, 'tools/list'), json(talk.answer(1, { tools: [] }))),
        ]),
    },
    {
      title: 'a client forgets its session, or names another',
      ...SESSIONS,
      ...NO_CLIENT,
      shows: ['http/session-refused'],
      async play(talk) {
        const call = talk.ask(1, 'tools/call', { name: 'quick' });
        const script = [...opening(talk), post(talk, call, json(talk.answer(1, done)))];
        const refused = [
          post(talk, call, { status: 400 }, { 'mcp-session-id': '' }),
          post(talk, call, { status: 404 }, { 'mcp-session-id': 'a-stranger' }),
          { ...end(talk, { status: 404 }), headers: { 'mcp-session-id': 'a-stranger' } },
        ];
        await recorded([...script, ...refused]);
        await served([...script, ...refused], await recorded(script));
      },
    },
    {
      title: 'a server loses a session, and the client begins another',
      ...SESSIONS,
      ...ON,
      shows: ['http/session-lost'],
      async play(talk) {
        const call = talk.ask(1, 'tools/call', { name: 'quick' });
        const lost = [...opening(talk), post(talk, call, { status: 404, body: 'Session not found' })];
        const begun = [...opening(talk), post(talk, call, json(talk.answer(1, done)))];
        const cassettes = await recorded([...lost, ...begun]);
        await served([...lost, ...begun], cassettes);
        await driven(lost, cassettes[0]!);
        await driven(begun, cassettes[1]!);
      },
    },
    {
      title: 'a session that was ended is not known any more',
      ...SESSIONS,
      ...NO_CLIENT,
      shows: ['http/session-end'],
      async play(talk) {
        const call = talk.ask(1, 'tools/call', { name: 'quick' });
        const script = [...opening(talk), post(talk, call, json(talk.answer(1, done))), end(talk)];
        await served([...script, post(talk, call, { status: 404 })], await recorded(script));
      },
    },
    {
      title: 'two clients have the same ids, each in its session',
      ...SESSIONS,
      ...NO_CLIENT,
      shows: ['http/many-sessions'],
      async play(talk) {
        const of = (session: string) =>
          [...opening(talk), post(talk, talk.ask(1, 'tools/call', { name: session }), json(talk.answer(1, done)))].map(
            (exchange, n) => {
              const named = { 'mcp-session-id': session };
              if (n === 0) return { ...exchange, answer: { ...exchange.answer, headers: named } };
              return { ...exchange, headers: { ...exchange.headers, ...named } };
            },
          );
        const [one, other] = [of('one'), of('other')];
        const both = one.flatMap((exchange, n) => [exchange, other[n]!]);
        await served(both, await recorded(both));
      },
    },
    {
      title: 'each request names the revision that was agreed on',
      ...NAMED,
      ...ON,
      shows: ['http/version'],
      play: (talk) =>
        inEveryRole([
          ...opening(talk),
          get(talk, { status: 200, events: [], ending: 'stays' }),
          post(talk, talk.ask(1, 'tools/list'), json(talk.answer(1, { tools: [] }))),
          end(talk),
        ]),
    },
    {
      title: 'a client names a revision that nobody knows',
      ...NAMED,
      ...NO_CLIENT,
      shows: ['http/version-refused'],
      async play(talk) {
        const call = talk.ask(1, 'tools/call', { name: 'quick' });
        const script = [...opening(talk), post(talk, call, json(talk.answer(1, done)))];
        const refused = post(talk, call, { status: 400 }, { 'mcp-protocol-version': '1999-01-01' });
        await recorded([...script, refused]);
        await served([...script, refused], await recorded(script));
      },
    },
  ],
};
