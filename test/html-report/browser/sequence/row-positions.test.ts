import { expect, it } from 'vitest';
import { layoutOf, ROW_HEIGHT } from '../../../../src/html-report/browser/sequence/row-positions.ts';
import { sessionView } from '../../../../src/html-report/data/session-view.ts';
import { call, cassette, client } from '../../../support/conversation.ts';

const { items } = sessionView(cassette(...[0, 10, 10, 500].map((at, id) => client(call(id, 'a'), at))));
const layout = (shown: number[], pixelsPerMs = 0) => layoutOf({ items, shown, pixelsPerMs });

it('rows stand below each other, and what has none stands where the next one begins', () => {
  expect(layout([0, 2])).toEqual({
    shown: [0, 2],
    tops: [0, ROW_HEIGHT, ROW_HEIGHT, 2 * ROW_HEIGHT],
    height: 2 * ROW_HEIGHT,
  });
});

it('in real time they stand as far apart as they were, and never on each other', () => {
  expect(layout([0, 1, 2, 3], 2).tops).toEqual([0, ROW_HEIGHT + 20, 2 * ROW_HEIGHT + 20, 3 * ROW_HEIGHT + 20 + 980]);
});
