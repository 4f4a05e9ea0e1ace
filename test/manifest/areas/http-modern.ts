import type { Area } from '../area.ts';
import { inEveryRole, recorded, served } from '../http/scene.ts';
import { json, post, stream } from '../http/script.ts';
import type { Talk } from '../talk.ts';
import { ENVELOPE } from '../wire/line.ts';

const MODERN = { since: '2026-07-28' } as const;
const ON = { ...MODERN, on: ['Streamable HTTP'] } as const;
const NO_CLIENT = { ...ON, as: ['recorder', 'mock server'] } as const;
const METADATA = 'Streamable HTTP, Request Metadata';
const ELSEWHERE = { stdio: 'HTTP only' } as const;
const REFUSED = { ...ELSEWHERE, 'mock client': 'asks as it should' } as const;
const REVISION = 'io.modelcontextprotocol/protocolVersion';
const done = { content: [{ type: 'text', text: 'done' }] };

const call = (talk: Talk, id: number, name = 'echo') => talk.ask(id, 'tools/call', { name });
const called = (talk: Talk, id: number, name = 'echo') => post(talk, call(talk, id, name), json(talk.answer(id, done)));

/** A tool whose arguments are repeated in headers, as text, a number and a truth. */
const TOOL = {
  name: 'book',
  inputSchema: {
    type: 'object',
    properties: {
      city: { type: 'string', 'x-mcp-header': 'City' },
      trip: {
        type: 'object',
        properties: { nights: { type: 'integer', 'x-mcp-header': 'Nights' } },
      },
      pets: { type: 'boolean', 'x-mcp-header': 'Pets' },
      note: { type: 'string' },
    },
  },
};
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** Streamable HTTP from 2026-07-28 on: no session, and headers that repeat the body. */
export const httpModern: Area = {
  name: 'Streamable HTTP of 2026-07-28',
  requirements: [
    {
      id: 'http/headers',
      ...MODERN,
      source: METADATA,
      not: ELSEWHERE,
      says: 'Headers repeat the revision, the method and the name.',
    },
    {
      id: 'http/param-headers',
      ...MODERN,
      source: METADATA,
      not: ELSEWHERE,
      says: 'Headers repeat the arguments that a tool marks, as base64 where they would not pass.',
    },
    {
      id: 'http/header-mismatch',
      ...MODERN,
      source: 'Streamable HTTP, -32020',
      not: REFUSED,
      says: 'Headers that are missing, or say something else than the body, are refused with 400 and -32020.',
    },
    {
      id: 'http/header-retry',
      ...MODERN,
      source: 'Streamable HTTP, -32020',
      not: ELSEWHERE,
      says: 'A client that was refused for its headers lists the tools again, and comes again.',
    },
    {
      id: 'http/statuses',
      ...MODERN,
      source: 'Streamable HTTP, Error Handling',
      not: ELSEWHERE,
      says: 'An unknown method is 404, what the protocol refuses 400, what a handler fails at 200.',
    },
    {
      id: 'http/envelope',
      ...MODERN,
      source: 'Versioning, `_meta`',
      not: REFUSED,
      says: 'A request that does not say its revision, or says one that is unknown, is refused with 400.',
    },
    {
      id: 'http/one-request',
      ...MODERN,
      source: 'Streamable HTTP, Sending Messages',
      not: REFUSED,
      says: 'A batch, or an answer, is refused with 400.',
    },
    {
      id: 'http/post-only',
      ...MODERN,
      source: 'Streamable HTTP',
      not: REFUSED,
      says: 'There is nothing to GET and nothing to DELETE: 405. A session that is named all the same is ignored.',
    },
    {
      id: 'http/close-cancels',
      ...MODERN,
      source: 'Streamable HTTP, Cancellation',
      not: ELSEWHERE,
      says: 'To close the stream of a request is to cancel it.',
    },
    {
      id: 'http/no-resume',
      ...MODERN,
      source: 'Streamable HTTP',
      not: ELSEWHERE,
      says: 'A stream that broke off is lost; the client asks again, with a new id.',
    },
  ],
  scenes: [
    {
      title: 'headers repeat what is asked, a URI and a task too',
      ...ON,
      shows: ['http/headers'],
      play: (talk) => {
        const read = talk.ask(2, 'resources/read', { uri: 'x://ü' });
        const contents = { contents: [], ttlMs: 0, cacheScope: 'private' };
        const task = talk.ask(3, 'tasks/get', { taskId: ' t ' });
        return inEveryRole([
          called(talk, 1),
          post(talk, read, json(talk.answer(2, contents)), { 'mcp-name': base64('x://ü') }),
          post(talk, task, json(talk.answer(3, { taskId: ' t ', status: 'working' })), {
            'mcp-name': base64(' t '),
          }),
          post(talk, talk.ask(4, 'tools/list'), json(talk.answer(4, { tools: [] })), { 'mcp-name': '' }),
        ]);
      },
    },
    {
      title: 'a tool marks arguments, which come in headers too',
      ...ON,
      shows: ['http/param-headers'],
      play: (talk) => {
        const book = (id: number, args: Record<string, unknown>) =>
          talk.ask(id, 'tools/call', { name: 'book', arguments: args });
        const headers = (city: string, nights: string, pets: string) => ({
          'mcp-param-city': city,
          'mcp-param-nights': nights,
          'mcp-param-pets': pets,
        });
        return inEveryRole([
          post(talk, talk.ask(0, 'tools/list'), json(talk.answer(0, { tools: [TOOL] }))),
          post(
            talk,
            book(1, { city: 'Bern', trip: { nights: 2 }, pets: false, note: 'quiet' }),
            json(talk.answer(1, done)),
            headers('Bern', '2', 'false'),
          ),
          ...['Zürich', ' Bern ', 'Bern\n', '=?base64?QmVybg==?='].map((city, n) =>
            post(talk, book(n + 2, { city }), json(talk.answer(n + 2, done)), headers(base64(city), '', '')),
          ),
        ]);
      },
    },
    {
      title: 'headers say something else than the body, or nothing',
      ...NO_CLIENT,
      shows: ['http/header-mismatch'],
      async play(talk) {
        const list = post(talk, talk.ask(0, 'tools/list'), json(talk.answer(0, { tools: [TOOL] })));
        const book = talk.ask(1, 'tools/call', { name: 'book', arguments: { city: 'Bern' } });
        const city = { 'mcp-param-city': 'Bern' };
        const script = [list, post(talk, book, json(talk.answer(1, done)), city)];
        const refusal = { status: 400 };
        const refused = [
          { 'mcp-method': 'tools/list' },
          { 'mcp-name': 'cook' },
          { 'mcp-name': '' },
          { 'mcp-protocol-version': '2025-11-25' },
          { 'mcp-param-city': 'Basel' },
          { 'mcp-param-city': '' },
        ].map((wrong) => post(talk, book, refusal, { ...city, ...wrong }));
        await recorded([...script, ...refused]);
        await served([...script, ...refused], await recorded(script));
      },
    },
    {
      title: 'a client is refused for a header that it did not know of',
      ...ON,
      shows: ['http/header-retry'],
      play: (talk) => {
        const args = { name: 'book', arguments: { city: 'Bern' } };
        const mismatch = talk.fail(1, -32020, 'Header mismatch: mcp-param-city is missing');
        return inEveryRole([
          post(talk, talk.ask(1, 'tools/call', args), json(mismatch, 400)),
          post(talk, talk.ask(2, 'tools/list'), json(talk.answer(2, { tools: [TOOL] }))),
          post(talk, talk.ask(3, 'tools/call', args), json(talk.answer(3, done)), {
            'mcp-param-city': 'Bern',
          }),
        ]);
      },
    },
    {
      title: 'errors have statuses of their own',
      ...ON,
      shows: ['http/statuses'],
      play: (talk) =>
        inEveryRole([
          post(talk, talk.ask(1, 'attic/open'), json(talk.fail(1, -32601, 'Method not found'), 404)),
          post(talk, call(talk, 2, 'sample'), json(talk.fail(2, -32021, 'Missing capability'), 400)),
          post(talk, call(talk, 3, 'cook'), json(talk.fail(3, -32602, 'Unknown tool: cook'))),
          post(talk, call(talk, 4, 'late'), {
            ...stream(talk.told('notifications/message', { level: 'info', data: 'x' })),
            ...stream(talk.fail(4, -32603, 'Internal error')),
          }),
        ]),
    },
    {
      title: 'a request does not say what it is written in, or in what nobody reads',
      ...NO_CLIENT,
      shows: ['http/envelope'],
      async play(talk) {
        const script = [called(talk, 1)];
        const future = { ...ENVELOPE, [REVISION]: '2030-01-01' };
        const bare = post(talk, call(talk, 2), { status: 400 });
        const { message } = talk.ask(3, 'tools/call', { name: 'echo', _meta: future });
        const refused = [
          { ...bare, body: { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'echo' } } },
          { ...bare, body: message, headers: { ...bare.headers, 'mcp-protocol-version': '2030-01-01' } },
        ];
        await recorded([...script, ...refused]);
        await served([...script, ...refused], await recorded(script));
      },
    },
    {
      title: 'a client posts two requests at once, and an answer',
      ...NO_CLIENT,
      shows: ['http/one-request'],
      async play(talk) {
        const script = [called(talk, 1)];
        const bare = post(talk, call(talk, 2), { status: 400 });
        const refused = [
          { ...bare, body: [call(talk, 2).message, call(talk, 3).message] },
          { ...bare, body: talk.reply(4, {}).message },
        ];
        await recorded([...script, ...refused]);
        await served([...script, ...refused], await recorded(script));
      },
    },
    {
      title: 'a client of older days listens, and names a session',
      ...NO_CLIENT,
      shows: ['http/post-only'],
      async play(talk) {
        const script = [called(talk, 1)];
        const session = { 'mcp-session-id': 'of-old', 'last-event-id': 'a/1' };
        const headers = { accept: 'text/event-stream', ...session };
        const more = [
          { method: 'GET', headers, answer: { status: 405 } },
          { method: 'DELETE', headers: session, answer: { status: 405 } },
          post(talk, call(talk, 2), json(talk.answer(2, done)), session),
        ];
        await served([...script, ...more], await recorded([...script, ...more]));
      },
    },
    {
      title: 'a client closes the stream of its call, which ends the call',
      ...ON,
      shows: ['http/close-cancels'],
      play: (talk) => {
        const slow = talk.ask(1, 'tools/call', { name: 'slow', _meta: { progressToken: 't' } });
        const step = talk.told('notifications/progress', { progressToken: 't', progress: 1 });
        return inEveryRole([
          { ...post(talk, slow, { ...stream(step), ending: 'stays' }), leaves: true },
          called(talk, 2, 'quick'),
        ]);
      },
    },
    {
      title: 'a stream breaks off, and its call is made again',
      ...ON,
      shows: ['http/no-resume'],
      play: (talk) => {
        const slow = (id: number) => talk.ask(id, 'tools/call', { name: 'slow', _meta: { progressToken: id } });
        const step = talk.told('notifications/progress', { progressToken: 1, progress: 1 });
        return inEveryRole([
          post(talk, slow(1), { ...stream(step), ending: 'breaks' }),
          post(talk, slow(2), json(talk.answer(2, done))),
        ]);
      },
    },
  ],
};
