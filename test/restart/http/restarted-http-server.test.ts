import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { META } from '../../../src/protocol/meta.ts';
import { type Client, Events, recorded } from './recorded-restart.ts';
import { answer, event, type ScriptedServer, stream } from './scripted-server.ts';

const LOST = 'The server was restarted before it answered: its connection was lost.';

const optionalIn = ({ events }: Cassette) =>
  events.flatMap(({ frame, match }) => (match?.optional && frame.kind === 'message' ? [frame.json.value] : []));
const lost = (id: number) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: LOST } });
const CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const methodsIn = ({ got }: ScriptedServer) => got.map(({ message, method }) => message.method ?? method);
const SUBSCRIBES_AGAIN =
  'The server is gone, and with it a subscription. It is subscribed to again when the server is back.';
const LOST_SESSION = 'The server has lost the session: it cannot be reached.';

describe.each([404, 400])('a server that answers %i to a session that it has lost', (status) => {
  it('gets the session again, and the request once', async () => {
    const { server, client, end, notes } = await recorded();
    server.unknown = status;
    const peer = await client().open();
    await peer.post({ id: 10, method: 'logging/setLevel', params: { level: 'debug' } });
    await server.restart();
    server.got.length = 0;
    expect(await peer.called('once')).toMatchObject({ result: { said: 'once', by: '1' } });
    expect(server.got.map(({ message }) => message.method)).toEqual([
      ...['tools/call', 'ping', 'initialize', 'notifications/initialized', 'logging/setLevel', 'tools/call'],
    ]);
    expect(notes).toEqual([
      `The server has lost the session: it answers ${status}.`,
      'The new server goes on with the session. It got again what the client has sent: initialize, notifications/initialized, logging/setLevel.',
      expect.stringContaining('The client is not told that resources may have changed'),
      'The client has no open stream to hear of its lists. It hears of them when it opens one.',
    ]);
    const heard = await peer.listen();
    expect(await heard.message()).toEqual(CHANGED);
    const cassette = await end();
    expect(cassette.events.filter(({ frame }) => frame.kind === 'http-response')).toEqual([]);
    expect(optionalIn(cassette)).toEqual([CHANGED]);
  });

  it('has the session: its answer passes on', async () => {
    const { server, client, end, notes } = await recorded();
    const peer = await client().open();
    server.tools.refused = (id, response) => answer(response, { id, error: { code: 1, message: 'no' } }, {}, status);
    const response = await peer.call('refused');
    expect([response.status, await response.json()]).toMatchObject([status, { error: { message: 'no' } }]);
    expect([server.calls(), notes]).toEqual([['refused'], []]);
    await end();
  });

  it('never keeps a session: the second refusal passes on', async () => {
    const { server, client, end } = await recorded();
    const peer = await client().open();
    server.before = ({ message, method }, response) => {
      const isLost = method === 'POST' && ['tools/call', 'ping'].includes(String(message.method));
      if (isLost) answer(response, { id: null, error: { code: 1, message: 'unknown' } }, {}, status);
      return isLost;
    };
    expect((await peer.call('twice')).status).toBe(status);
    expect(server.calls()).toEqual(['twice', 'twice']);
    await end();
  });
});

describe('a server that loses its sessions, and lives on', () => {
  it('gets a stream from the client for the new session, and the old one ends', async () => {
    const { server, client, end } = await recorded();
    const peer = await client().open();
    const listening = await peer.listen();
    const old = server.streams.get('1')!;
    const isClosed = once(old, 'close');
    server.sessions.clear();
    expect(await peer.called('later')).toMatchObject({ result: { said: 'later', by: '2' } });
    await isClosed;
    expect(await listening.message()).toEqual(CHANGED);
    server.streams.get('2')!.write(event({ method: 'notifications/message' }));
    expect(await listening.message()).toMatchObject({ method: 'notifications/message' });
    await end();
  });

  it('and does not take them again, has no requests but the opening until it does', async () => {
    const { server, client, end } = await recorded();
    const peer = await client().open();
    server.sessions.clear();
    let refusals = 0;
    server.before = ({ message }, response) => {
      const isRefused = message.method === 'initialize' && refusals++ < 2;
      if (isRefused) answer(response, { id: message.id, error: { code: 1, message: 'not yet' } });
      return isRefused;
    };
    expect(await peer.called('later')).toMatchObject({ result: { said: 'later' } });
    expect([refusals, server.calls()]).toEqual([3, ['later', 'later']]);
    await end();
  });
});

