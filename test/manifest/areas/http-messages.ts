import type { Area } from '../area.ts';
import { inEveryRole, recorded, served, turnedAway } from '../http/scene.ts';
import { json, opening, post, stream } from '../http/script.ts';

const STREAMABLE = {
  since: '2025-03-26',
  source: 'Streamable HTTP, Sending Messages',
} as const;
const ELSEWHERE = { stdio: 'HTTP only', 'HTTP+SSE': 'Streamable only' } as const;
const done = { content: [{ type: 'text', text: 'done' }] };

/** How messages are posted, and how that is answered. */
export const httpMessages: Area = {
  name: 'Streamable HTTP: messages',
  requirements: [
    {
      id: 'http/post',
      ...STREAMABLE,
      not: ELSEWHERE,
      says: 'A message is posted, and answered as JSON or as a stream of events.',
    },
    {
      id: 'http/accept',
      ...STREAMABLE,
      not: ELSEWHERE,
      says: 'A client accepts both kinds of answer.',
    },
    {
      id: 'http/accepted',
      ...STREAMABLE,
      not: ELSEWHERE,
      says: 'What asks for no answer is accepted with 202.',
    },
    {
      id: 'http/unacceptable',
      ...STREAMABLE,
      not: { ...ELSEWHERE, 'mock client': 'posts what it should' },
      says: 'Another type of content is refused with 415, a client that takes too little with 406.',
    },
    {
      id: 'http/unreadable',
      ...STREAMABLE,
      not: { ...ELSEWHERE, 'mock client': 'posts what it should' },
      says: 'What is no message is refused with 400 and an error without an id.',
    },
    {
      id: 'http/origin',
      since: '2025-03-26',
      source: 'Streamable HTTP, Security Warning',
      not: { ...ELSEWHERE, 'mock client': 'is no page' },
      says: 'Requests from strangers’ pages are refused with 403, and are not passed on.',
    },
    {
      id: 'http/no-buffering',
      since: '2025-03-26',
      source: 'Streamable HTTP, Security and proxies',
      not: { stdio: 'HTTP only' },
      says: 'Each event is passed on, or said, as soon as it is there.',
    },
  ],
  conversations: [
    {
      title: 'each event of a stream is heard before the next is said',
      since: '2025-03-26',
      on: ['Streamable HTTP', 'HTTP+SSE'],
      shows: ['http/no-buffering'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(1, 'tools/call', { name: 'slow', _meta: { progressToken: 't' } }),
        ...[1, 2, 3].map((progress) => talk.told('notifications/progress', { progressToken: 't', progress }, 1)),
        talk.answer(1, done),
      ],
    },
  ],
  scenes: [
    {
      title: 'one call is answered as JSON, and one as a stream',
      since: '2025-03-26',
      on: ['Streamable HTTP'],
      shows: ['http/post', 'http/accept'],
      play: (talk) =>
        inEveryRole([
          ...opening(talk),
          post(talk, talk.ask(1, 'tools/call', { name: 'quick' }), json(talk.answer(1, done))),
          post(
            talk,
            talk.ask(2, 'tools/call', { name: 'slow', _meta: { progressToken: 't' } }),
            stream(talk.told('notifications/progress', { progressToken: 't', progress: 1 }), talk.answer(2, done)),
          ),
        ]),
    },
    {
      title: 'a notification is accepted',
      since: '2025-03-26',
      on: ['Streamable HTTP'],
      shows: ['http/accepted'],
      play: (talk) =>
        inEveryRole([
          ...opening(talk),
          post(talk, talk.ask(1, 'tools/list'), json(talk.answer(1, { tools: [] }))),
          post(talk, talk.tell('notifications/attic/opened', { door: 'left' }), { status: 202 }),
        ]),
    },
    {
      title: 'a page of a stranger posts',
      since: '2025-03-26',
      on: ['Streamable HTTP'],
      as: ['recorder', 'mock server'],
      shows: ['http/origin'],
      async play(talk) {
        const call = talk.ask(1, 'tools/call', { name: 'quick' });
        const script = [...opening(talk), post(talk, call, json(talk.answer(1, done)))];
        const refused = post(talk, call, { status: 403 }, { origin: 'http://example.com' });
        await served([...script, refused], await recorded(script));
        await turnedAway(refused);
      },
    },
    {
      title: 'a client posts what no server takes',
      since: '2025-03-26',
      on: ['Streamable HTTP'],
      as: ['recorder', 'mock server'],
      shows: ['http/unacceptable', 'http/unreadable'],
      async play(talk) {
        const call = talk.ask(1, 'tools/call', { name: 'quick' });
        const script = [...opening(talk), post(talk, call, json(talk.answer(1, done)))];
        const refused = [
          post(talk, call, { status: 415 }, { 'content-type': 'text/plain' }),
          post(talk, call, { status: 406 }, { accept: 'application/json' }),
          { ...post(talk, call, { status: 400 }), body: { neither: 'fish' } },
          { ...post(talk, call, { status: 400 }), body: 'nor fowl' },
        ];
        await recorded([...script, ...refused]);
        await served([...script, ...refused], await recorded(script));
      },
    },
  ],
};
