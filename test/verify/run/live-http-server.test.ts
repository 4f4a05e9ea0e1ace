import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { compareSession } from '../../../src/verify/compare/compare-session.ts';
import { liveHttpServer } from '../../../src/verify/run/live-http-server.ts';
import { runRecordedClient } from '../../../src/verify/run/run-recorded-client.ts';
import {
  call,
  cassette as cassetteOf,
  client,
  notification,
  request,
  result,
  server,
} from '../../support/conversation.ts';
import { type Arrived, data, serving } from '../../transports/http/dialing.ts';

const [A, B, resultA, resultB] = [call(1, 'a'), call(2, 'b'), result(1, 'A'), result(2, 'B')];
const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
const leaves = (stream: number): Frame => ({ kind: 'close', at: 0, from: 'client', stream });
const initialize = request(0, 'initialize', { protocolVersion: '2025-11-25' });
const welcome = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } };
const opening = [client(initialize), server(welcome), client(notification('initialized'))];
const SESSION = { 'mcp-session-id': 's' };

const PLAYER_WAIT = 7_777;

/** A clock on which the player waits for an answer until `pass` is called. */
function waitLimit() {
  const waits = new Set<() => void>();
  const clock: Clock = {
    ...systemClock,
    after(delay, task) {
      if (delay !== PLAYER_WAIT) return systemClock.after(delay, task);
      waits.add(task);
      return () => waits.delete(task);
    },
  };
  return { clock, pass: () => [...waits].forEach((task) => void task()) };
}

interface Playing {
  /** How long the client waits for an HTTP response. */
  patience?: number;
  /** Time of the player. */
  clock?: Clock;
}

/** Plays `cassette` to a server that the test speaks for. */
async function playing(cassette: Cassette, { patience = 10_000, clock = systemClock }: Playing = {}) {
  const far = await serving();
  const live = liveHttpServer({ upstream: parseUpstream(far.url), clock: systemClock, patience });
  const driven = runRecordedClient({ cassette, server: live, clock, patience: PLAYER_WAIT });
  return {
    arrives: far.arrives,
    stops: far.stops,
    untaken: far.untaken,
    driven,
    /** What failed, in words. */
    async fails() {
      const { steps } = compareSession({ file: 'cassette.yaml', driven: await driven });
      return steps.filter(({ status }) => status === 'failed').map(({ title, headline }) => `${title}: ${headline}`);
    },
    [Symbol.asyncDispose]: () => far[Symbol.asyncDispose](),
  };
}

/** The next request, which is to be `method` of HTTP, or to hold `message`. */
async function next(both: { arrives(): Promise<Arrived> }, what: unknown): Promise<Arrived> {
  const one = await both.arrives();
  expect(one.message ?? one.method).toEqual(what);
  return one;
}

