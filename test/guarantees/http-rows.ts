import type { Cassette } from '../../src/cassette/cassette.ts';
import type { Frame, Headers } from '../../src/channel/frame.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { META } from '../../src/protocol/meta.ts';
import { cassette as cassetteOf, notification, request } from '../support/conversation.ts';
import type { Plant, Row } from './rows.ts';

const on = (stream: number, from: Frame['from'], message: unknown, more: object = {}): Frame => ({
  kind: 'message',
  at: 0,
  from,
  stream,
  json: new JsonText(JSON.stringify(message)),
  ...more,
});
const opens = (stream: number, method: string, more: object = {}): Frame => ({
  kind: 'open',
  at: 0,
  from: 'client',
  method,
  stream,
  ...more,
});
const status = (stream: number, status: number): Frame => ({
  kind: 'http-response',
  at: 0,
  from: 'server',
  stream,
  status,
});
const primes = (stream: number): Frame => ({
  kind: 'sse',
  at: 0,
  from: 'server',
  stream,
  sse: { id: `${stream}_0`, retry: 10 },
});
const leaves = (stream: number): Frame => ({ kind: 'close', at: 0, from: 'client', stream, how: 'fin' });
const answer = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

const OPENING = on(
  1,
  'client',
  request(0, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { sampling: {} },
    clientInfo: { name: 'recorded', version: '1.0.0' },
  }),
);
const WORK = on(4, 'client', request(1, 'tools/call', { name: 'work', arguments: {} }));
const LISTENING = opens(3, 'GET');
const RESUMING = opens(6, 'GET', { resumes: '5_1' });
const RESUMED = on(6, 'server', answer(2, text('at last')), { sse: { id: '5_2' } });
const DELETED = opens(8, 'DELETE');

const FRAMES: readonly Frame[] = [
  OPENING,
  on(
    1,
    'server',
    answer(0, {
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'recorded', version: '1.0.0' },
    }),
    { session: 'new' },
  ),
  on(2, 'client', notification('initialized')),
  LISTENING,
  primes(3),
  WORK,
  on(4, 'server', answer(1, text('worked'))),
  // The server ends the stream of this call before it has answered, and the client comes back for the answer.
  on(5, 'client', request(2, 'tools/call', { name: 'slow', arguments: {}, _meta: { progressToken: 1 } })),
  primes(5),
  on(5, 'server', notification('progress', { progressToken: 1, progress: 1 }), { sse: { id: '5_1' } }),
  { kind: 'close', at: 0, from: 'server', stream: 5 },
  RESUMING,
  RESUMED,
  on(3, 'server', notification('tools/list_changed'), { sse: { id: '3_1' } }),
  on(7, 'client', request(3, 'tools/list')),
  on(7, 'server', answer(3, { tools: [] })),
  DELETED,
  status(8, 200),
];

const session = (frames: readonly Frame[]): Cassette => {
  const cassette = cassetteOf(...frames);
  return {
    ...cassette,
    header: { ...cassette.header, transport: 'http', url: 'http://recorded.test/mcp' },
  };
};

/** A session over HTTP in which the client does one thing of every kind. */
export const HTTP: Cassette = session(FRAMES);

/** The server asks the client on the stream to listen on. */
const ASKED = on(3, 'server', request(0, 'sampling/createMessage', { messages: [], maxTokens: 1 }), {
  sse: { id: '3_9' },
});
const ANSWERED = on(9, 'client', answer(0, { role: 'assistant', model: 'm', content: text('yes').content[0] }));
const ASKING_FRAMES: readonly Frame[] = FRAMES.slice(0, FRAMES.indexOf(WORK) + 2).flatMap((frame) =>
  frame === WORK ? [WORK, ASKED, ANSWERED] : [frame],
);
const ASKING = session(ASKING_FRAMES);
const ASKING_NOBODY = session(ASKING_FRAMES.filter((frame) => frame.stream !== LISTENING.stream && frame !== ANSWERED));

const _meta = {
  [META.protocolVersion]: '2026-07-28',
  [META.clientCapabilities]: {},
  [META.clientInfo]: { name: 'recorded', version: '1.0.0' },
};
/** A call of 2026-07-28 over HTTP, with headers that are not as its message demands. */
const modern = (headers?: Headers): Cassette =>
  session([
    on(1, 'client', request(1, 'tools/call', { name: 'work', arguments: {}, _meta }), headers && { headers }),
    on(1, 'server', answer(1, { resultType: 'complete', ...text('worked') })),
  ]);
/** The same over HTTP of 2026-07-28. */
export const HTTP_MODERN: Cassette = modern();
/** Sessions over HTTP that are as recorded. */
export const HTTP_SAME: readonly Plant[] = [
  { title: 'over HTTP before 2026-07-28', recorded: HTTP, live: HTTP },
  { title: 'over HTTP of 2026-07-28', recorded: HTTP_MODERN, live: HTTP_MODERN },
  { title: 'over HTTP in which the server asks', recorded: ASKING, live: ASKING },
];

