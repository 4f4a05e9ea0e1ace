import type { Cassette } from '../../src/cassette/cassette.ts';
import { META } from '../../src/protocol/meta.ts';
import { exits, notification, request, server } from '../support/conversation.ts';
import { after, answers, asks, changed, ended, followed, instead, LEGACY, MODERN, without } from './session.ts';

/** What a difference does to a run. */
export type Verdict =
  /** It fails the run. */
  | 'default'
  /** It fails the run where that was asked for. */
  | 'request'
  /** It does not fail the run. */
  | 'no';

/** A kind of thing that a side says or does, and sessions in which it is otherwise than recorded. */
export interface Row {
  id: string;
  /** What differs, in words. */
  what: string;
  /** Why it is not compared by default, where it is not. */
  why?: string;
  /** As what it counts: a request without an answer, a difference, something recorded that never came, or nothing. */
  compared: 'miss' | 'difference' | 'unused' | 'no';
  /** What `diff` finds of it: every plant, none, or those of these titles. */
  diff: 'all' | 'none' | readonly string[];
  /** What `lint` finds of it. */
  lint: Row['diff'];
  plants: readonly Plant[];
}

/** A planted difference. */
export interface Plant {
  title: string;
  recorded: Cassette;
  /** The cassette of what the live side says instead. */
  live: Cassette;
}

const plant = (title: string, live: Cassette, recorded: Cassette = LEGACY): Plant => ({
  title,
  live,
  recorded,
});

const call = asks('tools/call', 'work');
const sampled = answers('client', 0);
const initialize = asks('initialize');
const modernCall = (change: (meta: Record<string, unknown>) => void) =>
  changed(MODERN, call, ({ params }) => change(params._meta));

/** The server asks for the roots, and withdraws that. */
const ASKED_AND_CANCELLED = instead(LEGACY, answers('server', 3), (said) => [
  request(8, 'roots/list'),
  notification('cancelled', { requestId: 8 }),
  said,
]);
const ASKED_AND_NOT_CANCELLED = without(
  ASKED_AND_CANCELLED,
  (said, from) => asks('notifications/cancelled')(said, from) && from === 'server',
);
const UNREADABLE = (message: string) =>
  instead(LEGACY, answers('server', 2), (said) => [
    { jsonrpc: '2.0', id: null, error: { code: -32700, message } },
    said,
  ]);

/** A session in which a request and its answer have another id. */
const withId = (session: Cassette, asked: Parameters<typeof changed>[1], id: number) => {
  let former: unknown;
  const renamed = changed(session, asked, (said) => {
    former = said.id;
    said.id = id;
  });
  return changed(
    renamed,
    (said, from) => from === 'server' && said.id === former && said.method === undefined,
    (said) => {
      said.id = id;
    },
  );
};

/** The tools come in two pages. */
const PAGES = (cacheScope: string) => {
  const first = changed(LEGACY, answers('server', 1), ({ result }) => {
    result.nextCursor = 'two';
  });
  const asked = changed(
    first,
    (said) => said.method === 'tools/list' && said.id === 6,
    (said) => {
      said.params = { cursor: 'two' };
    },
  );
  return changed(asked, answers('server', 6), ({ result }) => {
    result.cacheScope = cacheScope;
  });
};