describe('a cassette of stdio, over HTTP', () => {
  it.each([400, 401, 500])('fails a server that refuses a notification with %i', async (status) => {
    await using both = await playing(cassetteOf(...opening, client(A), server(resultA)));
    (await next(both, initialize)).answers(welcome);
    (await next(both, notification('initialized'))).refuses(status);
    await next(both, 'GET').then((get) => get.refuses(405));
    (await next(both, A)).answers(resultA);
    expect(await both.fails()).toEqual([
      expect.stringMatching(
        new RegExp(`^notifications/initialized: was refused with HTTP ${status} .*: clients fail to send it$`),
      ),
    ]);
  });

  it.each([401, 403])('fails a server that refuses the stream and the end of the session with %i', async (status) => {
    await using both = await playing(cassetteOf(...opening, client(A), server(resultA)));
    (await next(both, initialize)).answers(welcome, SESSION);
    (await next(both, notification('initialized'))).accepts();
    await next(both, 'GET').then((get) => get.refuses(status));
    (await next(both, A)).answers(resultA);
    await next(both, 'DELETE').then((end) => end.refuses(status));
    expect(await both.fails()).toEqual([
      expect.stringMatching(`^GET: was refused with HTTP ${status} .*: clients fail to open a stream to listen$`),
      expect.stringMatching(`^DELETE: was refused with HTTP ${status} .*: clients fail to end the session$`),
    ]);
  });

  it('passes a server that has no stream to listen on, and no end of a session', async () => {
    await using both = await playing(cassetteOf(...opening, client(A), server(resultA)));
    (await next(both, initialize)).answers(welcome, SESSION);
    (await next(both, notification('initialized'))).accepts();
    await next(both, 'GET').then((get) => get.refuses(405));
    (await next(both, A)).answers(resultA);
    await next(both, 'DELETE').then((end) => end.refuses(405));
    expect(await both.fails()).toEqual([]);
  });

  it('fails a server that sends no response to a notification', async () => {
    await using both = await playing(cassetteOf(...opening, client(A), server(resultA)), { patience: 1 });
    (await next(both, initialize)).answers(welcome);
    await next(both, notification('initialized'));
    (await next(both, A)).answers(resultA);
    expect(await both.fails()).toEqual(['notifications/initialized: got no HTTP response: clients wait for one']);
  });

  it('waits for a late response to a notification', async () => {
    await using both = await playing(cassetteOf(...opening, client(A), server(resultA)));
    (await next(both, initialize)).answers(welcome);
    const notified = await next(both, notification('initialized'));
    (await next(both, A)).answers(resultA);
    notified.accepts();
    expect(await both.fails()).toEqual([]);
  });

  it('fails a server that refuses the answer to its question', async () => {
    const question = request('q', 'roots/list');
    const roots = { jsonrpc: '2.0', id: 'q', result: { roots: [] } };
    await using both = await playing(
      cassetteOf(...opening, client(A), server(question), client(roots), server(resultA)),
    );
    (await next(both, initialize)).answers(welcome);
    (await next(both, notification('initialized'))).accepts();
    await next(both, 'GET').then((get) => get.refuses(405));
    const post = (await next(both, A)).streams(data(question));
    (await next(both, roots)).refuses(500);
    post.streams(data(resultA));
    expect(await both.fails()).toEqual([expect.stringContaining('an answer to the server: was refused with HTTP 500')]);
  });

  it('opens a stream to listen on, hears what comes on it, and ends its session', async () => {
    await using both = await playing(
      cassetteOf(...opening, client(A), server(notification('message', { data: 'x' })), server(resultA)),
    );
    (await next(both, initialize)).answers(welcome, SESSION);
    (await next(both, notification('initialized'))).accepts();
    const get = (await next(both, 'GET')).streams();
    const post = await next(both, A);
    get.streams(data(notification('message', { data: 'x' })));
    post.answers(resultA);
    const gone = await next(both, 'DELETE');
    expect(gone.headers).toMatchObject(SESSION);
    gone.refuses(200);
    expect(await both.fails()).toEqual([]);
    expect(await both.driven).toMatchObject({ died: false, killed: false, isProcess: false });
  });

  it('ends no session where none was issued', async () => {
    await using both = await playing(cassetteOf(client(A), server(resultA)));
    (await next(both, A)).answers(resultA);
    expect(await both.fails()).toEqual([]);
  });

  it('goes on after a refusal, and asks nothing that needed the answer', async () => {
    const list = (id: number, params = {}) => request(id, 'tools/list', params);
    const page = { jsonrpc: '2.0', id: 1, result: { tools: [], nextCursor: 'x' } };
    const last = { jsonrpc: '2.0', id: 2, result: { tools: [] } };
    await using both = await playing(
      cassetteOf(client(list(1)), server(page), client(list(2, { cursor: 'x' })), server(last), client(call(3, 'c'))),
    );
    (await next(both, list(1))).refuses(503);
    (await next(both, call(3, 'c'))).answers(result(3, 'C'));
    expect(await both.fails()).toContain('tools/list: HTTP 503 Service Unavailable, instead of an answer');
  });

  it('gives up on a server that is not there any more', async () => {
    await using both = await playing(cassetteOf(client(A), server(resultA), client(B), server(resultB)));
    const post = await next(both, A);
    both.stops();
    post.answers(resultA, { connection: 'close' });
    expect(await both.fails()).toEqual([
      expect.stringMatching(/^tools\/call "b": gave up on the server: it cannot be reached any more \(.+\) before/),
    ]);
  });

  it('cannot begin with a server that was never there', async () => {
    const both = await playing(cassetteOf(client(A), server(resultA)));
    both.stops();
    await expect(both.driven).rejects.toThrow('[HTTP_UPSTREAM_UNREACHABLE]');
  });

  it('tries HTTP with SSE first where 2024-11-05 was spoken', async () => {
    const oldest = { ...welcome, result: { protocolVersion: '2024-11-05' } };
    await using both = await playing(cassetteOf(client(initialize), server(oldest)));
    (await next(both, 'GET')).refuses(405);
    (await next(both, initialize)).answers(oldest);
    expect(await both.fails()).toEqual([]);
  });
});

