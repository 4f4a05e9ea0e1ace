import { expect, it } from 'vitest';
import { metaOf } from '../../src/protocol/meta.ts';

it('finds what is under _meta', () => {
  expect(metaOf({ _meta: { progressToken: 0 } })).toEqual({ progressToken: 0 });
});

it.each([undefined, null, [], 'text', {}, { _meta: null }, { _meta: [1] }])('%j has none', (holder) => {
  expect(metaOf(holder)).toEqual({});
});