describe('a server that never keeps a session', () => {
  it('is asked once a second to take it again', async () => {
    const clock = new ManualClock();
    const { server, client, end, noted } = await recorded(clock);
    const peer = await client().open();
    server.before = ({ method }, response) => {
      if (method !== 'GET') return false;
      server.sessions.clear();
      stream(response).end();
      return true;
    };
    const lostOnce = noted('The server has lost the session: it answers 404.');
    const listening = peer.listen();
    await lostOnce;
    const lostAgain = noted('The server has lost the session: it answers 404.');
    await lostAgain;
    const openings = () => methodsIn(server).filter((method) => method === 'initialize').length;
    expect(openings()).toBe(2);
    const lostAtLast = noted('The server has lost the session: it answers 404.');
    clock.advance(999);
    await fetch(new URL('/other', peer.url));
    expect(openings()).toBe(2);
    clock.advance(1);
    await lostAtLast;
    expect(openings()).toBe(3);
    await end();
    await listening;
  });
});

describe('a proxy in front of a server that is restarted', () => {
  it.each([502, 503, 504])('answers %i to what the server does not get: the session waits', async (status) => {
    const { server, client, end } = await recorded();
    const peer = await client().open();
    const waits = new Events(await peer.call('waits'));
    await waits.message();
    await server.restart();
    let refusals = 0;
    server.before = (_, response) => {
      const isRefused = refusals++ < 3;
      if (isRefused) response.writeHead(status).end();
      return isRefused;
    };
    expect(await waits.message()).toEqual(lost(1));
    expect(await peer.called('later')).toMatchObject({ result: { said: 'later' } });
    await end();
  });
});

describe('the opening of a new server', () => {
  it('has the credentials of the client, and no revision before there is one', async () => {
    const { server, client, end } = await recorded();
    const peer = await client().open();
    peer.headers = { 'mcp-protocol-version': '2025-11-25', authorization: 'Bearer planted' };
    await server.restart();
    server.got.length = 0;
    await peer.called('later');
    const headers = server.got.map(({ headers: { authorization, ...others } }) => [
      authorization,
      others['mcp-protocol-version'],
    ]);
    expect(methodsIn(server)).toEqual([
      ...['tools/call', 'ping', 'initialize', 'notifications/initialized', 'tools/call'],
    ]);
    const ordinary = ['Bearer planted', '2025-11-25'];
    expect(headers).toEqual([ordinary, ordinary, ['Bearer planted', undefined], ordinary, ordinary]);
    await end();
  });
});