/** What a client says to a mock server. */
export const CLIENT_ROWS: readonly Row[] = [
  {
    id: 'request',
    what: 'A request that the cassette does not have: another method, other params that identify it, or a call more',
    compared: 'miss',
    diff: 'all',
    lint: ['another method'],
    plants: [
      plant(
        'another method',
        changed(LEGACY, call, (said) => (said.method = 'prompts/get')),
      ),
      plant(
        'other arguments',
        changed(LEGACY, call, ({ params }) => (params.arguments.pieces = 3)),
      ),
      plant(
        'another tool',
        changed(LEGACY, call, ({ params }) => (params.name = 'rest')),
      ),
      plant(
        'a call more',
        followed(LEGACY, call, request(7, 'tools/call', { name: 'work', arguments: { pieces: 2 } })),
      ),
    ],
  },
  {
    id: 'client-version',
    what: 'A message without `"jsonrpc": "2.0"`',
    compared: 'difference',
    diff: 'none',
    lint: 'all',
    plants: [
      plant(
        'another version of JSON-RPC in a call',
        changed(LEGACY, call, (said) => (said.jsonrpc = '1.0')),
      ),
      plant(
        'another version of JSON-RPC in a notification',
        changed(LEGACY, asks('notifications/initialized'), (said) => (said.jsonrpc = '1.0')),
      ),
    ],
  },
  {
    id: 'id-reused',
    what: 'A request with an id that an earlier request had',
    compared: 'difference',
    diff: 'none',
    lint: 'all',
    plants: [plant('an id twice', withId(LEGACY, asks('tools/call', 'refuse'), 2))],
  },
  {
    id: 'request-missing',
    what: 'A recorded request that never comes',
    compared: 'unused',
    diff: 'all',
    lint: 'all',
    plants: [plant('a call less', without(LEGACY, asks('tools/call', 'refuse')))],
  },
  {
    id: 'request-order',
    what: 'The order of requests and notifications',
    why: 'a replay obeys causes and not the clock; `toMatchSession` compares the order of requests',
    compared: 'no',
    diff: ['a call later'],
    lint: ['a call later'],
    plants: [
      plant('a call later', after(LEGACY, call, asks('tools/call', 'refuse'))),
      plant(
        'a notification later',
        after(LEGACY, asks('notifications/roots/list_changed'), asks('tools/call', 'refuse')),
      ),
    ],
  },
  {
    id: 'list-count',
    what: 'How often a client repeats a list request, `server/discover`, `logging/setLevel`, a poll, a subscription to events, or a request that was refused for its `_meta`',
    why: 'clients repeat them freely. `toMatchSession` compares the count',
    compared: 'no',
    diff: 'all',
    lint: 'none',
    plants: [plant('a list more', followed(LEGACY, asks('tools/list'), request(7, 'tools/list')))],
  },
  {
    id: 'request-meta',
    what: 'Params that identify no request of their method, other members of `_meta`, and the values of ids and progress tokens',
    why: 'they do not change the meaning of the request, or are new in each request. [matching](matching.md) lists what identifies a request',
    compared: 'no',
    diff: ['another trace'],
    lint: 'none',
    plants: [
      plant(
        'another trace',
        changed(LEGACY, call, ({ params }) => (params._meta.trace = 'other')),
      ),
      plant(
        'another id',
        instead(
          instead(LEGACY, call, (said) => [{ ...said, id: 'other' }]),
          answers('server', 2),
          (said) => [{ ...said, id: 'other' }],
        ),
      ),
    ],
  },
  {
    id: 'progress-asked',
    what: 'Whether a request asks for progress',
    compared: 'difference',
    diff: ['no progress token'],
    lint: ['no progress token'],
    plants: [
      plant(
        'no progress token',
        changed(LEGACY, call, ({ params }) => delete params._meta.progressToken),
      ),
      plant(
        'a progress token more',
        changed(LEGACY, asks('tools/call', 'refuse'), ({ params }) => (params._meta = { progressToken: 'b' })),
      ),
    ],
  },
  {
    id: 'initialize',
    what: 'The revision and capabilities of `initialize`, or of `_meta` from 2026-07-28 on',
    compared: 'difference',
    diff: 'all',
    lint: ['a capability less'],
    plants: [
      plant(
        'a capability less',
        changed(LEGACY, initialize, ({ params }) => delete params.capabilities.roots),
      ),
      plant(
        'a capability more',
        changed(LEGACY, initialize, ({ params }) => (params.capabilities.elicitation = {})),
      ),
      plant(
        'another revision',
        changed(LEGACY, initialize, ({ params }) => (params.protocolVersion = '2025-06-18')),
      ),
      plant(
        'other capabilities in _meta',
        modernCall((meta) => (meta[META.clientCapabilities] = {})),
        MODERN,
      ),
    ],
  },
  {
    id: 'client-info',
    what: 'The name and version of the client',
    why: 'they do not change what a server does, and change with every release',
    compared: 'no',
    diff: 'all',
    lint: 'none',
    plants: [
      plant(
        'another name',
        changed(LEGACY, initialize, ({ params }) => (params.clientInfo.name = 'other')),
      ),
      plant(
        'another name in _meta',
        modernCall((meta) => (meta[META.clientInfo] = { name: 'other', version: '2' })),
        MODERN,
      ),
    ],
  },
  {
    id: 'answer',
    what: 'The answer to sampling, elicitation or roots: its result or error',
    compared: 'difference',
    diff: 'all',
    lint: 'none',
    plants: [
      plant(
        'another text',
        changed(LEGACY, sampled, ({ result }) => (result.content.text = 'no')),
      ),
      plant(
        'a member less',
        changed(LEGACY, sampled, ({ result }) => delete result.model),
      ),
      plant(
        'an error',
        instead(LEGACY, sampled, ({ id }) => [{ jsonrpc: '2.0', id, error: { code: -1, message: 'no' } }]),
      ),
    ],
  },
  {
    id: 'answer-missing',
    what: 'An answer that never comes, comes twice, or has another id',
    compared: 'difference',
    diff: ['no answer', 'another id'],
    lint: ['an answer twice', 'another id'],
    plants: [
      plant('no answer', without(without(LEGACY, sampled), asks('notifications/cancelled'))),
      plant(
        'an answer twice',
        instead(LEGACY, sampled, (said) => [said, said]),
      ),
      plant(
        'another id',
        changed(LEGACY, sampled, (said) => (said.id = 'other')),
      ),
    ],
  },
  {
    id: 'answer-meta',
    what: 'The `_meta` of an answer, the ids and times of tasks, and where on this machine a root of `file:` lies',
    why: 'they differ between any two runs',
    compared: 'no',
    diff: 'all',
    lint: 'none',
    plants: [
      plant(
        'more _meta',
        changed(LEGACY, sampled, ({ result }) => (result._meta = { trace: 'other' })),
      ),
    ],
  },
  {
    id: 'notification',
    what: 'A notification that the cassette does not have, or has with other params',
    compared: 'difference',
    diff: 'all',
    lint: 'none',
    plants: [
      plant('another notification', followed(LEGACY, call, notification('other'))),
      plant(
        'a notification twice',
        followed(LEGACY, asks('notifications/roots/list_changed'), notification('roots/list_changed')),
      ),
      plant(
        'other params',
        changed(LEGACY, asks('notifications/roots/list_changed'), (said) => (said.params = { since: 1 })),
      ),
    ],
  },
  {
    id: 'notification-missing',
    what: 'A recorded notification that never comes, `notifications/initialized` and cancels among them',
    compared: 'unused',
    diff: 'all',
    lint: ['no initialized'],
    plants: [
      plant('no list_changed', without(LEGACY, asks('notifications/roots/list_changed'))),
      plant('no initialized', without(LEGACY, asks('notifications/initialized'))),
      plant('no cancel', without(LEGACY, asks('notifications/cancelled'))),
    ],
  },
  {
    id: 'junk',
    what: 'JSON that is no message',
    compared: 'difference',
    diff: 'all',
    lint: 'all',
    plants: [plant('an object', followed(LEGACY, call, { jsonrpc: '2.0', hello: 'world' }))],
  },
  {
    id: 'cancel',
    what: 'A cancel of a request that was answered in the cassette',
    compared: 'difference',
    diff: 'all',
    lint: 'none',
    plants: [
      plant(
        'a cancel more',
        instead(without(LEGACY, answers('server', 3)), sampled, () => [notification('cancelled', { requestId: 3 })]),
      ),
    ],
  },
  {
    id: 'cancel-reason',
    what: 'The reason of a cancel, when it comes, and a cancel of nothing, or of what was answered or cancelled already',
    why: 'the reason is for people, and a replay has a pace of its own',
    compared: 'no',
    diff: 'none',
    lint: 'none',
    plants: [
      plant(
        'another reason',
        changed(LEGACY, asks('notifications/cancelled'), ({ params }) => (params.reason = 'other')),
      ),
    ],
  },
  {
    id: 'ping',
    what: 'Pings, and the answers to them',
    why: 'either side may ping at any time, and is answered at once',
    compared: 'no',
    diff: 'all',
    lint: 'none',
    plants: [plant('a ping more', followed(LEGACY, call, request('ping', 'ping')))],
  },
  {
    id: 'progress-more',
    what: 'More progress of the client than recorded',
    compared: 'difference',
    diff: 'none',
    lint: 'none',
    plants: [
      plant(
        'a report more',
        followed(
          LEGACY,
          (said, from) => asks('notifications/progress')(said, from) && from === 'client',
          notification('progress', { progressToken: 's', progress: 2 }),
        ),
      ),
    ],
  },
  {
    id: 'progress-less',
    what: 'Less progress of the client than recorded',
    compared: 'unused',
    diff: 'all',
    lint: 'none',
    plants: [
      plant(
        'a report less',
        without(LEGACY, (said, from) => asks('notifications/progress')(said, from) && from === 'client'),
      ),
    ],
  },
  {
    id: 'progress-values',
    what: 'How far progress of the client has come',
    why: 'it differs between any two runs',
    compared: 'no',
    diff: 'none',
    lint: 'none',
    plants: [
      plant(
        'another value',
        changed(
          LEGACY,
          (said, from) => asks('notifications/progress')(said, from) && from === 'client',
          ({ params }) => (params.progress = 5),
        ),
      ),
    ],
  },
];

