import type { LaneGroup, View } from '../../data/report-data-types.ts';
import { element } from '../element.ts';
import { firstWhere } from './first-where.ts';
import { type Layout, ROW_HEIGHT } from './layout.ts';

/** A bar over several rows: a pending call beside its receiver, or an HTTP exchange. */
interface Bar {
  first: number;
  /** Infinite: it never ended. */
  last: number;
  group: LaneGroup;
  lane: number;
  class: string;
  title: string;
  /** How far it reaches beyond the middle of its first row and its last, in pixels. */
  beyond: number;
}

/** Bars that stand above each other, by their beginnings. Where a lane is shared they overlap. */
interface Lane {
  bars: Bar[];
  /** For each bar, the one among it and its predecessors that ends last. */
  furthest: Bar[];
}

/** So many colours tell exchanges apart. */
export const HUES = 6;
/** What an exchange of one row takes above and below its middle, in pixels. */
const STREAM_END_PX = 6;

/** Draws the visible bars beside the lifelines: pending requests and their HTTP exchanges. */
export class Bars {
  readonly root: HTMLElement = element('div', { class: 'bars', 'aria-hidden': 'true' });
  readonly #drawn = new Map<Bar, HTMLElement>();
  #view: View | undefined;
  #lanes: readonly Lane[] = [];
  #layout: Layout = { shown: [], tops: [], height: 0 };

  reset(view: View, layout: Layout): void {
    if (view !== this.#view) this.#lanes = lanesOf([...callsOf(view), ...streamsOf(view)]);
    this.#view = view;
    this.#layout = layout;
    this.#drawn.clear();
    this.root.replaceChildren(
      element('div', { class: 'lifeline client' }),
      element('div', { class: 'lifeline server' }),
    );
  }

  /** Draws what crosses the pixels from `top` to `bottom`, and nothing else. */
  window(top: number, bottom: number): void {
    const seen = new Set(this.#lanes.flatMap((lane) => this.#within(lane, top, bottom)));
    for (const [bar, drawn] of this.#drawn) {
      if (seen.has(bar)) continue;
      drawn.remove();
      this.#drawn.delete(bar);
    }
    for (const bar of seen) if (!this.#drawn.has(bar)) this.#draw(bar);
  }

  #within({ bars, furthest }: Lane, top: number, bottom: number): Bar[] {
    const first = firstWhere(bars.length, (place) => this.#endOf(furthest[place]!) > top);
    const end = firstWhere(bars.length, (place) => this.#startOf(bars[place]!) >= bottom);
    return bars.slice(first, end).filter((bar) => this.#endOf(bar) > Math.max(top, this.#startOf(bar)));
  }

  #startOf({ first, beyond }: Bar): number {
    return this.#layout.tops[first]! + ROW_HEIGHT / 2 - beyond;
  }

  #endOf({ last, beyond }: Bar): number {
    const { tops, height } = this.#layout;
    return last === Number.POSITIVE_INFINITY ? height : tops[last]! + ROW_HEIGHT / 2 + beyond;
  }

  #draw(bar: Bar): void {
    const [start, end] = [this.#startOf(bar), this.#endOf(bar)];
    const made = element('div', { class: `bar ${bar.class}`, title: bar.title });
    made.style.top = `${start}px`;
    made.style.height = `${end - start}px`;
    made.style.setProperty('--lane', String(bar.lane));
    if (bar.group === 'stream') made.append(element('span', {}, bar.title.replace('stream ', '')));
    this.#drawn.set(bar, made);
    this.root.append(made);
  }
}

/** Groups bars by lane, in order of their start. */
function lanesOf(bars: readonly Bar[]): Lane[] {
  const lanes = new Map<string, Lane>();
  for (const bar of bars) {
    const name = `${bar.group} ${bar.lane}`;
    const lane = lanes.get(name) ?? { bars: [], furthest: [] };
    lanes.set(name, lane);
    const before = lane.furthest.at(-1);
    lane.bars.push(bar);
    lane.furthest.push(before !== undefined && before.last > bar.last ? before : bar);
  }
  return [...lanes.values()];
}

function callsOf({ items }: View): Bar[] {
  return items.flatMap(({ kind, lane, from, fate = 'pending', answer, cancel, what }, first): Bar[] => {
    if (kind !== 'request' || lane === undefined) return [];
    const last = answer ?? cancel ?? Number.POSITIVE_INFINITY;
    return [{ first, last, group: from, lane, class: `call of-${from} is-${fate}`, title: what, beyond: 0 }];
  });
}

function streamsOf({ streams }: View): Bar[] {
  return streams.map(({ stream, lane, first, last }) => ({
    first,
    last,
    group: 'stream',
    lane,
    class: `stream hue-${stream % HUES}`,
    title: `stream ${stream}`,
    beyond: STREAM_END_PX,
  }));
}
