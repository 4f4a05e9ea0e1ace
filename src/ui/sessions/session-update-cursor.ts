import { type ItemOutcome, outcomeOf, type SessionUpdate } from '../../html-report/data/live-page-protocol.ts';
import type { Item } from '../../html-report/data/report-data-types.ts';
import type { GrowingCassetteView } from './growing-cassette-view.ts';

/** Approximate number of characters of one update, which browsers process in a few milliseconds. */
const UPDATE_LENGTH_MAX = 128 * 1024;
const ITEMS_MAX = 1_000;

/** Cursor of one page in a live session: it returns the updates that the page lacks. */
export class SessionUpdateCursor {
  readonly #name: string;
  readonly #session: GrowingCassetteView;
  #edition = -1;
  #headVersion = -1;
  #sent = 0;
  #outcomes = 0;
  #lastHasMore = true;

  constructor(name: string, session: GrowingCassetteView) {
    this.#name = name;
    this.#session = session;
  }

  /** Returns the next update. Undefined: the page is up to date. */
  next(): SessionUpdate | undefined {
    const { edition, head, headVersion } = this.#session;
    const isAnew = edition !== this.#edition;
    if (isAnew) this.#begin();
    const isNewHead = isAnew || headVersion !== this.#headVersion;
    const outcomes = this.#nextOutcomes();
    const items = this.#nextItems();
    const hasMore = this.#session.hasMore || this.#sent < this.#session.items.length;
    if (!isNewHead && outcomes.length === 0 && items.length === 0 && hasMore === this.#lastHasMore) return undefined;
    this.#headVersion = headVersion;
    this.#lastHasMore = hasMore;
    return { name: this.#name, edition, ...(isNewHead && { head }), items, outcomes, hasMore };
  }

  #begin(): void {
    this.#edition = this.#session.edition;
    this.#sent = 0;
    this.#outcomes = 0;
  }

  /** Returns the new outcomes of sent items. Items sent later include their outcomes. */
  #nextOutcomes(): [number, ItemOutcome][] {
    const { outcomes, items } = this.#session;
    const positions = new Set(outcomes.slice(this.#outcomes).filter((position) => position < this.#sent));
    this.#outcomes = outcomes.length;
    return [...positions].map((position) => [position, outcomeOf(items[position]!)]);
  }

  #nextItems(): Item[] {
    const { items } = this.#session;
    const first = this.#sent;
    let length = 0;
    while (this.#sent < items.length && this.#sent - first < ITEMS_MAX && length < UPDATE_LENGTH_MAX)
      length += items[this.#sent++]!.content?.text.length ?? 0;
    return items.slice(first, this.#sent);
  }
}