describe('a server that is killed', () => {
  it('during a call fails the call, and repeats nothing', async () => {
    const { server, client, end, notes } = await recorded();
    const peer = await client().open();
    const listening = await peer.listen();
    const waits = new Events(await peer.call('waits'));
    expect(await waits.message()).toMatchObject({ method: 'notifications/progress' });
    server.got.length = 0;
    await server.kill();
    expect(await waits.message()).toEqual(lost(1));
    expect(await waits.next()).toBeUndefined();
    const later = peer.called('later');
    await server.start();
    expect(await later).toMatchObject({ result: { said: 'later' } });
    expect(await listening.message()).toEqual(CHANGED);
    expect(server.calls()).toEqual(['later']);
    expect(notes[0]).toBe(LOST_SESSION);
    expect(optionalIn(await end())).toEqual([lost(1), CHANGED]);
  });

  it('before it begins its answer fails the call with a body', async () => {
    const { server, client, end } = await recorded();
    const peer = await client().open();
    const got = new Promise<void>((resolve) => {
      server.tools.silent = () => resolve();
    });
    const silent = peer.called('silent');
    await got;
    await server.kill();
    expect(await silent).toEqual(lost(1));
    await server.start();
    expect(await peer.called('later')).toMatchObject({ result: { said: 'later' } });
    expect(optionalIn(await end())).toEqual([lost(1)]);
  });

  it('in the middle of a JSON answer fails the call with a body', async () => {
    const { server, client, end } = await recorded();
    const peer = await client().open();
    server.tools.half = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
      response.write('{"jsonrpc":"2.0","id":1,', () => void server.kill());
    };
    expect(await peer.called('half')).toEqual(lost(1));
    await server.start();
    expect(await peer.called('later')).toMatchObject({ result: { said: 'later' } });
    await end();
  });

  it('in the middle of an event does not break the stream: the rest is in the cassette alone', async () => {
    const { server, client, end, file } = await recorded();
    const peer = await client().open();
    server.tools.half = (_, response) => {
      stream(response).write(`${event({ method: 'notifications/progress' })}data: {"planted`, () => void server.kill());
    };
    const half = new Events(await peer.call('half'));
    expect([await half.message(), await half.message()]).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress' },
      lost(1),
    ]);
    await end();
    expect(readFileSync(file, 'utf8')).toContain('The server ended in the middle of an event: {"planted');
  });

  it('keeps its sessions elsewhere: its client goes on with the same one', async () => {
    const { server, client, end, noted } = await recorded();
    const peer = await client().open();
    const listening = await peer.listen();
    const { sessions } = server;
    const isNoted = noted(LOST_SESSION);
    await server.kill();
    await isNoted;
    const later = peer.called('later');
    await server.start();
    server.sessions = sessions;
    expect(await later).toMatchObject({ result: { said: 'later', by: '1' } });
    expect(await listening.message()).toEqual(CHANGED);
    expect(methodsIn(server).filter((method) => method === 'initialize')).toHaveLength(1);
    await end();
  });

  it('gets the requests of a client without a session when it is back', async () => {
    const { server, client, end } = await recorded();
    await server.kill();
    const opening = client().open();
    await server.start();
    expect((await opening).session).toBe('1');
    await end();
  });

  it('while it has open questions: they are cancelled, and late answers do not reach the new one', async () => {
    const { server, client, end } = await recorded();
    const peer = await client().open();
    const listening = await peer.listen();
    server.streams.get('1')!.write(event({ id: 0, method: 'roots/list' }));
    expect(await listening.message()).toMatchObject({ id: 0, method: 'roots/list' });
    await server.restart();
    expect(await listening.message()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 0 } });
    expect(await listening.message()).toEqual(CHANGED);
    server.got.length = 0;
    expect((await peer.post({ id: 0, result: { roots: [] } })).status).toBe(202);
    expect(server.got).toEqual([]);
    // The new one counts its questions from its own start.
    server.streams.get('1')!.write(event({ id: 0, method: 'roots/list' }));
    expect(await listening.message()).toMatchObject({ id: 1, method: 'roots/list' });
    expect((await peer.post({ id: 1, result: { roots: [] } })).status).toBe(202);
    expect(server.got.map(({ message }) => message)).toMatchObject([{ id: 0, result: { roots: [] } }]);
    expect(optionalIn(await end())).toMatchObject([{ method: 'notifications/cancelled' }, CHANGED, { id: 1 }]);
  });

  it('resumes a stream after its own events alone', async () => {
    const { server, client, end } = await recorded();
    const peer = await client().open();
    const listening = await peer.listen();
    server.streams.get('1')!.write(event({ method: 'notifications/message' }, '7'));
    expect(await listening.next()).toContain('id: 7\n');
    await server.restart();
    await listening.message();
    server.streams.get('1')!.write(event({ method: 'notifications/message' }, '7'));
    const id = /^id: (.*)$/m.exec((await listening.next())!)![1]!;
    await peer.listen('7');
    await peer.listen(id);
    expect(server.got.slice(-2).map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '7']);
    await end();
  });

  it('has closed the stream of a call before: the call fails on the stream that is open', async () => {
    const { server, client, end } = await recorded();
    const peer = await client().open();
    const listening = await peer.listen();
    server.tools.comesBack = (_, response) => void stream(response).end();
    expect(await new Events(await peer.call('comesBack')).next()).toBeUndefined();
    await server.restart();
    expect([await listening.message(), await listening.message()]).toEqual([lost(1), CHANGED]);
    await end();
  });

  it('is not needed to end a session', async () => {
    const { server, client, end, notes } = await recorded();
    const [first, second, third] = [await client().open(), await client().open(), await client().open()];
    const listening = await third.listen();
    expect((await third.delete()).status).toBe(200);
    expect(await listening.next()).toBeUndefined();
    expect((await third.call('later')).status).toBe(404);
    await server.restart();
    expect((await first.delete()).status).toBe(200);
    await server.kill();
    expect((await second.delete()).status).toBe(200);
    expect([notes, methodsIn(server).filter((method) => method === 'initialize').length]).toEqual([[], 3]);
    expect((await end()).end).toBe('session deleted');
  });
});

