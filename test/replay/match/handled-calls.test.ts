import { expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { HandledCalls, takeUnhandled } from '../../../src/replay/match/handled-calls.ts';
import { RequestMatcher } from '../../../src/replay/match/request-matcher.ts';
import { call, cassette, client, request, result, server } from '../../support/conversation.ts';

const json = (message: object) => new JsonText(JSON.stringify(message));

function matcherOf(...messages: object[]) {
  const frames = messages.flatMap((message, id) => [client(message), server(result(id, 'x'))]);
  const entries = eventsToEntries(cassette(...frames).events);
  return new RequestMatcher({ entries, side: 'client', links: correlateEntries(entries), happened: () => true });
}

it('a call that a handler answered uses up an equal recorded one, and no other', () => {
  const matcher = matcherOf(call(0, 'a'), call(1, 'a'), call(2, 'b'));
  const handled = new HandledCalls();
  const take = (message: object) => takeUnhandled(matcher, handled.mark(json(message)))?.entry.line;
  handled.add(json(call(7, 'a')));
  expect([take(call(8, 'b')), take(call(9, 'a')), take(call(10, 'a'))]).toEqual([5, 3, undefined]);
});

it('more calls of handlers than the cassette has use up no more', () => {
  const matcher = matcherOf(call(0, 'a'));
  const handled = new HandledCalls();
  for (const id of [7, 8, 9]) handled.add(json(call(id, 'a')));
  const again = () => takeUnhandled(matcher, handled.mark(json(call(10, 'a'))));
  expect([again(), again()]).toEqual([undefined, undefined]);
});

it('a list is answered as before: its answers repeat', () => {
  const matcher = matcherOf(request(0, 'tools/list'));
  const handled = new HandledCalls();
  handled.add(json(request(7, 'tools/list')));
  expect(takeUnhandled(matcher, handled.mark(json(request(8, 'tools/list'))))?.entry.line).toBe(1);
});

it('a retry that a handler answered, with a state of its own, uses up no recorded retry with another', () => {
  const again = (id: number, requestState: string) => request(id, 'tools/call', { name: 'a', requestState });
  const matcher = matcherOf(again(0, 'recorded'));
  const handled = new HandledCalls();
  handled.add(json(again(7, 'of the handler')));
  expect(takeUnhandled(matcher, handled.mark(json(again(8, 'recorded'))))?.entry.line).toBe(1);
});
