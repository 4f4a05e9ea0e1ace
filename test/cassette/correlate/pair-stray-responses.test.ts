import { expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { StrayResponses } from '../../../src/cassette/correlate/pair-stray-responses.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { call, cancel, cassette, client, result, server } from '../../support/conversation.ts';

/** The line of what stands in place of the answer to the first entry. */
function inPlaceOfFirst(...frames: Frame[]): number | undefined {
  const entries = eventsToEntries(cassette(...frames).events);
  return new StrayResponses(entries, correlateEntries(entries)).substituteFor(entries[0]!)?.line;
}
const asked = client(call(1, 'a'));

it('finds the response with another id that stands where an answer is missing', () => {
  expect(inPlaceOfFirst(asked, server(result('1', 'a')))).toBe(2);
  expect(inPlaceOfFirst(asked, client(call(2, 'b')), server(result(2, 'b')), server(result(3, 'a')))).toBe(4);
});

it('finds none for a request that was answered or cancelled, or where a later request waits, too', () => {
  expect(inPlaceOfFirst(asked, server(result(1, 'a')), server(result(1, 'a')))).toBeUndefined();
  expect(inPlaceOfFirst(asked, client(cancel(1)), server(result(3, 'a')))).toBeUndefined();
  expect(inPlaceOfFirst(asked, client(call(2, 'b')), server(result(3, 'a')))).toBeUndefined();
  expect(inPlaceOfFirst(asked, client(result(3, 'a')))).toBeUndefined();
});
