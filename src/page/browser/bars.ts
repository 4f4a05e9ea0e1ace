import type { View } from '../page-data.ts';
import { element } from './element.ts';
import { type Layout, ROW_HEIGHT } from './layout.ts';

/** From one row to another: a call in flight, beside the side that works on it, or an HTTP exchange. */
interface Bar {
  first: number;
  last: number;
  lane: number;
  class: string;
  title: string;
  /** It never ended. */
  isOpen: boolean;
  /** How far it reaches beyond the middle of its first row and its last, in pixels. */
  beyond: number;
}

/** So many colours tell exchanges apart. */
export const HUES = 6;
/** What an exchange of one row takes above and below its middle, in pixels. */
const STREAM_END_PX = 6;

/** The bars beside the lifelines: what is in flight, and which exchange carries it. Only those in sight are drawn. */
export class Bars {
  readonly root: HTMLElement = element('div', { class: 'bars', 'aria-hidden': 'true' });
  readonly #drawn = new Map<Bar, HTMLElement>();
  #bars: readonly Bar[] = [];
  #layout: Layout = { shown: [], tops: [], height: 0 };

  reset(view: View, layout: Layout): void {
    this.#bars = [...callsOf(view), ...streamsOf(view)];
    this.#layout = layout;
    this.#drawn.clear();
    this.root.replaceChildren(
      element('div', { class: 'lifeline client' }),
      element('div', { class: 'lifeline server' }),
    );
  }

  window(top: number, bottom: number): void {
    const { tops, height } = this.#layout;
    for (const bar of this.#bars) {
      const start = tops[bar.first]! + ROW_HEIGHT / 2 - bar.beyond;
      const end = bar.isOpen ? height : tops[bar.last]! + ROW_HEIGHT / 2 + bar.beyond;
      const isSeen = end > top && start < bottom && end > start;
      const drawn = this.#drawn.get(bar);
      if (isSeen && drawn === undefined) this.#draw(bar, start, end);
      else if (!isSeen && drawn !== undefined) {
        drawn.remove();
        this.#drawn.delete(bar);
      }
    }
  }

  #draw(bar: Bar, start: number, end: number): void {
    const made = element('div', { class: `bar ${bar.class}`, title: bar.title });
    made.style.top = `${start}px`;
    made.style.height = `${end - start}px`;
    made.style.setProperty('--lane', String(bar.lane));
    if (bar.class.startsWith('stream')) made.append(element('span', {}, bar.title.replace('stream ', '')));
    this.#drawn.set(bar, made);
    this.root.append(made);
  }
}

function callsOf({ items }: View): Bar[] {
  return items.flatMap(({ kind, lane, from, fate = 'pending', answer, cancel, what }, first): Bar[] => {
    if (kind !== 'request' || lane === undefined) return [];
    const last = answer ?? cancel;
    return [
      {
        first,
        last: last ?? first,
        lane,
        class: `call of-${from} is-${fate}`,
        title: what,
        isOpen: last === undefined,
        beyond: 0,
      },
    ];
  });
}

function streamsOf({ streams }: View): Bar[] {
  return streams.map(({ stream, lane, first, last }) => ({
    first,
    last,
    lane,
    class: `stream hue-${stream % HUES}`,
    title: `stream ${stream}`,
    isOpen: false,
    beyond: STREAM_END_PX,
  }));
}
