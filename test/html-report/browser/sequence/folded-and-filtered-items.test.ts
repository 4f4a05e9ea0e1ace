import { expect, it } from 'vitest';
import { readQuery } from '../../../../src/html-report/browser/search-query.ts';
import { visibleItems } from '../../../../src/html-report/browser/sequence/folded-and-filtered-items.ts';
import { sessionView } from '../../../../src/html-report/data/session-view.ts';
import { call, cassette, client, progress, result, server, stderr } from '../../../support/conversation.ts';

const { items } = sessionView(
  cassette(client(call(1, 'a', {}, 'p')), server(progress('p', 1)), stderr('x'), server(result(1, 'found it'))),
);
const rows = (choice: { query?: string; folded?: boolean; turned?: number[] }) =>
  visibleItems(items, {
    query: readQuery(choice.query ?? ''),
    folded: choice.folded ?? false,
    turned: new Set(choice.turned),
  });

it('a folded call is one row, and what does not belong to it stays', () => {
  expect(rows({})).toEqual([0, 1, 2, 3]);
  expect(rows({ folded: true })).toEqual([0, 2]);
  expect(rows({ turned: [0] })).toEqual([0, 2]);
  expect(rows({ folded: true, turned: [0] })).toEqual([0, 1, 2, 3]);
});

it('a folded call is found by what its answer says', () => {
  expect(rows({ query: '"found it"' })).toEqual([3]);
  expect(rows({ query: '"found it"', folded: true })).toEqual([0]);
});
