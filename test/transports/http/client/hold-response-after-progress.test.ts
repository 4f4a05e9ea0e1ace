import { expect, it } from 'vitest';
import type { Clock } from '../../../../src/kernel/clock.ts';
import { ManualClock } from '../../../../src/kernel/manual-clock.ts';
import { JsonText } from '../../../../src/protocol/json-text.ts';
import { holdResponseAfterProgress } from '../../../../src/transports/http/client/hold-response-after-progress.ts';
import { notification, progress as progressOf, result } from '../../../support/conversation.ts';

function holding(gap: number | undefined) {
  const clock = new ManualClock();
  const sent: string[] = [];
  const hold = holdResponseAfterProgress(gap, clock);
  const passes = (message: unknown, name: string) =>
    hold(new JsonText(JSON.stringify(message)), () => void sent.push(name));
  return { clock, sent, passes };
}

const progress = progressOf(1, 1);

it('holds a response that comes with progress, so that the client does not read both at once', () => {
  const { clock, sent, passes } = holding(20);
  passes(progress, 'progress');
  passes(result(1, 'A'), 'A');
  expect(sent).toEqual(['progress']);
  clock.advance(19);
  expect(sent).toEqual(['progress']);
  clock.advance(1);
  expect(sent).toEqual(['progress', 'A']);
});

it('holds a response of the same turn, though writing down the progress took longer than the gap', () => {
  const manual = new ManualClock();
  let busy = 0;
  const clock: Clock = {
    now: () => manual.now() + busy,
    date: () => manual.date(),
    after: (delay, task) => manual.after(delay, task),
    endOfTurn: (task) => manual.endOfTurn(task),
  };
  const sent: string[] = [];
  const hold = holdResponseAfterProgress(1, clock);
  hold(new JsonText(JSON.stringify(progress)), () => void sent.push('progress'));
  busy = 5;
  hold(new JsonText(JSON.stringify(result(1, 'A'))), () => void sent.push('A'));
  expect(sent).toEqual(['progress']);
  manual.advance(0);
  expect(sent).toEqual(['progress', 'A']);
});

it('lets the messages of other requests pass meanwhile', () => {
  const { sent, passes } = holding(20);
  passes(progress, 'progress');
  passes(result(1, 'A'), 'A');
  passes(notification('message'), 'log');
  expect(sent).toEqual(['progress', 'log']);
});

it('holds nothing without progress, after a pause of the server, or without a gap', () => {
  const some = holding(20);
  some.passes(notification('message'), 'log');
  some.passes(result(1, 'A'), 'A');
  some.passes(progress, 'progress');
  some.clock.advance(20);
  some.passes(result(2, 'B'), 'B');
  expect(some.sent).toEqual(['log', 'A', 'progress', 'B']);
  const none = holding(undefined);
  none.passes(progress, 'progress');
  none.passes(result(1, 'A'), 'A');
  expect(none.sent).toEqual(['progress', 'A']);
});
