import type { Area } from '../area.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import { driven, inEveryRole, recorded, served } from '../http/scene.ts';
import { get, json, opening, post, stream } from '../http/script.ts';
import type { Talk } from '../talk.ts';

const SESSIONS = { since: '2025-03-26', until: '2025-11-25' } as const;
const POLLING = { since: '2025-11-25', until: '2025-11-25' } as const;
const BATCHES = { since: '2025-03-26', until: '2025-03-26' } as const;
const ON = { on: ['Streamable HTTP'] } as const;
const ELSEWHERE = { stdio: 'HTTP only', 'HTTP+SSE': 'Streamable only' } as const;
const done = { content: [{ type: 'text', text: 'done' }] };

const slow = (talk: Talk) => talk.ask(1, 'tools/call', { name: 'slow', _meta: { progressToken: 't' } });
const step = (talk: Talk, progress: number) => talk.told('notifications/progress', { progressToken: 't', progress });
const another = (talk: Talk): Exchange =>
  post(talk, talk.ask(2, 'tools/call', { name: 'quick' }), json(talk.answer(2, done)));

/** How the streams of Streamable HTTP break off and go on, and what travels together. */
export const httpStreams: Area = {
  name: 'Streamable HTTP: streams',
  requirements: [
    {
      id: 'http/resume',
      ...SESSIONS,
      source: 'Streamable HTTP, Resumability',
      not: ELSEWHERE,
      says: 'A stream that broke off is resumed after its last event, and brings the answer.',
    },
    {
      id: 'http/polling',
      ...POLLING,
      source: 'Streamable HTTP, Sending Messages',
      not: ELSEWHERE,
      says: 'A server primes a stream, says when to come back, and closes it before the answer.',
    },
    {
      id: 'http/disconnect',
      ...SESSIONS,
      source: 'Streamable HTTP, Sending Messages',
      not: ELSEWHERE,
      says: 'To disconnect is not to cancel.',
    },
    {
      id: 'http/lost-answer',
      since: '2025-03-26',
      source: 'Streamable HTTP, Sending Messages',
      not: ELSEWHERE,
      says: 'A stream that breaks off, and has no ids to resume it by, loses its answer; the session goes on.',
    },
    {
      id: 'http/batch',
      ...BATCHES,
      source: 'Streamable HTTP, Sending Messages',
      not: ELSEWHERE,
      says: 'Requests and notifications come in one batch, and are answered as a batch, or one by one on a stream.',
    },
    {
      id: 'http/batch-of-answers',
      ...BATCHES,
      source: 'Streamable HTTP, Sending Messages',
      not: ELSEWHERE,
      says: 'What a server asks at once a client may answer in one batch.',
    },
  ],
  scenes: [
    {
      title: 'a stream breaks off after its first event, and is resumed after it',
      ...SESSIONS,
      ...ON,
      shows: ['http/resume'],
      play: (talk) =>
        inEveryRole([
          ...opening(talk),
          post(talk, slow(talk), {
            status: 200,
            events: [{ id: 'a/1', data: step(talk, 1).message }],
            ending: 'breaks',
          }),
          get(
            talk,
            {
              status: 200,
              events: [
                { id: 'a/2', data: step(talk, 2).message },
                { id: 'a/3', data: talk.answer(1, done).message },
              ],
            },
            'a/1',
          ),
          another(talk),
        ]),
    },
    {
      title: 'a server lets a client come back for its answer',
      ...POLLING,
      ...ON,
      shows: ['http/polling'],
      play: (talk) =>
        inEveryRole([
          ...opening(talk),
          post(talk, slow(talk), { status: 200, events: [{ id: 'a/0', retry: 1 }] }),
          get(talk, { status: 200, events: [{ id: 'a/1', data: talk.answer(1, done).message }] }, 'a/0'),
          another(talk),
        ]),
    },
    {
      title: 'a client leaves the stream of its call, and goes on',
      ...SESSIONS,
      ...ON,
      shows: ['http/disconnect'],
      play: (talk) =>
        inEveryRole([
          ...opening(talk),
          { ...post(talk, slow(talk), { ...stream(step(talk, 1)), ending: 'stays' }), leaves: true },
          another(talk),
        ]),
    },
    {
      title: 'the stream of a call breaks off, and the client calls again',
      since: '2025-03-26',
      ...ON,
      shows: ['http/lost-answer'],
      play: (talk) =>
        inEveryRole([
          ...opening(talk),
          post(talk, slow(talk), { ...stream(step(talk, 1)), ending: 'breaks' }),
          another(talk),
        ]),
    },
    {
      title: 'two calls and a notification are posted as one batch',
      ...BATCHES,
      ...ON,
      shows: ['http/batch'],
      play: (talk) => {
        const ask = (id: number) => talk.ask(id, 'tools/call', { name: 'echo', arguments: { id } });
        const call = post(talk, ask(1), { status: 200 });
        const messages = (...lines: ReturnType<typeof ask>[]) => lines.map(({ message }) => message);
        return inEveryRole([
          ...opening(talk),
          {
            ...call,
            body: messages(ask(1), talk.tell('notifications/attic'), ask(2)),
            answer: { status: 200, body: messages(talk.answer(1, done), talk.answer(2, done)) },
          },
          {
            ...call,
            body: messages(ask(3), ask(4)),
            answer: stream(talk.answer(3, done), talk.answer(4, done)),
          },
        ]);
      },
    },
    {
      title: 'a client answers two requests of the server at once',
      ...BATCHES,
      ...ON,
      shows: ['http/batch-of-answers'],
      async play(talk) {
        const sample = { messages: [], maxTokens: 1 };
        const sampled = { role: 'assistant', content: { type: 'text', text: 'tea' }, model: 'm' };
        const asked = [1, 2].map((id) => talk.asked(id, 'sampling/createMessage', sample).message);
        const answers = [1, 2].map((id) => talk.reply(id, sampled).message);
        const script = (events: Answer['events'] = []): Exchange[] => [
          ...opening(talk, { client: { sampling: {} } }),
          get(talk, { status: 200, events, ending: 'stays' }),
          { ...post(talk, talk.reply(1, {}), { status: 202 }), body: answers },
          another(talk),
        ];
        const together = script([{ data: asked }]);
        const [cassette] = await recorded(together);
        // A mock server says one by one what was one event: both are allowed.
        await served(script(asked.map((data) => ({ data }))), [cassette!]);
        await driven(together, cassette!);
      },
    },
  ],
};
