import { expect, it } from 'vitest';
import { eventsToEntries } from '../../src/cassette/split-batches-into-entries.ts';
import { changedIdNotes } from '../../src/fork/changed-id-notes.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import type { ServerRun } from '../../src/verify/run/run-recorded-client.ts';
import { call, cassette, client, server } from '../support/conversation.ts';

const answer = (text: string) => ({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } });

/** A run of which one call got another answer than the recorded one. */
function ranWith(recorded: string, live: string): ServerRun {
  const [request, before] = eventsToEntries(cassette(client(call(1, 'order')), server(answer(recorded))).events);
  const exchanges = [{ request, recorded: before, live: new JsonText(JSON.stringify(answer(live))) }];
  const returned = { live: new Map(), values: [] };
  return { exchanges, returned, sentRequests: [], plan: { entries: [], links: {} } } as unknown as ServerRun;
}

it.each([
  ['Order ord_8f3a61c0', 'Order ord_1b22c9d4', ['returned "ord_1b22c9d4" in place of "ord_8f3a61c0"']],
  ['Order ord_8f3a61c0', 'Order ord_8f3a61c0', []],
  ['Placed 2026-11-28T10:00:00Z', 'Placed 2026-11-29T11:30:00Z', []],
  ['All is well', 'All is bad', []],
])('of %j, which is %j now, ids that a rule leaves out are named', (recorded, live, notes) => {
  expect(changedIdNotes(ranWith(recorded, live))).toEqual(notes.map((note) => expect.stringContaining(note)));
});

it('names a placeholder whose live value the recorded client sent, since the live client has to send it, too', () => {
  const run = ranWith('Token [redacted:token:1]', 'Token xY7q');
  const returned = { live: new Map([['[redacted:token:1]', 'xY7q']]), values: [] };
  const notes = changedIdNotes({ ...run, returned } as unknown as ServerRun);
  expect(notes).toEqual([expect.stringMatching(/live value of \[redacted:token:1\].*--with-client/)]);
  expect(notes.join()).not.toContain('xY7q');
});