describe('a cassette of HTTP, over HTTP', () => {
  const opens = (stream: number, method: string, resumes?: string): Frame => ({
    kind: 'open',
    at: 0,
    from: 'client',
    method,
    stream,
    ...(resumes !== undefined && { resumes }),
  });
  const begun = opening.map((frame, n) => on(n === 2 ? 2 : 1, frame));
  const event = (stream: number, id: string): Frame => ({
    kind: 'sse',
    at: 0,
    from: 'server',
    sse: { id },
    stream,
  });

  async function begins(both: { arrives(): Promise<Arrived> }) {
    (await next(both, initialize)).answers(welcome, SESSION);
    (await next(both, notification('initialized'))).accepts();
  }

  it('opens no stream and ends no session but where the cassette does', async () => {
    await using both = await playing(cassetteOf(...begun, on(3, client(A)), on(3, server(resultA))));
    await begins(both);
    (await next(both, A)).answers(resultA);
    expect(await both.fails()).toEqual([]);
    expect(both.untaken()).toBe(0);
  });

  it('ends the session where the cassette does', async () => {
    await using both = await playing(cassetteOf(...begun, opens(3, 'DELETE')));
    await begins(both);
    (await next(both, 'DELETE')).refuses(200);
    expect(await both.fails()).toEqual([]);
  });

  it('comes back for an answer after the live event, where it had left its stream in the cassette', async () => {
    await using both = await playing(
      cassetteOf(
        ...begun,
        on(3, client(A)),
        event(3, 'recorded'),
        leaves(3),
        opens(4, 'GET', 'recorded'),
        on(4, server(resultA)),
      ),
    );
    await begins(both);
    const post = await next(both, A);
    post.streams('id: live\ndata: \n\n');
    await post.left;
    const get = await next(both, 'GET');
    expect(get.headers).toMatchObject({ 'last-event-id': 'live' });
    get.streams(data(resultA));
    expect(await both.fails()).toEqual([]);
  });

  it('of HTTP with SSE, opens its stream in the place that Streamable HTTP has for it', async () => {
    const endpoint: Frame = {
      kind: 'sse',
      at: 0,
      from: 'server',
      sse: { event: 'endpoint', data: '/messages' },
      stream: 1,
    };
    const [asked, answered, told] = opening;
    await using both = await playing(
      cassetteOf(
        opens(1, 'GET'),
        endpoint,
        on(2, asked!),
        on(1, answered!),
        on(3, told!),
        on(4, client(A)),
        on(1, server(resultA)),
        leaves(1),
      ),
    );
    (await next(both, 'GET')).refuses(400);
    await begins(both);
    (await next(both, 'GET')).streams();
    (await next(both, A)).answers(resultA);
    (await next(both, 'DELETE')).refuses(200);
    expect(await both.fails()).toEqual([]);
  });

  it('passes the refusal that the cassette has, and goes on after it', async () => {
    const refusal: Frame = { kind: 'http-response', at: 0, from: 'server', status: 400, stream: 1 };
    const cassette = cassetteOf(on(1, client(A)), refusal, on(2, client(B)), on(2, server(resultB)));
    await using both = await playing(cassette);
    (await next(both, A)).refuses(400);
    (await next(both, B)).answers(resultB);
    expect(await both.fails()).toEqual([]);
  });

  it('fails the same answer under another status', async () => {
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } };
    const refusal = { ...on(1, server(error)), status: 404 } as Frame;
    await using both = await playing(cassetteOf(on(1, client(A)), refusal));
    (await next(both, A)).answers(error);
    expect(await both.fails()).toEqual(['tools/call "a": HTTP status 404 → 200']);
  });
});