/** What a server says to a mock client. */
export const SERVER_ROWS: readonly Row[] = [
  {
    id: 'result',
    what: 'An answer: its result, its error, or one instead of the other',
    compared: 'difference',
    diff: 'all',
    lint: 'none',
    plants: [
      plant(
        'another text',
        changed(LEGACY, answers('server', 2), ({ result }) => (result.content[0].text = 'rested')),
      ),
      plant(
        'another block',
        changed(LEGACY, answers('server', 2), ({ result }) => result.content.push({ type: 'text', text: 'more' })),
      ),
      plant(
        'isError',
        changed(LEGACY, answers('server', 2), ({ result }) => (result.isError = true)),
      ),
      plant(
        'another description',
        changed(LEGACY, answers('server', 1), ({ result }) => (result.tools[0].description = 'Rests')),
      ),
      plant(
        'a tool less',
        changed(LEGACY, answers('server', 1), ({ result }) => result.tools.pop()),
      ),
      plant(
        'an error instead',
        instead(LEGACY, answers('server', 2), ({ id }) => [{ jsonrpc: '2.0', id, error: { code: -1, message: 'no' } }]),
      ),
      plant(
        'another error',
        changed(LEGACY, answers('server', 5), ({ error }) => (error.code = -32603)),
      ),
      plant(
        'another message',
        changed(LEGACY, answers('server', 5), ({ error }) => (error.message = 'no')),
      ),
    ],
  },
  {
    id: 'opening',
    what: 'The answer to `initialize`: revision, capabilities, name, instructions',
    compared: 'difference',
    diff: 'all',
    lint: ['a capability less'],
    plants: [
      plant(
        'another revision',
        changed(LEGACY, answers('server', 0), ({ result }) => (result.protocolVersion = '2025-06-18')),
      ),
      plant(
        'a capability less',
        changed(LEGACY, answers('server', 0), ({ result }) => delete result.capabilities.logging),
      ),
      plant(
        'another name',
        changed(LEGACY, answers('server', 0), ({ result }) => (result.serverInfo.name = 'other')),
      ),
      plant(
        'other instructions',
        changed(LEGACY, answers('server', 0), ({ result }) => (result.instructions = 'Shout.')),
      ),
    ],
  },
  {
    id: 'server-form',
    what: 'A message without `"jsonrpc": "2.0"`, and a version or cursor of another type than the specification has',
    compared: 'difference',
    diff: ['a version that is a number', 'no version', 'a cursor that is null'],
    lint: ['another version of JSON-RPC', 'a version that is a number', 'no version'],
    plants: [
      plant(
        'another version of JSON-RPC',
        changed(LEGACY, answers('server', 2), (said) => (said.jsonrpc = '1.0')),
      ),
      plant(
        'a version that is a number',
        changed(LEGACY, answers('server', 0), ({ result }) => (result.serverInfo.version = 2)),
      ),
      plant(
        'no version',
        changed(LEGACY, answers('server', 0), ({ result }) => delete result.serverInfo.version),
      ),
      plant(
        'a cursor that is null',
        changed(LEGACY, answers('server', 1), ({ result }) => (result.nextCursor = null)),
      ),
    ],
  },
  {
    id: 'version',
    what: 'The version of the server; ids, cursors, task ids, times and intervals',
    why: 'they differ between any two runs; another version is noted',
    compared: 'no',
    diff: 'none',
    lint: 'none',
    plants: [
      plant(
        'another version',
        changed(LEGACY, answers('server', 0), ({ result }) => (result.serverInfo.version = '2.0.0')),
      ),
    ],
  },
  {
    id: 'answer-missing',
    what: 'An answer that never comes, comes twice, or has another id',
    compared: 'difference',
    diff: ['no answer', 'an id of another type'],
    lint: ['an answer twice', 'another answer after it', 'an id of another type'],
    plants: [
      plant('no answer', without(LEGACY, answers('server', 2))),
      plant(
        'an answer twice',
        instead(LEGACY, answers('server', 2), (said) => [said, said]),
      ),
      plant('another answer after it', followed(LEGACY, answers('server', 5), { jsonrpc: '2.0', id: 5, result: {} })),
      plant(
        'an id of another type',
        changed(LEGACY, answers('server', 2), (said) => (said.id = '2')),
      ),
    ],
  },
  {
    id: 'server-request',
    what: 'A request of the server that the cassette does not have, or one of the cassette that never comes',
    compared: 'difference',
    diff: 'all',
    lint: ['a request less'],
    plants: [
      plant(
        'other params',
        changed(LEGACY, asks('sampling/createMessage'), ({ params }) => (params.maxTokens = 11)),
      ),
      plant('a request less', without(without(LEGACY, asks('sampling/createMessage')), sampled)),
      plant('a request more', followed(LEGACY, answers('server', 3), request(9, 'roots/list'))),
    ],
  },
  {
    id: 'notification-missing',
    what: 'A recorded notification that never comes, or says something else; less progress than recorded',
    compared: 'difference',
    diff: ['no message', 'another message'],
    lint: 'none',
    plants: [
      plant('no message', without(LEGACY, asks('notifications/message'))),
      plant(
        'another message',
        changed(LEGACY, asks('notifications/message'), ({ params }) => (params.data = 'all of it')),
      ),
      plant('a report less', without(LEGACY, asks('notifications/progress'))),
    ],
  },
  {
    id: 'notification-more',
    what: 'A notification that the cassette does not have, other than a log message and progress',
    compared: 'difference',
    diff: ['another list'],
    lint: 'none',
    plants: [
      plant(
        'another list',
        instead(LEGACY, asks('notifications/message'), (said) => [said, notification('tools/list_changed')]),
      ),
    ],
  },
  {
    id: 'log-more',
    what: 'A log message, or progress, that the cassette does not have',
    why: 'servers log as they like; it is noted',
    compared: 'unused',
    diff: ['another message'],
    lint: 'none',
    plants: [
      plant(
        'another message',
        followed(LEGACY, asks('notifications/message'), notification('message', { level: 'info', data: 'more' })),
      ),
      plant(
        'a report more',
        followed(
          LEGACY,
          asks('notifications/message'),
          notification('progress', { progressToken: 'a', progress: 1.5 }),
        ),
      ),
    ],
  },
  {
    id: 'progress-values',
    what: 'How far progress has come, and progress of a call that was cancelled',
    why: 'it differs between any two runs',
    compared: 'no',
    diff: 'none',
    lint: 'none',
    plants: [
      plant(
        'another value',
        changed(LEGACY, asks('notifications/progress'), ({ params }) => (params.progress = 0.5)),
      ),
    ],
  },
  {
    id: 'ping',
    what: 'Pings, and the answers to them',
    why: 'either side may ping at any time, and is answered at once',
    compared: 'no',
    diff: 'all',
    lint: 'none',
    plants: [
      plant(
        'a ping more',
        instead(LEGACY, answers('server', 3), (said) => [request('ping', 'ping'), said]),
      ),
    ],
  },
  {
    id: 'server-cancel',
    what: 'Whether the server cancels a request of its own, and how often it asks for roots',
    why: 'it depends on how soon the client answers, and roots are told as often as they are asked for',
    compared: 'no',
    diff: 'all',
    lint: 'none',
    plants: [plant('no cancel', ASKED_AND_NOT_CANCELLED, ASKED_AND_CANCELLED)],
  },
  {
    id: 'server-request-meta',
    what: 'The `_meta` of a request of the server, such as whether it asks for progress',
    why: 'it is made anew for each request',
    compared: 'no',
    diff: 'all',
    lint: 'none',
    plants: [
      plant(
        'another trace',
        changed(LEGACY, asks('sampling/createMessage'), ({ params }) => (params._meta.trace = 'other')),
      ),
    ],
  },
  {
    id: 'later-pages',
    what: 'Members of the second and later pages of a list, beside its items',
    why: 'how many pages a list has is the server’s to decide, so that pages are joined',
    compared: 'no',
    diff: 'none',
    lint: 'none',
    plants: [plant('another scope', PAGES('private'), PAGES('public'))],
  },
  {
    id: 'cancelled-answer',
    what: 'The answer to a call that the client cancelled before it',
    why: 'it may come or not, and the client ignores it',
    compared: 'no',
    diff: 'all',
    lint: 'none',
    plants: [plant('no answer', without(LEGACY, answers('server', 4)))],
  },
  {
    id: 'error-without-id',
    what: 'An error without an id, about a message that the server could not read',
    why: 'it answers no request',
    compared: 'no',
    diff: 'none',
    lint: 'none',
    plants: [plant('another message', UNREADABLE('No'), UNREADABLE('Parse error'))],
  },
  {
    id: 'order',
    what: 'The order in which a server says things',
    why: 'answers overtake each other in any two runs',
    compared: 'no',
    diff: 'none',
    lint: 'none',
    plants: [
      plant('a message before the progress', after(LEGACY, asks('notifications/message'), asks('tools/call', 'work'))),
    ],
  },
];

