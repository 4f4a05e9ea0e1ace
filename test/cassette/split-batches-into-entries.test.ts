import { expect, it } from 'vitest';
import { eventsToEntries } from '../../src/cassette/split-batches-into-entries.ts';
import { call, cassette, client, clientCloses, exits, result, server, stderr } from '../support/conversation.ts';

it('each event is one move, in wire order, with the line it stands on', () => {
  const { events } = cassette(client(call(0, 'a'), 5), stderr('hello'), server(result(0, 'A'), 9), clientCloses);
  expect(eventsToEntries(events).map(({ index, event, line, at, from }) => [index, event, line, at, from])).toEqual([
    [0, 0, 1, 5, 'client'],
    [1, 1, 2, 0, 'server'],
    [2, 2, 3, 9, 'server'],
    [3, 3, 4, 0, 'client'],
  ]);
});

it('a batch is as many moves as it has messages, each with its own text', () => {
  const { events } = cassette(client('[{"id":1.0,"method":"a"}, {"method":"b"}]'), client(call(2, 'c')));
  const entries = eventsToEntries(events);
  expect(entries.map(({ index, event, json }) => [index, event, json?.text])).toEqual([
    [0, 0, '{"id":1.0,"method":"a"}'],
    [1, 0, '{"method":"b"}'],
    [2, 1, JSON.stringify(call(2, 'c'))],
  ]);
  expect(entries[1]?.message).toEqual({ method: 'b' });
});

it('an empty batch is none, and an element that is no object is a message without content', () => {
  expect(eventsToEntries(cassette(client('[]'), client('[1,null]')).events).map(({ message }) => message)).toEqual([
    {},
    {},
  ]);
});

it('what is no message has none', () => {
  const [noise, exit] = eventsToEntries(cassette(stderr('x'), exits(0)).events);
  expect([noise?.message, noise?.json, exit?.message]).toEqual([undefined, undefined, undefined]);
});
