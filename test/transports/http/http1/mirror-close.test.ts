import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { closeKindOf, mirrorClose, reset, trackClose } from '../../../../src/transports/http/http1/mirror-close.ts';

/** Two ends of one connection over TCP. */
async function connection(): Promise<[near: Socket, far: Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [[Socket], unknown];
  server.close();
  return [near, far];
}

/** How `socket` ended, as seen from the other end. */
async function end(socket: Socket): Promise<string> {
  trackClose(socket);
  trackClose(socket);
  socket.on('error', () => {});
  socket.resume();
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return closeKindOf(socket);
}

it('a connection that is closed is told from one that is reset', async () => {
  const [near, far] = await connection();
  near.end();
  expect(await end(far)).toBe('fin');
  const [near2, far2] = await connection();
  const ended = end(far2);
  reset(near2);
  expect(await ended).toBe('rst');
});

it('a connection that nobody watched, or that there is none, was closed', () => {
  expect(closeKindOf(undefined)).toBe('fin');
});

it.each(['fin', 'rst'] as const)('%s: what was written before arrives all the same', async (how) => {
  const [near, far] = await connection();
  let heard = '';
  far.on('data', (data) => {
    heard += data;
  });
  const ended = end(far);
  near.cork();
  near.write('the last word');
  if (how === 'fin') near.uncork();
  mirrorClose(near, how);
  await ended;
  expect(heard).toBe('the last word');
});

it('a connection ends as the other one did, when all was heard', async () => {
  for (const how of ['fin', 'rst'] as const) {
    const [near, far] = await connection();
    near.write('the last word');
    await once(far, 'data');
    const ended = end(far);
    mirrorClose(near, how);
    expect(await ended).toBe(how);
  }
});

it('a connection that cannot be reset is closed, and one that can no longer be written to is reset at once', async () => {
  const [near, far] = await connection();
  near.resetAndDestroy = () => {
    throw new Error('not plain TCP');
  };
  const closed = end(far);
  reset(near);
  expect(await closed).toBe('fin');

  const [near2, far2] = await connection();
  trackClose(near2);
  near2.end();
  const ended = end(far2);
  mirrorClose(near2, 'rst');
  await ended;
  expect(near2.destroyed).toBe(true);
});
