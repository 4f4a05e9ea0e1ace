import { request } from 'node:http';
import { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { unguessable } from '../../../../src/kernel/random.ts';
import {
  type HttpResponder,
  listen,
  type ReceivedHttpRequest,
} from '../../../../src/transports/http/server/http-listener.ts';

/** A listener that tells what it was asked. */
async function listening(
  bodyMax = 100,
  answer: string | Uint8Array | ((responder: HttpResponder) => Promise<void>) = 'heard',
) {
  const asked: ReceivedHttpRequest[] = [];
  const listener = await listen({
    hostname: '127.0.0.1',
    port: 0,
    path: '/mcp',
    allowed: ['mock.test'],
    bodyMax,
    serve(one, answering) {
      asked.push(one);
      if (typeof answer === 'function') void answer(answering);
      else answering.answer({ status: 200, body: answer });
      return () => {};
    },
  });
  return { ...listener, asked, [Symbol.asyncDispose]: listener.close };
}

/** Asks with headers that `fetch` would not send. */
function status(url: string, headers: Record<string, string>, body = ''): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: 'POST', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    asking.once('error', reject).end(body);
  });
}

it('§14, "Security Warning": who comes by another name than this machine is refused with 403, and not heard', async () => {
  await using one = await listening();
  expect(await status(one.url, { host: 'evil.example' })).toBe(403);
  expect(await status(one.url, { origin: 'https://evil.example' })).toBe(403);
  expect(await status(one.url, { origin: 'null' })).toBe(403);
  expect(one.asked).toEqual([]);
  expect(await status(one.url, { origin: 'http://localhost:5173' })).toBe(200);
  expect(await status(one.url, { host: 'mock.test', origin: 'http://mock.test' })).toBe(200);
});

it('another path is not found, at once, and no well-known one either (§13)', async () => {
  await using one = await listening();
  expect(await status(new URL('/.well-known/oauth-protected-resource', one.url).href, {})).toBe(404);
  expect(await status(`${one.url}?query=1`, {})).toBe(200);
});

it('a body that is longer than may be is refused with 413, and one that just fits is heard', async () => {
  await using one = await listening(10);
  expect(await status(one.url, {}, 'x'.repeat(11))).toBe(413);
  expect(await status(one.url, {}, 'x'.repeat(10))).toBe(200);
  expect(one.asked.map(({ body }) => body)).toEqual(['x'.repeat(10)]);
});

it('a body that is no UTF-8 crosses the wire as it is', async () => {
  const body = Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d);
  await using one = await listening(100, body);
  const response = await fetch(one.url, { method: 'POST' });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(body);
});

it('§6, "Session Management": ids are visible ASCII, and each is new (§14)', () => {
  const ids = Array.from({ length: 1_000 }, unguessable);
  for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{32,}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

it('a stream has no time after which it would be cut (§14, "Silent streams")', async () => {
  const limited = vi.spyOn(Socket.prototype, 'setTimeout');
  const streaming = await listen({
    hostname: '127.0.0.1',
    port: 0,
    path: '/mcp',
    allowed: [],
    bodyMax: 100,
    serve(_, { stream, event }) {
      stream({});
      event('one');
      return () => {};
    },
  });
  await using _ = { [Symbol.asyncDispose]: streaming.close };
  const first = await new Promise((resolve, reject) => {
    const asking = request(streaming.url, { agent: false }, (response) => response.once('data', resolve));
    asking.once('error', reject).end();
  });
  expect(String(first)).toBe('data: one\n\n');
  expect(limited.mock.calls.filter(([limitMs]) => limitMs > 0)).toEqual([]);
  limited.mockRestore();
});

it('an event stream that waits for its reader many times keeps no listener of an earlier wait', async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  const rounds = 20;
  await using listener = await listening(100, async (responder) => {
    responder.stream({});
    for (let round = 0; round < rounds; round++) {
      responder.event('x'.repeat(1024 * 1024));
      await responder.drained();
    }
    responder.end();
  });
  const text = await (await fetch(listener.url, { method: 'POST', body: '' })).text();
  process.off('warning', warn);
  expect(text.match(/^data: x/gm)).toHaveLength(rounds);
  expect(warnings).toEqual([]);
});
