import { expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { memoryPair } from '../../src/channel/memory-pair.ts';
import { tappedChannel } from '../../src/channel/tapped-channel.ts';

it('a tap sees what passes in both directions, after it went on its way', async () => {
  const seen: string[] = [];
  const [near, far] = memoryPair();
  const client = tappedChannel(near, ({ kind }) => seen.push(`tap ${kind}`));
  client.listen(({ kind }) => seen.push(`client ${kind}`));
  const close: Frame = { kind: 'close', at: 0, from: 'client' };
  expect(client.send(close)).toBe(true);
  expect(seen).toEqual(['tap close']);
  far.send({ kind: 'exit', at: 0, from: 'server', status: 0 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual(['tap close', 'client exit', 'tap exit']);
});

it('a tap holds nothing up and lets nothing through that the channel holds up', async () => {
  const seen: string[] = [];
  const [near, far] = memoryPair();
  const client = tappedChannel(near, ({ kind }) => seen.push(kind));
  client.listen(() => {});
  client.pause('protocol');
  far.send({ kind: 'exit', at: 0, from: 'server', status: 0 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual([]);
  client.resume('protocol');
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual(['exit']);
  await new Promise<void>((resolve) => client.drained('protocol', resolve));
});

it('a tap that comes first sees a frame before the answer to it', async () => {
  const seen: string[] = [];
  const [near, far] = memoryPair();
  const client = tappedChannel(near, ({ kind }) => seen.push(kind), 'tap-first');
  client.listen(() => client.send({ kind: 'close', at: 0, from: 'client' }));
  far.send({ kind: 'exit', at: 0, from: 'server', status: 0 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual(['exit', 'close']);
});
