import { expect, it } from 'vitest';
import { joined } from '../../src/contract/joined-lists.ts';

it('puts the items of a page after those before it', () => {
  const page = (...tools: string[]) => ({ result: { tools } });
  expect(joined('tools/list', page('a'), page('b'))).toEqual(page('a', 'b'));
});

it('lets an answer that is no list stand for the whole', () => {
  const error = { error: { code: -32603 } };
  expect(joined('tools/list', { result: { tools: [] } }, error)).toBe(error);
});