/** What only a process does. */
export const PROCESS_ROWS: readonly Row[] = [
  {
    id: 'exit',
    what: 'How the process of the server ends: its status, or a crash',
    compared: 'difference',
    diff: 'all',
    lint: 'none',
    plants: [
      plant('another status', ended(LEGACY, 1, exits(3))),
      plant('a crash in a call', ended(LEGACY, 5, exits('SIGSEGV'))),
    ],
  },
  {
    id: 'stdout',
    what: 'Lines on standard output that are no messages',
    compared: 'difference',
    diff: 'all',
    lint: 'all',
    plants: [
      plant(
        'a log line',
        ended(
          LEGACY,
          2,
          { kind: 'line', at: 0, from: 'server', on: 'protocol', data: 'hello' },
          ...LEGACY.events.slice(-2).map(({ frame }) => frame),
        ),
      ),
      plant(
        'a line of JSON',
        ended(
          LEGACY,
          2,
          server({ level: 30, msg: 'hi' } as never),
          ...LEGACY.events.slice(-2).map(({ frame }) => frame),
        ),
      ),
    ],
  },
  {
    id: 'stderr',
    what: 'Standard error',
    why: 'it is free text (stdio transport); its last lines are shown where the run fails',
    compared: 'no',
    diff: 'none',
    lint: 'none',
    plants: [
      plant(
        'a log line',
        ended(
          LEGACY,
          2,
          { kind: 'line', at: 0, from: 'server', on: 'stderr', data: 'hello' },
          ...LEGACY.events.slice(-2).map(({ frame }) => frame),
        ),
      ),
    ],
  },
];
