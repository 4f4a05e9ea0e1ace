import { expect, it } from 'vitest';
import { hashOf, placeOf } from '../../../src/html-report/browser/address.ts';
import { buildReport } from '../../../src/html-report/data/build-report-data.ts';
import { call, cassette, client, result, server } from '../../support/conversation.ts';

const session = cassette(client(call(1, 'a')), server(result(1, 'x')));
session.events[1]!.line = 9;
const { views } = buildReport([session, session]);

const look = { mode: 'sequence', tab: 'Schema', search: 'a&b #?é "x y"', span: { from: 5, to: 900 } } as const;

it.each([
  { view: 0 },
  { view: 0, index: 1 },
  { view: 2 },
  { view: 2, index: 0 },
  { view: 0, ...look },
  { view: 1, index: 1, ...look },
])('%j comes back from its link', (place) => {
  expect(placeOf(views, hashOf(views, place))).toEqual(place);
});

it('a line between two events is the event that it belongs to', () => {
  expect(placeOf(views, '#line-5')).toEqual({ view: 0, index: 0 });
  expect(placeOf(views, '#2/line-12')).toEqual({ view: 1, index: 1 });
});

it.each(['', '#', '#nothing', '#9/line-1', '#0/line-1', '#?view=else&ms=9-3&q=', '#?ms=x-y', '#%?%'])(
  '%j is the beginning',
  (hash) => {
    expect(placeOf(views, hash)).toEqual({ view: 0 });
  },
);