describe('what is no restart passes on', () => {
  it('a connection that a living server closes', async () => {
    const { server, client, end, notes } = await recorded();
    const peer = await client().open();
    server.tools.closes = (_, response) => void response.socket!.destroy();
    await expect(peer.call('closes')).rejects.toThrow();
    expect(await peer.called('later')).toMatchObject({ result: { said: 'later' } });
    expect([server.calls(), notes]).toEqual([['closes', 'later'], []]);
    expect(optionalIn(await end())).toEqual([]);
  });

  it('a connection without a session that a living server closes', async () => {
    const { server, client, end, notes } = await recorded();
    server.before = ({ method }, response) => {
      if (method === 'POST') response.socket!.destroy();
      else response.writeHead(405).end();
      return true;
    };
    await expect(client().call('closes')).rejects.toThrow();
    expect([server.calls(), notes]).toEqual([['closes'], []]);
    await end();
  });

  it('a stream that a living server ends', async () => {
    const { server, client, end, notes } = await recorded();
    const peer = await client().open();
    const listening = await peer.listen();
    server.streams.get('1')!.end();
    expect(await listening.next()).toBeUndefined();
    expect(notes).toEqual([]);
    await end();
  });

  it.each([401, 403])('status %i: the client logs in, and then gets its session again', async (status) => {
    const { server, client, end, notes, noted } = await recorded();
    const peer = await client().open();
    const listening = await peer.listen();
    const isNoted = noted(LOST_SESSION);
    await server.kill();
    await isNoted;
    server.before = ({ headers }, response) => {
      const isStranger = headers.authorization === undefined;
      if (isStranger) response.writeHead(status, { 'www-authenticate': 'Bearer' }).end();
      return isStranger;
    };
    const refused = peer.call('refused');
    await server.start();
    expect([(await refused).status, (await refused).headers.get('www-authenticate')]).toEqual([status, 'Bearer']);
    await expect(listening.next()).rejects.toThrow();
    expect(notes).toEqual([LOST_SESSION]);
    peer.headers = { authorization: 'Bearer planted' };
    expect(await peer.called('later')).toMatchObject({ result: { said: 'later' } });
    await end();
  });

  it('a request to another path', async () => {
    const { server, client, end } = await recorded();
    const peer = await client().open();
    await server.kill();
    expect((await fetch(new URL('/other', peer.url))).status).toBe(502);
    await end();
  });
});

describe('two clients of one server', () => {
  it('keep their sessions, though the new server gives each the id of the other', async () => {
    const { server, client, end } = await recorded();
    const [ada, bob] = [await client().open(), await client().open()];
    expect([ada.session, bob.session]).toEqual(['1', '2']);
    const bobHears = await bob.listen();
    const isBack = bobHears.message();
    await server.restart();
    expect(await bob.called('bob')).toMatchObject({ result: { said: 'bob', by: '1' } });
    expect(await isBack).toEqual(CHANGED);
    // The new server gives a new client the id that Bob has known first.
    const eve = await client().open();
    const byOf = async (peer: Client) => {
      const response = await peer.call('who');
      expect(response.headers.get('mcp-session-id')).toBe(peer.session);
      return ((await response.json()) as { result: { by: string } }).result.by;
    };
    const [byAda, byBob] = [await byOf(ada), await byOf(bob)];
    expect([byAda, byBob]).toEqual(['3', '1']);
    // Ada's first request met no session of hers, and none of Bob's.
    const asked = server.got.filter(({ message }) => message.params?.name === 'who');
    expect(asked.map(({ session }) => session)).toEqual([undefined, '3', '1']);
    expect(new Set([ada.session, bob.session, eve.session]).size).toBe(3);
    expect(new Set([byAda, byBob, await byOf(eve)]).size).toBe(3);
    // What one hears on its stream, the other does not.
    server.streams.get(byBob)!.write(event({ method: 'notifications/message', params: { for: 'bob' } }));
    expect(await bobHears.message()).toMatchObject({ params: { for: 'bob' } });
    await end();
  });
});

