import { expect, it } from 'vitest';
import { memoryPair } from '../../../src/channel/memory-pair.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { tool } from '../../../src/mock/handler.ts';
import { ServerHandlers } from '../../../src/mock/server/handlers-and-sessions.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { call } from '../../support/conversation.ts';

/** Calls a tool whose handler sends progress, and returns what arrives, in order. */
async function answered(progressGap?: number, isReported = true) {
  const clock = new ManualClock();
  const handler = tool('report', (_, { progress }) => {
    if (isReported) progress(1);
    return 'done';
  });
  const description = { serverInfo: { name: 'a', version: '1' } };
  const gap = progressGap === undefined ? {} : { progressGap };
  const handlers = new ServerHandlers({ handlers: [handler], description, clock, ...gap });
  const [near, far] = memoryPair();
  handlers.channel(far, () => {}).channel.listen(() => {});
  const came: string[] = [];
  near.listen((frame) => {
    if (frame.kind === 'message') came.push('method' in (frame.json.value as object) ? 'progress' : 'response');
  });
  near.send({ kind: 'message', at: 0, from: 'client', json: new JsonText(JSON.stringify(call(1, 'report', {}, 'p'))) });
  await new Promise((resolve) => setImmediate(resolve));
  return { came, clock, idle: handlers.idle() };
}

it('answers at once after progress', async () => {
  expect((await answered()).came).toEqual(['progress', 'response']);
  expect((await answered(20, false)).came).toEqual(['response']);
});

it('answers later than progress to a peer that reads several messages at once', async () => {
  const { came, clock, idle } = await answered(20);
  expect(came).toEqual(['progress']);
  clock.advance(20);
  await idle;
  expect(came).toEqual(['progress', 'response']);
});
