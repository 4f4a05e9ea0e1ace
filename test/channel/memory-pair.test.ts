import { describe, expect, it } from 'vitest';
import type { Channel } from '../../src/channel/channel.ts';
import type { Frame, WireFrame } from '../../src/channel/frame.ts';
import { memoryPair } from '../../src/channel/memory-pair.ts';

const line = (data: string): Frame => ({ kind: 'line', at: 0, from: 'client', on: 'protocol', data });
const turn = () => new Promise((resolve) => setImmediate(resolve));

function heardBy(channel: Channel): unknown[] {
  const heard: unknown[] = [];
  channel.listen((frame: WireFrame) => heard.push(frame.kind === 'line' ? frame.data : frame.kind));
  return heard;
}

describe('what one end sends', () => {
  it('reaches the other end, in order, and not before send has returned', async () => {
    const [client, server] = memoryPair();
    const heard = heardBy(server);
    for (const data of ['a', 'b', 'c']) expect(client.send(line(data))).toBe(true);
    expect(heard).toEqual([]);
    await turn();
    expect(heard).toEqual(['a', 'b', 'c']);
  });

  it('does not reach itself', async () => {
    const [client, server] = memoryPair();
    const [own, other] = [heardBy(client), heardBy(server)];
    server.send(line('from the server'));
    await turn();
    expect([own, other]).toEqual([['from the server'], []]);
  });

  it('waits for whoever listens later', async () => {
    const [client, server] = memoryPair();
    client.send(line('early'));
    await turn();
    const heard = heardBy(server);
    client.send(line('later'));
    await turn();
    expect(heard).toEqual(['early', 'later']);
  });

  it('waits while the other end pauses, in the middle of a delivery too', async () => {
    const [client, server] = memoryPair();
    const heard: string[] = [];
    server.listen((frame) => {
      heard.push(String(frame.kind === 'line' && frame.data));
      if (heard.length === 1) server.pause('protocol');
    });
    for (const data of ['a', 'b']) client.send(line(data));
    await turn();
    client.send(line('c'));
    await turn();
    expect(heard).toEqual(['a']);
    server.resume('protocol');
    await turn();
    expect(heard).toEqual(['a', 'b', 'c']);
  });

  it('may be an answer, sent while listening', async () => {
    const [client, server] = memoryPair();
    server.listen((frame) => void server.send(frame));
    const heard = heardBy(client);
    client.send(line('ping'));
    await turn();
    expect(heard).toEqual(['ping']);
  });

  it('is never too much', async () => {
    const [client] = memoryPair();
    let drained = false;
    client.drained('protocol', () => {
      drained = true;
    });
    await turn();
    expect(drained).toBe(true);
  });
});
