import { expect, it } from 'vitest';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { inTime, messagesIn } from '../../../src/restart/http/own-request.ts';

it('a result counts within the time limit alone', async () => {
  const clock = new ManualClock();
  expect(await inTime(clock, Promise.resolve('soon'))).toBe('soon');
  const late = inTime(clock, new Promise(() => {}));
  clock.advance(10_000);
  expect(await late).toBe(undefined);
});

it('a body has one message, those of a batch, or none', () => {
  const message = '{"jsonrpc":"2.0","id":1,"result":{}}';
  expect(messagesIn(message).map(({ text }) => text)).toEqual([message]);
  expect(messagesIn(`[${message},${message}]`)).toHaveLength(2);
  expect(messagesIn('<html>')).toEqual([]);
});