describe('a call that is still open when the client ends the session', () => {
  const begun = opening.map((frame, n) => on(n === 2 ? 2 : 1, frame));
  const deletes: Frame = { kind: 'open', at: 0, from: 'client', method: 'DELETE', stream: 4 };
  const recorded = cassetteOf(...begun, on(3, client(A)), on(3, server(resultA)), deletes);
  const overStdio = cassetteOf(...opening, client(A), server(resultA));
  const error = { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'session ended' } };

  /** Plays to a server that begins the answer to the call. Then the client gives up the call. */
  async function givingUp(cassette: Cassette) {
    const limit = waitLimit();
    const both = await playing(cassette, { patience: 10_000, ...limit });
    (await next(both, initialize)).answers(welcome, SESSION);
    (await next(both, notification('initialized'))).accepts();
    if (cassette === overStdio) (await next(both, 'GET')).refuses(405);
    const post = (await next(both, A)).streams(': begun\n\n');
    limit.pass();
    return { both, post };
  }

  it.each<[string, (post: Arrived) => void]>([
    ['ends its stream', (post) => post.ends()],
    ['breaks its connection', (post) => post.breaks()],
    ['answers it with an error', (post) => post.streams(data(error))],
    ['answers it after all', (post) => post.streams(data(resultA))],
  ])('hung, and has no time, where the server then %s', async (_, end) => {
    for (const cassette of [recorded, overStdio]) {
      const { both, post } = await givingUp(cassette);
      await using _both = both;
      const gone = await next(both, 'DELETE');
      end(post);
      await Promise.race([post.left, once(post.response, 'close'), setImmediate()]);
      gone.refuses(200);
      expect(await both.fails()).toEqual(['tools/call "a": hung: no answer came in time']);
      const { steps } = compareSession({ file: 'cassette.yaml', driven: await both.driven });
      expect(steps.find(({ title }) => title === 'tools/call "a"')).not.toHaveProperty('duration');
    }
  });

  it('is late where its answer comes before the client ends the session', async () => {
    const later = [on(5, client(B)), on(5, server(resultB)), { ...deletes, stream: 6 }];
    const { both, post } = await givingUp(cassetteOf(...begun, on(3, client(A)), on(3, server(resultA)), ...later));
    await using _both = both;
    const second = await next(both, B);
    post.streams(data(resultA)).ends();
    await post.left;
    second.answers(resultB);
    (await next(both, 'DELETE')).refuses(200);
    expect(await both.fails()).toEqual([
      expect.stringMatching(/^tools\/call "a": hung: it came after \d+ ms, when the client had given up$/),
    ]);
  });
});

describe('an answer that the server breaks off', () => {
  it('has no time', async () => {
    await using both = await playing(cassetteOf(client(A), server(resultA)));
    (await next(both, A)).streams().ends();
    const { steps } = compareSession({ file: 'cassette.yaml', driven: await both.driven });
    expect(steps).toMatchObject([{ title: 'tools/call "a"', status: 'failed' }]);
    expect(steps[0]!.headline).toContain('the answer ended before there was a message');
    expect(steps[0]).not.toHaveProperty('duration');
  });
});

describe('a batch of 2025-03-26 (§2, "Batch")', () => {
  const [old, hello] = ['2025-03-26', notification('initialized')];
  const opened = [
    client(request(0, 'initialize', { protocolVersion: old })),
    server({ jsonrpc: '2.0', id: 0, result: { protocolVersion: old } }),
    client(hello),
  ].map((frame, n) => on(n < 2 ? 1 : 2, frame));
  const asked = notification('asked');

  it('is said as the one that it was, and answered in whatever form', async () => {
    await using both = await playing(
      cassetteOf(
        ...opened,
        on(3, client([A, asked, B])),
        on(3, server([resultB, resultA])),
        on(4, client(call(3, 'c'))),
        on(4, server(result(3, 'C'))),
      ),
    );
    (await next(both, request(0, 'initialize', { protocolVersion: old }))).answers(
      { jsonrpc: '2.0', id: 0, result: { protocolVersion: old } },
      SESSION,
    );
    (await next(both, hello)).accepts();
    const batch = await next(both, [A, asked, B]);
    expect(batch.headers).toMatchObject(SESSION);
    batch.streams(data(resultA), data(resultB)).ends();
    (await next(both, call(3, 'c'))).answers(result(3, 'C'));
    expect(await both.fails()).toEqual([]);
  });

  it('that is answered in part shows what is missing', async () => {
    await using both = await playing(cassetteOf(on(1, client([A, B])), on(1, server([resultA, resultB]))));
    (await next(both, [A, B])).answers([resultA]);
    expect(await both.fails()).toEqual([expect.stringMatching(/^tools\/call "b": /)]);
  });
});
