import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { resource, tool } from '../../src/adapters/mock.ts';
import { sessionTransport } from '../../src/adapters/sdk.ts';
import { memoryPair } from '../../src/channel/memory-pair.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { ServerHandlers } from '../../src/mock/server/handlers-and-sessions.ts';

it('handlers that are replaced answer at once, and clients hear of the lists that have changed', async () => {
  const notes = resource('file:///notes.txt', () => 'notes');
  const handlers = new ServerHandlers({
    handlers: [tool('old', () => 'old'), notes],
    description: { serverInfo: { name: 'a', version: '1' } },
    clock: systemClock,
  });
  const [near, far] = memoryPair();
  handlers.channel(far, () => {}).channel.listen(() => {});
  const client = new Client({ name: 'test', version: '1' });
  const changed: string[] = [];
  const heard = new Promise<void>((resolve) => {
    client.fallbackNotificationHandler = async ({ method }) => void changed.push(method);
    client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => {
      changed.push(method);
      resolve();
    });
  });
  await client.connect(sessionTransport({ channel: near }) as Transport);
  let finish = () => {};
  const slow = tool('slow', () => new Promise<string>((resolve) => (finish = () => resolve('done'))));
  handlers.replace([slow, notes], { serverInfo: { name: 'a', version: '2' } });
  await heard;
  expect(changed).toEqual(['notifications/tools/list_changed']);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['slow']);
  const call = client.callTool({ name: 'slow' });
  await client.ping();
  let isIdle = false;
  const idle = handlers.idle().then(() => {
    isIdle = true;
  });
  await client.ping();
  expect(isIdle).toBe(false);
  finish();
  expect((await call).content).toEqual([{ type: 'text', text: 'done' }]);
  await idle;
  await client.close();
});
