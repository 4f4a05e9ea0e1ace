import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, expect, it, vi } from 'vitest';
import { mockServer } from '../../src/adapters/mock.ts';
import { tool } from '../../src/mock/handler.ts';

afterEach(() => void vi.useRealTimers());

/** A handler that answers after an hour, and a promise that it was called. */
function lateHandler() {
  let entered = () => {};
  const called = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const handler = tool('weather', async () => {
    entered();
    await new Promise((resolve) => setTimeout(resolve, 3_600_000));
    return 'sunny';
  });
  return { handler, called };
}

const OPEN: Record<
  string,
  (handlers: ReturnType<typeof tool>[]) => Promise<{ transport: Transport; finish(): unknown }>
> = {
  memory: async (handlers) => {
    const mock = await mockServer({ handlers });
    return { transport: mock.transport as Transport, finish: () => mock.finish?.() };
  },
  stdio: async (handlers) => {
    const mock = await mockServer({ handlers, over: 'stdio' });
    return {
      transport: new StdioClientTransport({
        command: mock.command,
        args: [...mock.args],
      }) as Transport,
      finish: () => mock.finish?.(),
    };
  },
  http: async (handlers) => {
    const mock = await mockServer({ handlers, over: 'http' });
    return {
      transport: new StreamableHTTPClientTransport(new URL(mock.url)) as Transport,
      finish: () => mock.finish?.(),
    };
  },
};

it.each(Object.entries(OPEN))(
  'over %s, a handler that waits is late without waiting, and the limit of a client is reached',
  async (_, open) => {
    const { handler, called } = lateHandler();
    const { transport } = await open([handler]);
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answer = client.callTool({ name: 'weather' }, undefined, { timeout: 1_000 });
    const failed = expect(answer).rejects.toThrow('Request timed out');
    await called;
    vi.advanceTimersByTime(2_000);
    await failed;
    // A handler has to answer before the test ends.
    vi.advanceTimersByTime(3_600_000);
    vi.useRealTimers();
    await client.close();
  },
);
