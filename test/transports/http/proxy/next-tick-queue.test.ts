import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { nextTickQueue } from '../../../../src/transports/http/proxy/next-tick-queue.ts';

it('what is done after writing is done in order, when the bytes of the tick are with the system', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
  await once(socket, 'connect');
  const later = nextTickQueue();
  const seen: [task: number, bytesWithUs: number][] = [];

  // As node:http does for the chunks of one tick.
  socket.cork();
  process.nextTick(() => socket.uncork());
  for (const task of [1, 2]) {
    socket.write('x');
    later(() => seen.push([task, socket.writableLength]));
  }
  expect(seen).toEqual([]);
  await new Promise<void>((resolve) => later(resolve));
  expect(seen).toEqual([
    [1, 0],
    [2, 0],
  ]);
  socket.destroy();
  server.close();
});
