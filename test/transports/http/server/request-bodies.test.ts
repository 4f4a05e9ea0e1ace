import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listen } from '../../../../src/transports/http/server/http-listener.ts';

async function listening(options: { bodyMax?: number; requestWithin?: number } = {}) {
  const listener = await listen({
    hostname: '127.0.0.1',
    port: 0,
    path: '/mcp',
    allowed: [],
    bodyMax: 1_000,
    ...options,
    serve({ body }, answering) {
      answering.answer({ status: 200, body: String(body.length) });
      return () => {};
    },
  });
  const sockets: Socket[] = [];
  return {
    /** Begins a request, and says `length` bytes of its body. */
    begins(length: number, whole = length): Socket {
      const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
      sockets.push(socket);
      socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${whole}\r\n\r\n${'x'.repeat(length)}`);
      return socket;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await listener.close();
    },
  };
}

const heard = async (socket: Socket) => String((await once(socket, 'data'))[0]);

describe('bodies that clients do not finish', () => {
  it('have a limit together: a further one is refused at once, and its connection closed', async () => {
    await using one = await listening();
    const unfinished = Array.from({ length: 4 }, () => one.begins(999, 1_000));
    const answers = unfinished.map(heard);
    // A fifth client is heard after the bodies of the four.
    await expect.poll(async () => heard(one.begins(999)), { interval: 1 }).toMatch(/^HTTP\/1.1 503 /);
    const further = one.begins(999, 1_000);
    expect(await heard(further)).toMatch(/^HTTP\/1.1 503 .*Connection: close.*All requests together are longer/s);
    for (const socket of unfinished) socket.write('x');
    expect(await Promise.all(answers)).toEqual(Array(4).fill(expect.stringMatching(/^HTTP\/1.1 200 .*1000$/s)));
    expect(await heard(one.begins(999))).toMatch(/^HTTP\/1.1 200 /);
  });

  it('make room for a short one beside them: the longest is refused', async () => {
    await using one = await listening();
    const unfinished = Array.from({ length: 4 }, () => one.begins(999, 1_000));
    const refused = Promise.race(unfinished.map(heard));
    await expect.poll(async () => heard(one.begins(10)), { interval: 1 }).toMatch(/^HTTP\/1.1 200 .*10$/s);
    // Four times ten bytes more than there is room for.
    for (let n = 0; n < 4; n++) await once(one.begins(10, 1_000), 'connect');
    expect(await refused).toMatch(/^HTTP\/1.1 503 /);
    expect(await heard(one.begins(900))).toMatch(/^HTTP\/1.1 200 .*900$/s);
  });

  it('are forgotten with their connection', async () => {
    await using one = await listening();
    for (let n = 0; n < 8; n++) {
      const socket = one.begins(999, 1_000);
      await once(socket, 'connect');
      socket.destroy();
      await once(socket, 'close');
    }
    await expect.poll(async () => heard(one.begins(999)), { interval: 1 }).toMatch(/^HTTP\/1.1 200 /);
  });

  it('have a time limit', async () => {
    await using one = await listening({ requestWithin: 20 });
    expect(await heard(one.begins(10, 1_000))).toMatch(/^HTTP\/1.1 408 /);
  });

  it('are not held once they are too long', async () => {
    await using one = await listening();
    const long = Array.from({ length: 6 }, () => one.begins(1_001, 1_002));
    await expect.poll(async () => heard(one.begins(999)), { interval: 1 }).toMatch(/^HTTP\/1.1 200 /);
    for (const socket of long) socket.write('x');
    expect(await Promise.all(long.map(heard))).toEqual(Array(6).fill(expect.stringMatching(/^HTTP\/1.1 413 /)));
  });
});
