import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { ManualClock } from '../../../../src/kernel/manual-clock.ts';
import { call, notification, request, result } from '../../../support/conversation.ts';
import { data, dialing, hastyClock } from '../dialing.ts';

const initialize = request(0, 'initialize', { protocolVersion: '2025-11-25' });
const initialized = notification('initialized');
const welcome = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } };
const error = (id: number | null) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: 'no' } });
const modern = (id: number, method = 'tools/call') =>
  request(id, method, { name: 'a', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } });
const SESSION = { 'mcp-session-id': 's-1' };

/** A client in a session of 2025-11-25. */
async function inSession(options: Parameters<typeof dialing>[0] = {}) {
  const both = await dialing(options);
  both.says(initialize);
  (await both.arrives()).answers(welcome, SESSION);
  await both.hears();
  return both;
}

describe('a client over Streamable HTTP (§6)', () => {
  it('posts a message, and hears the answer in its body, on the stream of the message', async () => {
    await using both = await dialing();
    both.says(call(1, 'a'), 7);
    const post = await both.arrives();
    expect([post.method, post.path, post.message]).toEqual(['POST', '/mcp', call(1, 'a')]);
    expect(post.headers).toMatchObject({
      host: `127.0.0.1:${both.port}`,
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
    });
    post.answers(result(1, 'A'));
    expect(await both.hears()).toEqual({ stream: 7, json: result(1, 'A') });
  });

  it('hears what comes on an event stream as it comes', async () => {
    await using both = await dialing();
    both.says(call(1, 'a'), 7);
    const post = await both.arrives();
    post.streams(': hello\n\n', 'id: x\nretry: 300\ndata: \n\n', data(notification('message')));
    expect(await both.hears()).toEqual({ kind: 'comment', text: ' hello', stream: 7 });
    expect(await both.hears()).toEqual({ kind: 'sse', sse: { id: 'x', retry: 300, data: '' }, stream: 7 });
    expect(await both.hears()).toEqual({ json: notification('message'), sse: {}, stream: 7 });
    post.streams('data: not JSON\n\n', data(result(1, 'A'))).ends();
    expect(await both.hears()).toEqual({
      kind: 'line',
      on: 'protocol',
      data: 'not JSON',
      sse: {},
      stream: 7,
    });
    expect(await both.hears()).toEqual({ json: result(1, 'A'), sse: {}, stream: 7 });
  });

  it('sends the session and the revision from the answer to initialize on, and neither when it begins anew', async () => {
    await using both = await inSession();
    both.says(initialized);
    const told = await both.arrives();
    expect(told.headers).toMatchObject({ ...SESSION, 'mcp-protocol-version': '2025-11-25' });
    told.accepts();
    both.says(initialize);
    const { headers } = await both.arrives();
    expect([headers['mcp-session-id'], headers['mcp-protocol-version']]).toEqual([undefined, undefined]);
  });

  it('is in no session that a refusal names, nor in the one before', async () => {
    await using both = await inSession();
    both.says(initialize);
    (await both.arrives()).answers(error(0), SESSION, 400);
    await both.hears();
    both.says(call(1, 'a'));
    expect((await both.arrives()).headers).not.toHaveProperty('mcp-session-id');
  });

  it('sends the headers of the cassette in the place of its own, and those of the user in the place of both', async () => {
    await using both = await dialing({ headers: { authorization: 'Bearer x', 'x-key': 'mine' } });
    both.says(call(1, 'a'), 1, {
      accept: '',
      'mcp-protocol-version': '1999',
      'x-key': 'recorded',
      authorization: 'Bearer',
    });
    const { headers } = await both.arrives();
    expect(headers).toMatchObject({
      'mcp-protocol-version': '1999',
      authorization: 'Bearer x',
      'x-key': 'mine',
    });
    expect(headers.accept).toBeUndefined();
  });

  it('repeats in headers what a tool marks, once it was told', async () => {
    await using both = await dialing();
    both.says(modern(1, 'tools/list'));
    const inputSchema = { properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } } };
    (await both.arrives()).answers({
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [{ name: 'a', inputSchema }] },
    });
    await both.hears();
    const { params, ...rest } = modern(2);
    both.says({ ...rest, params: { ...params, arguments: { zone: 'b' } } });
    expect((await both.arrives()).headers).toMatchObject({ 'mcp-name': 'a', 'mcp-param-zone': 'b' });
  });

  it('says nothing more before what asks for no answer is accepted', async () => {
    await using both = await inSession();
    both.says(initialized);
    both.says(call(1, 'a'));
    const told = await both.arrives();
    const next = both.arrives();
    told.response.once('finish', () => (told.message = undefined));
    told.accepts();
    expect((await next).message).toEqual(call(1, 'a'));
    expect(told.message).toBeUndefined();
  });

  it('and goes on without, in time, where a server does not accept it', async () => {
    const clock = new ManualClock();
    await using both = await dialing({ clock });
    both.says(initialized);
    both.says(call(1, 'a'));
    expect((await both.arrives()).message).toEqual(initialized);
    clock.advance(1_000);
    expect((await both.arrives()).message).toEqual(call(1, 'a'));
  });

  it('gives a message on a stream that is begun, as those of a batch are, an exchange of its own', async () => {
    await using both = await dialing();
    both.says(call(1, 'a'), 1);
    both.says(call(2, 'b'), 1);
    const [first, second] = [await both.arrives(), await both.arrives()];
    both.sends({ kind: 'close', stream: 1 });
    await first.left;
    second.answers(result(2, 'B'));
    expect(await both.hears()).toEqual({ json: result(2, 'B') });
  });

  it('does not wait for answers', async () => {
    await using both = await dialing();
    both.says(call(1, 'a'));
    both.says(call(2, 'b'));
    const messages = [(await both.arrives()).message, (await both.arrives()).message];
    expect(messages).toEqual([call(1, 'a'), call(2, 'b')]);
  });

  it('opens a stream to listen on, if it is to, and takes it well if there is none', async () => {
    await using both = await inSession({ opensStream: true });
    both.says(initialized);
    both.says(call(1, 'a'));
    (await both.arrives()).accepts();
    const get = await both.arrives();
    expect([get.method, get.headers]).toMatchObject(['GET', { accept: 'text/event-stream', ...SESSION }]);
    get.refuses(405);
    expect(await both.hears()).toEqual({ kind: 'http-response', status: 405 });
    const post = await both.arrives();
    expect(post.message).toEqual(call(1, 'a'));
    post.answers(result(1, 'A'));
    expect(await both.hears()).toEqual({ json: result(1, 'A') });
  });

  it('hears on a stream that the cassette opens, and leaves it', async () => {
    await using both = await inSession();
    both.sends({ kind: 'open', method: 'GET', stream: 3 });
    const get = await both.arrives();
    get.streams(data(notification('message')));
    expect(await both.hears()).toEqual({ json: notification('message'), sse: {}, stream: 3 });
    both.sends({ kind: 'close', stream: 3 });
    await get.left;
    expect(both.unheard()).toBe(0);
  });

  it('ends its session by DELETE (§3, "Shutdown")', async () => {
    await using both = await inSession();
    expect(both.dialer.isInSession).toBe(true);
    both.sends({ kind: 'open', method: 'DELETE' });
    const gone = await both.arrives();
    expect([gone.method, gone.headers]).toMatchObject(['DELETE', SESSION]);
    gone.refuses(200);
    await new Promise<void>((heard) => both.dialer.flush(heard));
    expect([both.dialer.isInSession, both.unheard()]).toEqual([false, 0]);
  });

  it('ends its session when the server has begun to answer what was asked in it', async () => {
    await using both = await inSession();
    both.says(call(1, 'a'));
    both.says(call(2, 'b'));
    both.sends({ kind: 'open', method: 'DELETE' });
    const [first, second] = [await both.arrives(), await both.arrives()];
    for (let n = 0; n < 50; n++) {
      first.streams(':\n\n');
      expect(await both.hears()).toMatchObject({ kind: 'comment' });
    }
    expect(both.untaken()).toBe(0);
    second.streams(':\n\n');
    expect((await both.arrives()).method).toBe('DELETE');
  });

  it('ends it all the same, if the server has had the time to', async () => {
    const waited: number[] = [];
    await using both = await inSession({ clock: hastyClock(waited) });
    both.says(call(1, 'a'));
    both.sends({ kind: 'open', method: 'DELETE' });
    await both.arrives();
    expect((await both.arrives()).method).toBe('DELETE');
    expect(waited.slice(-2)).toEqual([5_000, 1_000]);
  });

  it('posts nothing twice, also where the server closed a connection that had served before', async () => {
    await using both = await inSession();
    both.says(call(1, 'a'));
    (await both.arrives()).breaks();
    expect(await both.hears()).toEqual({ kind: 'close', how: 'rst', unanswered: ['1'] });
    both.says(call(2, 'b'));
    expect((await both.arrives()).message).toEqual(call(2, 'b'));
  });
});

