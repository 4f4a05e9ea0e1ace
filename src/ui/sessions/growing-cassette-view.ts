import type { CassetteEvent } from '../../cassette/cassette.ts';
import type { ViewHead } from '../../html-report/data/lanes/view-with-lanes.ts';
import { marksOf } from '../../html-report/data/lint-and-fault-marks.ts';
import type { Item, Mark } from '../../html-report/data/report-data-types.ts';
import { SessionItems } from '../../html-report/data/session-items.ts';
import { sessionHead } from '../../html-report/data/session-view.ts';
import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import { GrowingCassette } from '../cassettes/growing-cassette.ts';

/** Time without new events after which a session is idle. */
const REST_MS: Milliseconds = 500;
/**
 * Number of events up to which the head is updated whenever their number has doubled, and at the end. Longer sessions
 * update it only while idle.
 */
const HEAD_EVENTS_MAX = 2_000;
/** Maximum length of a session that is linted. A longer check would block the event loop. */
export const CHECKED_EVENTS_MAX = 20_000;

/** Live view of a cassette that may still grow. */
export class GrowingCassetteView {
  /** Number of times that all items were replaced. */
  edition = 0;
  head: ViewHead;
  /** Number of changes of the head. */
  headVersion = 0;
  /** Positions of changed items, in order of the changes. */
  outcomes: number[] = [];
  hasMore = true;
  readonly #cassette: GrowingCassette;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #session = new SessionItems();
  #events: CassetteEvent[] = [];
  #marked = new Map<number, Mark[]>();
  #headEvents = 0;
  #isReading = false;
  #cancelRest: Cancel = () => {};

  constructor(file: string, clock: Clock) {
    this.#cassette = new GrowingCassette(file);
    this.#clock = clock;
    this.head = this.#makeHead();
    this.update();
  }

  get items(): readonly Item[] {
    return this.#session.items;
  }

  /** Calls `listener` after each change, until the returned function is called. */
  onChange(listener: () => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  stop(): void {
    this.#cancelRest();
  }

  /** Reads the new events of the file, one slice in each turn of the event loop. */
  update(): void {
    if (this.#isReading) return;
    this.#cancelRest();
    const { events, isAnew, hasMore } = this.#cassette.read();
    if (isAnew) this.#beginAnew();
    this.#add(events);
    this.hasMore = hasMore;
    if (hasMore) {
      this.#isReading = true;
      this.#clock.endOfTurn(() => {
        this.#isReading = false;
        this.update();
      });
    } else this.#cancelRest = this.#clock.after(REST_MS, () => this.#rest());
    this.#tell();
  }

  #beginAnew(): void {
    this.#session = new SessionItems();
    this.#events = [];
    this.#headEvents = 0;
    this.#newEdition();
  }

  #newEdition(): void {
    this.edition += 1;
    this.outcomes = [];
    this.#marked = new Map();
  }

  #add(events: readonly CassetteEvent[]): void {
    for (const event of events) this.#events.push(event);
    const { answered, isAnew } = this.#session.add(events);
    if (isAnew) this.#newEdition();
    for (const position of answered) this.outcomes.push(position);
    const { length } = this.#events;
    const isDue = length >= 2 * this.#headEvents || this.#cassette.end !== undefined;
    if (isDue && length <= HEAD_EVENTS_MAX) this.#renewHead();
  }

  /** Updates the head and runs the lint rules while the session is idle. */
  #rest(): void {
    this.#renewHead();
    if (this.#events.length <= CHECKED_EVENTS_MAX) this.#mark();
    this.#tell();
  }

  #mark(): void {
    const { file, header } = this.#cassette;
    const marks = marksOf({ file, header, events: this.#events, warnings: [] });
    for (const position of new Set([...marks.keys(), ...this.#marked.keys()])) {
      const [before, now] = [this.#marked.get(position), marks.get(position)];
      if (JSON.stringify(before) === JSON.stringify(now)) continue;
      const item = this.#session.items[position]!;
      if (now) item.marks = now;
      else delete item.marks;
      this.outcomes.push(position);
    }
    this.#marked = marks;
  }

  #renewHead(): void {
    this.#headEvents = this.#events.length;
    const head = this.#makeHead();
    if (JSON.stringify(head) === JSON.stringify(this.head)) return;
    this.head = head;
    this.headVersion += 1;
  }

  #makeHead(): ViewHead {
    const { file, header, end, warnings } = this.#cassette;
    const isGrowing = this.#cassette.stateAt(this.#clock.date().getTime()) === 'growing';
    const cassette = { file, header, events: this.#events, warnings: [...warnings], ...(end !== undefined && { end }) };
    const head = sessionHead(cassette, isGrowing);
    if (this.#events.length > CHECKED_EVENTS_MAX) head.warnings.push(NOT_CHECKED);
    return head;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const NOT_CHECKED = `A session of more than ${CHECKED_EVENTS_MAX.toLocaleString('en')} events is not checked against the rules of the protocol here: use mcp-record lint.`;
