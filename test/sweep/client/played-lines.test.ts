import { expect, it } from 'vitest';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import { PlayedLines } from '../../../src/sweep/client/played-lines.ts';
import { cassette, client, notification, request, server } from '../../support/conversation.ts';

const changed = { jsonrpc: '2.0' as const, method: 'notifications/tools/list_changed' };
const [asked, first, second] = eventsToEntries(
  cassette(client(request(1, 'tools/list')), server(changed), server(changed)).events,
);

it('finds equal messages in their order, and the last one again', () => {
  const lines = new PlayedLines();
  const frame = server(changed);
  expect(lines.lineOf(frame)).toBeUndefined();
  lines.sent(frame, first!);
  lines.sent(frame, second!);
  expect([1, 2, 3].map(() => lines.lineOf(server(changed)))).toEqual([first!.line, second!.line, second!.line]);
});

it('finds a batch by its first message that was played, and no other frame', () => {
  const lines = new PlayedLines();
  lines.sent(server(changed), second!);
  const other = notification('message');
  expect(lines.lineOf(server([other, changed]))).toBe(second!.line);
  expect(lines.lineOf(server(other))).toBeUndefined();
  lines.sent({ kind: 'close', at: 0, from: 'server' }, asked!);
  expect(lines.lineOf({ kind: 'close', at: 0, from: 'server' })).toBeUndefined();
});