describe('a stream that breaks off (§6, "Resumability")', () => {
  const primed = 'id: 4_1\nretry: 1\ndata: \n\n';

  it('is resumed after its last event, and brings the answer on the same stream', async () => {
    await using both = await inSession({ clock: systemClock });
    both.says(call(1, 'a'), 5);
    (await both.arrives()).streams(primed).ends();
    const get = await both.arrives();
    expect([get.method, get.headers]).toMatchObject(['GET', { 'last-event-id': '4_1', ...SESSION }]);
    get.streams(`id: 4_2\n${data(result(1, 'A'))}`);
    await both.hears();
    expect(await both.hears()).toEqual({ json: result(1, 'A'), sse: { id: '4_2' }, stream: 5 });
  });

  it('is resumed twice in vain, and then told to have left its request unanswered', async () => {
    await using both = await inSession({ clock: systemClock });
    both.says(call(1, 'a'), 5);
    (await both.arrives()).streams(primed).ends();
    (await both.arrives()).streams().ends();
    (await both.arrives()).streams().ends();
    await both.hears();
    expect(await both.hears()).toEqual({ kind: 'close', stream: 5, unanswered: ['1'] });
  });

  it.each([
    ['as its server says', 'retry: 300\n', [300, 300]],
    ['as SDK clients do', '', [1_000, 1_500]],
  ])('is resumed as late %s', async (_whose, retry, waits) => {
    const waited: number[] = [];
    await using both = await inSession({ clock: hastyClock(waited) });
    waited.length = 0;
    both.says(call(1, 'a'), 5);
    const post = await both.arrives();
    // That was the wait for what is next to be said.
    expect(waited.splice(0)).toEqual([1_000]);
    post.streams(`${retry}id: 1\ndata: \n\n`).ends();
    await both.hears();
    (await both.arrives()).streams().ends();
    (await both.arrives()).streams().ends();
    await both.hears();
    expect(waited).toEqual(waits);
  });

  it('is resumed as often as it says something new', async () => {
    await using both = await inSession({ clock: systemClock });
    both.says(call(1, 'a'), 5);
    for (let n = 1; n <= 4; n++) {
      (await both.arrives()).streams(`retry: 1\nid: ${n}\ndata: \n\n`).ends();
      await both.hears();
    }
    (await both.arrives()).streams(data(result(1, 'A')));
    expect(await both.hears()).toEqual({ json: result(1, 'A'), sse: {}, stream: 5 });
  });

  it('is not resumed when the client has ended its session, however late its server says so', async () => {
    const waited: number[] = [];
    await using both = await inSession({ clock: hastyClock(waited) });
    both.says(call(1, 'a'), 5);
    const post = await both.arrives();
    post.streams(primed);
    await both.hears();
    both.sends({ kind: 'open', method: 'DELETE', stream: 6 });
    const left = await both.arrives();
    expect(left.method).toBe('DELETE');
    waited.length = 0;
    post.ends();
    await vi.waitUntil(() => waited.length > 0);
    left.accepts();
    both.says(initialize);
    expect((await both.arrives()).method).toBe('POST');
  });

  it('is not resumed without an event to resume after', async () => {
    await using both = await inSession();
    both.says(call(1, 'a'));
    (await both.arrives()).streams(': hello\n\n').ends();
    await both.hears();
    expect(await both.hears()).toEqual({ kind: 'close', unanswered: ['1'] });
  });

  it('of 2026-07-28 is never resumed (§7)', async () => {
    await using both = await dialing();
    both.says(modern(1));
    (await both.arrives()).streams(primed).ends();
    await both.hears();
    expect(await both.hears()).toEqual({ kind: 'close', unanswered: ['1'] });
  });

  it('and was only listened on, is opened again', async () => {
    await using both = await inSession({ clock: systemClock });
    both.sends({ kind: 'open', method: 'GET', stream: 3 });
    (await both.arrives()).streams('retry: 1\nid: g\ndata: \n\n').ends();
    expect((await both.arrives()).headers).toMatchObject({ 'last-event-id': 'g' });
  });

  it('and was only listened on, stays closed once the session has ended', async () => {
    const clock = new ManualClock();
    await using both = await inSession({ clock });
    both.sends({ kind: 'open', method: 'GET', stream: 3 });
    const get = (await both.arrives()).streams(primed);
    await both.hears();
    both.sends({ kind: 'open', method: 'DELETE' });
    (await both.arrives()).refuses(200);
    get.breaks();
    expect(await both.hears()).toMatchObject({ kind: 'close', stream: 3 });
    clock.advance(60_000);
    both.says(call(1, 'a'));
    expect((await both.arrives()).method).toBe('POST');
  });

  it.each(['before', 'after'])(
    'because the client comes back to it, is resumed, be that said %s there is an event to follow',
    async (when) => {
      await using both = await inSession();
      both.says(call(1, 'a'), 5);
      const post = await both.arrives();
      if (when === 'before') both.dialer.resumeStream(5);
      post.streams(primed);
      await both.hears();
      if (when === 'after') both.dialer.resumeStream(5);
      await post.left;
      const get = await both.arrives();
      expect(get.headers).toMatchObject({ 'last-event-id': '4_1' });
      get.streams(data(result(1, 'A')));
      expect(await both.hears()).toEqual({ json: result(1, 'A'), sse: {}, stream: 5 });
    },
  );
});

