/** What becomes of a client, and of handlers at work, when a fault ends the session. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cut, end } from '../../src/adapters/faults.ts';
import { type Handler, mockServer, tool } from '../../src/adapters/mock.ts';
import type { StdioOptions } from '../../src/adapters/mock-server/mock-server-types.ts';
import type { FaultRule } from '../../src/modes/faulty-channel.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { type ClientName, connectTo } from './clients.ts';

const BROKEN = /Connection closed|The server ended|fetch failed|terminated/;
const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };

interface Played {
  over: 'memory' | 'stdio';
  client?: ClientName;
  faults: readonly FaultRule[];
  handlers: Handler[];
}

/** Calls the tool, which a fault breaks off. Returns what the server says of that at once. */
async function broken({ over, client = 'SDK 1', faults, handlers }: Played) {
  const server = await mockServer({ over, faults, handlers } as StdioOptions);
  const peer = await connectTo(server, client);
  await expect(peer.request('tools/call', { name: 't', arguments: {} }, { progress: true })).rejects.toThrow(BROKEN);
  await peer.close();
  const { fired } = server;
  return { fired: fired.map(({ fault }) => fault), ...(await server.finish()) };
}

describe.each(['memory', 'stdio'] as const)('over %s', (over) => {
  const progressing = (then: () => unknown) =>
    tool('t', (_, { progress }) => {
      progress(1);
      return then() as string;
    });

  it.each([
    ['has answered', progressing(() => 'x')],
    ['never answers', progressing(() => new Promise(() => {}))],
  ])('a handler that %s is no failure when a fault ends the session', async (_, handler) => {
    const faults = [cut({ on: 'notifications/progress', nth: 1 })];
    expect(await broken({ over, faults, handlers: [handler] })).toMatchObject({ fired: ['cut'], failures: [] });
  });

  it.each(['SDK 1', 'client 2 with 2026-07-28'] as const)(
    'nor is one that asks the client, which is %s',
    async (client) => {
      const ask = tool('t', async (_, { elicit }) => (await elicit(FORM)).action);
      const on = client === 'SDK 1' ? 'elicitation/create' : 'tools/call';
      expect(await broken({ over, client, faults: [cut({ on })], handlers: [ask] })).toMatchObject({ failures: [] });
    },
  );

  it('a handler learns of it by its signal', async () => {
    let aborted = () => {};
    const seen = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    const handler = tool('t', (_, { signal, progress }) => {
      signal.addEventListener('abort', aborted);
      progress(1);
      return new Promise<never>(() => {});
    });
    await broken({ over, faults: [cut({ on: 'notifications/progress' })], handlers: [handler] });
    await seen;
  });

  it('a handler that never answers is a failure without a fault, and after one in another call', async () => {
    let entered = () => {};
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const handlers = [
      tool('t', () => 'x'),
      tool('hangs', () => {
        entered();
        return new Promise<never>(() => {});
      }),
    ];
    const server = await mockServer({ over, faults: ['duplicate:tools/call'], handlers } as StdioOptions);
    const peer = await connectTo(server, 'SDK 1');
    await peer.request('tools/call', { name: 't', arguments: {} });
    const hanging = peer.request('tools/call', { name: 'hangs', arguments: {} }).catch(() => {});
    await inside;
    await peer.close();
    await hanging;
    expect((await server.finish()).failures).toMatchObject([{ kind: 'unfinished' }]);
  });

  it.each([
    ['cut', cut({ on: 'tools/call', when: { from: 'client' } })],
    ['end', end({ on: 'tools/call', when: { from: 'client' } })],
  ])('%s of the message of a client ends the server, before the handler is called', async (name, fault) => {
    let calls = 0;
    const handler = tool('t', () => `${++calls}`);
    const { fired, failures } = await broken({ over, faults: [fault], handlers: [handler] });
    expect({ fired, failures, calls }).toEqual({ fired: [name], failures: [], calls: 0 });
  });
});

const TAPE = join(temporaryFolder(), 'tape.yaml');
writeFileSync(
  TAPE,
  `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: t, arguments: {} } }
- server: { jsonrpc: "2.0", id: 1, result: { content: [] } }
`,
);

it.each(['memory', 'stdio'] as const)('the server of a cassette over %s ends with its client, too', async (over) => {
  const faults = [cut({ on: 'tools/call', when: { from: 'client' } })];
  const server = await mockServer(TAPE, {
    over,
    faults,
    onUnused: 'report',
    onDifference: 'report',
    onMiss: 'report',
  } as never as StdioOptions);
  const peer = await connectTo(server, 'SDK 1');
  await expect(peer.request('tools/call', { name: 't', arguments: {} })).rejects.toThrow(BROKEN);
  await peer.close();
  expect((await server.finish()).failures).toEqual([]);
});
