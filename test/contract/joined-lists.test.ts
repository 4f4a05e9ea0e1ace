import { expect, it } from 'vitest';
import { joinLists } from '../../src/contract/joined-lists.ts';

it('puts the items of a page after those before it', () => {
  const page = (...tools: string[]) => ({ result: { tools } });
  expect(joinLists('tools/list', page('a'), page('b'))).toEqual(page('a', 'b'));
});

it('lets an answer that is no list stand for the whole', () => {
  const error = { error: { code: -32603 } };
  expect(joinLists('tools/list', { result: { tools: [] } }, error)).toBe(error);
});

it('puts the events of a poll after those before it', () => {
  const polled = (...events: string[]) => ({ result: { events, cursor: 'c' } });
  expect(joinLists('events/poll', polled('a'), polled('b'))).toEqual(polled('a', 'b'));
});