describe('a request that is withdrawn', () => {
  it('is cancelled by a message up to 2025-11-25 (§6, "Disconnect is not cancellation")', async () => {
    await using both = await inSession();
    both.says(call(1, 'a'));
    await both.arrives();
    both.says(notification('cancelled', { requestId: 1 }));
    expect((await both.arrives()).message).toMatchObject({ method: 'notifications/cancelled' });
  });

  it('is cancelled by leaving its stream from 2026-07-28 on, also where the cassette has a message (§7)', async () => {
    await using both = await dialing();
    both.says(modern(1));
    both.says(modern(2), 8);
    const [first, second] = [await both.arrives(), await both.arrives()];
    both.says(notification('cancelled', { requestId: 1 }));
    await first.left;
    both.sends({ kind: 'close', stream: 8 });
    await second.left;
    // SDK clients send both for a subscription.
    both.says(notification('cancelled', { requestId: 2 }));
    expect((await both.arrives()).message).toMatchObject({ method: 'notifications/cancelled' });
    expect(both.unheard()).toBe(0);
  });
});

describe('a client over HTTP with SSE (§5)', () => {
  const endpoint = 'event: endpoint\ndata: /messages?sessionId=1\n\n';

  it('opens the stream first, posts where it is told, and hears everything on the stream', async () => {
    await using both = await dialing({ legacyFirst: true });
    both.says(initialize, 2);
    const get = await both.arrives();
    expect([get.method, get.path]).toEqual(['GET', '/mcp']);
    get.streams(endpoint);
    const post = await both.arrives();
    expect([post.path, post.message, post.headers.accept]).toEqual(['/messages?sessionId=1', initialize, undefined]);
    post.refuses(202, 'Accepted');
    get.streams(data(welcome));
    expect(await both.hears()).toEqual({ json: welcome, sse: {} });
    both.says(call(1, 'a'), 3);
    const refused = await both.arrives();
    expect(refused.headers['mcp-protocol-version']).toBeUndefined();
    refused.refuses(404, 'no such session');
    expect(await both.hears()).toMatchObject({
      kind: 'http-response',
      status: 404,
      stream: 3,
      unanswered: ['1'],
    });
  });

  it('does so too where a server refuses to be initialized by a post', async () => {
    await using both = await dialing();
    both.says(initialize);
    (await both.arrives()).refuses(404, '<h1>Not found</h1>');
    const get = await both.arrives();
    expect(get.method).toBe('GET');
    get.streams(endpoint);
    const post = await both.arrives();
    expect([post.path, post.message]).toEqual(['/messages?sessionId=1', initialize]);
  });

  it('tells of that refusal where there is no such stream either', async () => {
    await using both = await dialing();
    both.says(initialize);
    (await both.arrives()).refuses(404, 'nothing here');
    (await both.arrives()).refuses(404);
    expect(await both.hears()).toEqual({
      kind: 'http-response',
      status: 404,
      body: 'nothing here',
      unanswered: ['0'],
    });
  });

  it('does so not where a server is only out of order', async () => {
    await using both = await dialing();
    both.says(initialize);
    (await both.arrives()).refuses(500);
    expect(await both.hears()).toEqual({ kind: 'http-response', status: 500, unanswered: ['0'] });
  });

  it('takes an error that answers initialize for an answer', async () => {
    await using both = await dialing();
    both.says(initialize);
    (await both.arrives()).answers(error(0), {}, 400);
    expect(await both.hears()).toEqual({ json: error(0), status: 400 });
  });

  it.each([
    ['refuses the stream', (one: { refuses(status: number): void }) => one.refuses(405)],
    ['opens one and ends it', (one: { streams(): { ends(): void } }) => one.streams().ends()],
  ])('posts after all where a server %s', async (_what, act) => {
    await using both = await dialing({ legacyFirst: true });
    both.says(initialize);
    act((await both.arrives()) as never);
    const post = await both.arrives();
    expect([post.method, post.path]).toEqual(['POST', '/mcp']);
  });

  it('waits no longer than it may for the endpoint', async () => {
    const clock = new ManualClock();
    await using both = await dialing({ legacyFirst: true, clock, patience: 5_000 });
    both.says(initialize);
    (await both.arrives()).streams(': soon\n\n');
    clock.advance(5_000);
    expect((await both.arrives()).method).toBe('POST');
  });

  it.each(['http://elsewhere.example/messages', 'http://'])('posts nothing to %s', async (uri) => {
    await using both = await dialing({ legacyFirst: true });
    both.says(initialize);
    (await both.arrives()).streams(`event: endpoint\ndata: ${uri}\n\n`);
    expect(await both.fails()).toBe('HTTP_BAD_ENDPOINT');
  });

  it('leaves everything unanswered when the stream ends', async () => {
    await using both = await dialing({ legacyFirst: true });
    both.says(initialize);
    const get = await both.arrives();
    get.streams(endpoint);
    (await both.arrives()).accepts();
    get.breaks();
    expect(await both.hears()).toEqual({ kind: 'close', how: 'rst', unanswered: ['0'] });
  });
});

