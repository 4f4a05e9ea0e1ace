import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SdkTransport, sessionTransport } from '../../../src/adapters/sdk.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { openSession } from '../../../src/modes/open-session.ts';
import { temporaryFolder } from '../../support/cassette.ts';

// A call of 1,600 ms with progress every 400 ms: in one process, where the time of the client and that of the server are
// in our hands.
const STEP = 400;
const TAPE = join(temporaryFolder(), 'slow.yaml');
const progress = (n: number) => `
- server: { method: notifications/progress, params: { progressToken: 1, progress: ${n} } }
  after: ${STEP}`;
writeFileSync(
  TAPE,
  `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: slow, version: "1" } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: slow, _meta: { progressToken: 1 } } }${[1, 2, 3].map(progress).join('')}
- server: { id: 1, result: { content: [{ type: text, text: slow }] } }
  after: ${STEP}
`,
);

interface Options {
  timeout: number;
  resetTimeoutOnProgress?: boolean;
  maxTotalTimeout?: number;
}

interface Peer {
  connect(transport: SdkTransport): Promise<void>;
  call(options: Options & { onprogress(): void }): Promise<unknown>;
}

const info = { name: 'times-out', version: '1' };
const clients: Record<string, () => Peer> = {
  'sdk 1.x': () => {
    const client = new Client1(info);
    return {
      connect: (transport) => client.connect(transport as Transport),
      call: (options) => client.callTool({ name: 'slow' }, undefined, options),
    };
  },
  'client 2.x': () => {
    const client = new Client2(info);
    return {
      connect: (transport) => client.connect(transport),
      call: (options) => client.callTool({ name: 'slow' }, options),
    };
  },
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe.each(Object.entries(clients))('%s', (_, newClient) => {
  /** How a call ends, when, and what the client said then. */
  async function called(options: Options) {
    const clock = new ManualClock();
    const session = await openSession({ cassette: TAPE, mode: 'replay', timing: 'recorded', clock, env: {} });
    const heard: string[] = [];
    const { channel } = session;
    const send: typeof channel.send = (frame) => {
      if (frame.kind === 'message') heard.push((frame.json.value as { method: string }).method);
      return channel.send(frame);
    };
    const client = newClient();
    await client.connect(sessionTransport({ channel: { ...channel, send } }));
    let told = 0;
    let end: string | undefined;
    client.call({ ...options, onprogress: () => void told++ }).then(
      () => (end = 'answered'),
      (error: Error) => (end = error.message),
    );
    let time = 0;
    for (; end === undefined && time < 10 * STEP; time += STEP / 4) {
      await turn();
      clock.advance(STEP / 4);
      vi.advanceTimersByTime(STEP / 4);
      await turn();
    }
    const over = session.finish({ passed: false });
    await turn();
    clock.advance(10 * STEP);
    await over;
    return { end, time, told, last: heard.at(-1) };
  }

  it('gives up when the time of a call is over, whatever progress there is, and says so to the server', async () => {
    const { end, time, told, last } = await called({ timeout: 1_000 });
    expect(end).toMatch(/Request timed out/);
    expect([time, told, last]).toEqual([1_000, 2, 'notifications/cancelled']);
  });

  it('waits on as long as there is progress, where asked to', async () => {
    const { end, time, told, last } = await called({ timeout: 1_000, resetTimeoutOnProgress: true });
    expect([end, time, told, last]).toEqual(['answered', 4 * STEP, 3, 'tools/call']);
  });

  it('gives up when the whole time is over, for all progress', async () => {
    const { end, time, told } = await called({
      timeout: 1_000,
      resetTimeoutOnProgress: true,
      maxTotalTimeout: 1_100,
    });
    // Only progress makes it look at the clock.
    expect(end).toMatch(/Maximum total timeout exceeded/);
    expect([time, told]).toEqual([3 * STEP, 2]);
  });
});