const without = (...frames: Frame[]) => session(FRAMES.filter((frame) => !frames.includes(frame)));
const instead = (frame: Frame, ...others: Frame[]) =>
  session(FRAMES.flatMap((one) => (one === frame ? others : [one])));
const onStream = (stream: number) => FRAMES.filter((frame) => frame.stream === stream);
const plant = (title: string, live: Cassette, recorded: Cassette = HTTP): Plant => ({
  title,
  recorded,
  live,
});
/** The call with a header that it does not have in the cassette; with an empty one, without it. */
const workWith = (headers: Headers) => instead(WORK, { ...WORK, headers } as Frame);

/** What a client does over HTTP beside what it says. */
export const HTTP_ROWS: readonly Row[] = [
  {
    id: 'http-headers',
    what: 'Headers that the protocol does not make from the message',
    why: 'they carry credentials, versions and places; the [journal](vitest.md) has them, to be asserted on',
    compared: 'no',
    diff: 'none',
    lint: 'none',
    plants: [
      plant('another header', workWith({ 'x-tenant': 'other' })),
      plant('other credentials', workWith({ authorization: 'Bearer other' })),
      plant('another language', workWith({ 'accept-language': 'de' })),
    ],
  },
  {
    id: 'http-refused',
    what: 'An unknown session, an unknown revision, or (from 2026-07-28 on) a header that contradicts the message',
    compared: 'difference',
    diff: 'none',
    lint: 'none',
    plants: [
      plant('another session', workWith({ 'mcp-session-id': 'other' })),
      plant('no session', workWith({ 'mcp-session-id': '' })),
      plant('no such revision', workWith({ 'mcp-protocol-version': 'none' })),
      plant('another name', modern({ 'mcp-name': 'other' }), HTTP_MODERN),
      plant('no method', modern({ 'mcp-method': '' }), HTTP_MODERN),
    ],
  },
  {
    id: 'http-revision',
    what: '`MCP-Protocol-Version` before 2026-07-28: missing, or another revision that there is',
    why: 'servers serve such clients, older ones among them',
    compared: 'no',
    diff: 'none',
    lint: 'none',
    plants: [
      plant('an older revision', workWith({ 'mcp-protocol-version': '2025-06-18' })),
      plant('no revision', workWith({ 'mcp-protocol-version': '' })),
    ],
  },
  {
    id: 'http-listen',
    what: 'Whether a client opens a stream to listen on (GET), how often, and how long it stays',
    why: 'a client need not listen; what it does not answer for that is the next row',
    compared: 'no',
    diff: ['no stream'],
    lint: 'none',
    plants: [
      plant('no stream', without(...onStream(3))),
      plant('left early', instead(WORK, leaves(3), WORK)),
      plant('a stream more', instead(WORK, opens(9, 'GET'), WORK)),
    ],
  },
  {
    id: 'http-listen-asked',
    what: 'A request of the server that a client does not answer because it does not listen',
    compared: 'difference',
    diff: 'all',
    lint: 'none',
    plants: [plant('no stream', ASKING_NOBODY, ASKING)],
  },
  {
    id: 'http-left',
    what: 'Whether a client waits for the answer of a call, or leaves its stream before 2026-07-28',
    why: 'a connection that is lost is no cancel; what a client makes of its answers is not seen',
    compared: 'no',
    diff: 'all',
    lint: 'none',
    plants: [
      plant(
        'left early',
        session(
          FRAMES.filter((frame) => frame !== RESUMING && frame !== RESUMED).map((frame) =>
            frame.kind === 'close' ? leaves(5) : frame,
          ),
        ),
      ),
    ],
  },
  {
    id: 'http-resume',
    what: 'Whether a client resumes a stream, how often, and after which event (`Last-Event-ID`)',
    why: 'connections are lost at different places in any two runs. An unknown event is refused with status 400',
    compared: 'no',
    diff: ['not resumed'],
    lint: 'none',
    plants: [
      plant('not resumed', without(RESUMING, RESUMED)),
      plant('an earlier event', instead(RESUMING, opens(6, 'GET', { resumes: '5_0' }))),
      plant('an event that there is not', instead(RESUMING, opens(6, 'GET', { resumes: 'nine' }))),
      plant('resumed again', instead(DELETED, opens(9, 'GET', { resumes: '5_1' }), DELETED)),
    ],
  },
  {
    id: 'http-delete',
    what: 'Whether a client ends its session (DELETE), and how often',
    why: 'a client need not, and sessions end by themselves',
    compared: 'no',
    diff: 'none',
    lint: 'none',
    plants: [
      plant('no DELETE', without(...onStream(8))),
      plant('DELETE again', instead(DELETED, DELETED, opens(10, 'DELETE'))),
    ],
  },
];