describe('a server that does not answer', () => {
  it.each([
    ['a page', { 'content-type': 'text/html' }, '<h1>Hello</h1>'],
    ['JSON of another type', { 'content-type': 'text/plain' }, JSON.stringify(result(1, 'A'))],
    ['what is no JSON', { 'content-type': 'application/json' }, '{"jsonrpc":'],
  ])('but gives %s, leaves the request unanswered', async (_what, headers, body) => {
    await using both = await dialing();
    both.says(call(1, 'a'), 4);
    (await both.arrives()).refuses(200, body, headers);
    expect(await both.hears()).toEqual({
      kind: 'http-response',
      status: 200,
      headers,
      body,
      stream: 4,
      unanswered: ['1'],
    });
  });

  it.each([401, 404, 500])('but refuses with %i, leaves the request unanswered', async (status) => {
    await using both = await dialing();
    both.says(call(1, 'a'));
    (await both.arrives()).refuses(status, 'no', { 'www-authenticate': 'Bearer' });
    expect(await both.hears()).toEqual({
      kind: 'http-response',
      status,
      headers: { 'www-authenticate': 'Bearer' },
      body: 'no',
      unanswered: ['1'],
    });
  });

  it('but refuses with an error that names no request, leaves it unanswered', async () => {
    await using both = await dialing();
    both.says(call(1, 'a'));
    (await both.arrives()).answers(error(null), {}, 404);
    expect(await both.hears()).toEqual({ json: error(null), status: 404, unanswered: ['1'] });
  });

  it('and accepts a request only, leaves it unanswered', async () => {
    await using both = await dialing();
    both.says(call(1, 'a'));
    (await both.arrives()).accepts();
    expect(await both.hears()).toEqual({ kind: 'http-response', status: 202, unanswered: ['1'] });
  });

  it('but goes away in the midst of it, is told to have gone, and how', async () => {
    await using both = await dialing();
    both.says(call(1, 'a'), 1);
    const { response } = await both.arrives();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"jsonrpc":', () => response.socket?.destroy());
    expect(await both.hears()).toEqual({ kind: 'close', how: 'fin', stream: 1, unanswered: ['1'] });
    both.says(call(2, 'a'), 2);
    (await both.arrives()).streams('data: {"json').breaks();
    expect(await both.hears()).toMatchObject({ kind: 'close', stream: 2, unanswered: ['2'] });
    both.says(call(3, 'a'), 3);
    (await both.arrives()).breaks();
    expect(await both.hears()).toMatchObject({ kind: 'close', stream: 3, unanswered: ['3'] });
  });

  it('because nobody listens there, is told as an error', async () => {
    const nobody = createServer().listen(0, '127.0.0.1');
    await once(nobody, 'listening');
    const { port } = nobody.address() as { port: number };
    nobody.close();
    await using both = await dialing({ url: `http://127.0.0.1:${port}/mcp` });
    both.says(call(1, 'a'));
    expect(await both.fails()).toBe('HTTP_UPSTREAM_UNREACHABLE');
  });

  it('because it speaks no HTTP, is told as an error', async () => {
    const smtp = createServer((socket) => socket.end('220 mail.example ESMTP\r\n')).listen(0, '127.0.0.1');
    await once(smtp, 'listening');
    const { port } = smtp.address() as { port: number };
    await using both = await dialing({ url: `http://127.0.0.1:${port}/mcp` });
    both.says(call(1, 'a'));
    expect(await both.fails()).toBe('HTTP_UPSTREAM_INVALID');
    smtp.close();
  });
});

it('hears nothing more once it has ended', async () => {
  const both = await inSession();
  both.says(call(1, 'a'));
  const post = await both.arrives();
  both.dialer.end();
  await post.left;
  await both[Symbol.asyncDispose]();
  expect(both.unheard()).toBe(0);
});