describe('a server that does not come back', () => {
  it('fails what waits after 30 seconds, and goes on with the session when it is there again', async () => {
    const clock = new ManualClock();
    const { server, client, end, errors, restarted } = await recorded(clock);
    const peer = await client().open();
    const listening = await peer.listen();
    await server.kill();
    const waits = settledBy(clock, peer.called('waits-for-it'));
    const opening = settledBy(clock, peer.post({ id: 9, method: 'initialize' }, { 'mcp-session-id': '' }));
    const down = { error: { code: -32000, message: expect.stringContaining('gone for more than 30 s') } };
    expect(await waits).toMatchObject({ id: 1, ...down });
    expect(await (await opening).json()).toMatchObject({ id: 9, ...down });
    expect(clock.now()).toBeGreaterThanOrEqual(30_000);
    expect([errors.includes('SERVER_NOT_BACK'), restarted.isDown]).toEqual([true, true]);
    const before = clock.now();
    expect(await peer.called('fails-at-once')).toMatchObject({ id: 2, ...down });
    expect(clock.now()).toBe(before);
    await server.start();
    expect(await settledBy(clock, listening.message())).toEqual(CHANGED);
    expect(await peer.called('later')).toMatchObject({ result: { said: 'later' } });
    expect([server.calls(), restarted.isDown]).toEqual([['later'], false]);
    const cassette = await end();
    expect(cassette.warnings).toEqual([]);
    expect(optionalIn(cassette)).toMatchObject([{ id: 1, ...down }, { id: 2, ...down }, CHANGED]);
  });
});

describe('a subscription of 2026-07-28', () => {
  const meta = { [META.protocolVersion]: '2026-07-28' };
  const listen = {
    id: 's',
    method: 'subscriptions/listen',
    params: { _meta: meta, notifications: { toolsListChanged: true } },
  };
  const acknowledged = {
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta: { [META.subscriptionId]: 's' }, notifications: { toolsListChanged: true } },
  };

  it('is opened again on the new server, and acknowledged once', async () => {
    const { server, client, end, noted } = await recorded();
    server.before = ({ message }, response) => {
      if (message.method === listen.method) stream(response).write(event(acknowledged));
      else if (message.method === 'waits') stream(response);
      else return false;
      return true;
    };
    const peer = client();
    const listening = new Events(await peer.post(listen));
    expect(await listening.message()).toMatchObject(acknowledged);
    const waits = new Events(await peer.post({ id: 1, method: 'waits', params: { _meta: meta } }));
    const isNoted = noted(SUBSCRIBES_AGAIN);
    await server.kill();
    expect(await waits.message()).toEqual(lost(1));
    await isNoted;
    await server.start();
    expect(await listening.message()).toEqual({ ...CHANGED, params: { _meta: { [META.subscriptionId]: 's' } } });
    expect(methodsIn(server)).toEqual(expect.arrayContaining([listen.method, 'waits', listen.method]));
    expect(optionalIn(await end())).toMatchObject([lost(1), { method: CHANGED.method }]);
  });
});

/** Advances a clock until a promise settles. Each step waits for what the network has to say. */
async function settledBy<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  while (!isSettled) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(50);
  }
  return await settled;
}

it('a new server that answers initialize on a stream, after a notification, goes on with the session', async () => {
  const { server, client, end } = await recorded();
  const peer = await client().open();
  await server.restart();
  server.before = ({ message }, response) => {
    if (message.method !== 'initialize') return false;
    server.sessions.add('streamed');
    stream(response, { 'mcp-session-id': 'streamed' }).write(
      event({ method: 'notifications/message', params: { level: 'info', data: 'hello' } }),
    );
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'scripted', version: '1' } };
    response.end(event({ id: message.id, result }));
    return true;
  };
  expect(await peer.called('once')).toMatchObject({ result: { said: 'once', by: 'streamed' } });
  await end();
});
