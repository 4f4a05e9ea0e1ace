import { expect, it } from 'vitest';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import type { LiveServer } from '../../../src/verify/run/live-server-types.ts';
import { requestServerLists } from '../../../src/verify/run/request-server-lists.ts';

/** A server that answers only `initialize`. */
function silentServer(): LiveServer {
  type Events = Parameters<LiveServer['begin']>[1];
  let events: Events | undefined;
  const send: LiveServer['send'] = (frame) => {
    const message = frame.kind === 'message' ? (frame.json.value as { id?: number; method?: string }) : {};
    if (message.method !== 'initialize') return;
    const serverInfo = { name: 's', version: '1' };
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo };
    const json = new JsonText(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    queueMicrotask(() => events!.receive({ kind: 'message', at: 0, from: 'server', json }));
  };
  return {
    isProcess: true,
    begin: (_: unknown, given: Events) => {
      events = given;
    },
    send,
    close: () => queueMicrotask(() => events!.ended({ killed: false })),
  } as unknown as LiveServer;
}

it('an error names the request that a server did not answer', async () => {
  const clock = new ManualClock();
  let problem: Error | undefined;
  const lists = requestServerLists({ connect: async () => silentServer(), clock }).catch((error) => {
    problem = error;
  });
  for (let step = 0; problem === undefined && step < 1_000; step++) {
    clock.advance(1_000);
    await Promise.resolve();
  }
  await lists;
  expect(problem).toMatchObject({ code: 'SERVER_NOT_LISTED' });
  expect(problem!.message).toMatch(/answer.* tools\/list/);
  expect(problem!.message).toContain('A server has to answer every request, and one that it does not know');
});
