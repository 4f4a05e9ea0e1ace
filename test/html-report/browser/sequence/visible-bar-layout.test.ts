import { expect, it } from 'vitest';
import { layoutOf, ROW_HEIGHT } from '../../../../src/html-report/browser/sequence/row-positions.ts';
import { barsOf } from '../../../../src/html-report/browser/sequence/visible-bar-layout.ts';
import { sessionView } from '../../../../src/html-report/data/session-view.ts';
import { timelineOf } from '../../../../src/html-report/data/timeline/timeline-of-sessions.ts';
import { call, cassette, client, result, server } from '../../../support/conversation.ts';

const on = (stream: number, frame: ReturnType<typeof client>) => ({ ...frame, stream });
const calls = Array.from({ length: 30 }, (_, place) => [
  on(place + 1, client(call(place, 'a'))),
  on(place + 1, server(result(place, 'x'))),
]).flat();
const view = sessionView(cassette(...calls));
const barsWith = (shown: number[]) => barsOf(view, layoutOf({ items: view.items, shown, pixelsPerMs: 0 }));

it('an exchange that no row is of has no bar, so that no two numbers stand on each other', () => {
  const labels = (shown: number[]) =>
    barsWith(shown).flatMap(({ label, lane, top }) => (label ? [[lane, top, label]] : []));
  expect(labels([0, 1])).toEqual([[0, ROW_HEIGHT / 2 - 6, '1']]);
  const some = labels([0, 20, 41, 59]);
  expect(some.map(([, , label]) => label)).toEqual(['1', '11', '21', '30']);
  expect(new Set(some.map(([lane, top]) => `${lane} ${top}`)).size).toBe(4);
});

it('a call reaches from its request to its answer, wherever these would stand', () => {
  const [first] = barsWith([0, 1]).filter(({ label }) => label === undefined);
  expect(first).toMatchObject({ top: ROW_HEIGHT / 2, bottom: ROW_HEIGHT * 1.5 });
});

it('of a layout in sight it has the bars that can be seen, and no others', () => {
  const layout = layoutOf({ items: view.items, shown: [...view.items.keys()], pixelsPerMs: 0 });
  const all = barsOf(view, layout);
  const sight = { top: ROW_HEIGHT * 20, bottom: ROW_HEIGHT * 24 };
  const seen = barsOf(view, { ...layout, sight });
  expect(seen.length).toBeGreaterThan(2);
  expect(seen).toEqual(all.filter(({ top, bottom }) => bottom > sight.top && top < sight.bottom));
});

it('exchanges of two sessions on a timeline with one number are two bars', () => {
  const session = { ...view, start: { at: 0 } };
  const both = timelineOf([session, session]);
  const layout = layoutOf({ items: both.items, shown: [...both.items.keys()], pixelsPerMs: 0 });
  const bars = barsOf(both, layout).filter(({ label }) => label !== undefined);
  expect(bars.length).toBe(2 * view.streams.length);
  expect(new Set(bars.map(({ key }) => key)).size).toBe(bars.length);
});
