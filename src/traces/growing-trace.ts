import type { CassetteEvent, Header } from '../cassette/cassette.ts';
import { CassetteFollower } from '../cassette/read/cassette-follower.ts';
import type { Span } from '../convert/otlp/otlp-types.ts';
import { SessionSpans } from '../convert/otlp/session-spans.ts';

export interface GrowingTraceOptions {
  /** Path of the cassette. */
  path: string;
  /** Start of the session, in milliseconds since 1970. */
  startedAt: number;
  /** See {@link SessionSpans}. */
  seed: string;
}

/** Number of bytes read at once. */
const SLICE_BYTES = 256 * 1024;

/** Spans of a cassette that a recorder is writing. */
export class GrowingTrace {
  readonly #options: GrowingTraceOptions;
  #follower: CassetteFollower;
  /** Header of the cassette. Kept here because the follower forgets the header while rereading an incomplete event. */
  #header: Header | undefined;
  #session: SessionSpans | undefined;
  /** Complete events that wait for the header. */
  readonly #sure: CassetteEvent[] = [];
  /** Last event of the file so far. The next read shows whether it was complete. */
  #latest: CassetteEvent[] = [];
  /** Whether the root span was returned. */
  #isOver = false;
  /** Number of events passed on to `#session`. */
  #passed = 0;
  /** Number of already known events at the start of the next reads. */
  #known = 0;

  constructor(options: GrowingTraceOptions) {
    this.#options = options;
    this.#follower = new CassetteFollower(options.path);
  }

  /** Continues with a renamed cassette. */
  rename(path: string): void {
    this.#follower = new CassetteFollower(path);
    this.#readAgain();
  }

  /** Whether the recording has ended and was read completely. */
  get isEnded(): boolean {
    return this.#follower.isEnded && !this.#follower.hasMore;
  }

  /** Whether the last read left events of the file for the next one. */
  get hasMore(): boolean {
    return this.#follower.hasMore;
  }

  /**
   * Reads new events of the file, up to a limit. Returns the spans that they end, and all that are left at the end of the
   * recording.
   * @throws McpRecordError as `loadCassette`
   */
  read(): Span[] {
    const { replacements, corrections } = this.#follower;
    const read = this.#follower.read(SLICE_BYTES);
    if (this.#follower.replacements > replacements) this.#readAgain();
    // The last event was incomplete, and comes again.
    else if (this.#follower.corrections > corrections) this.#latest = [];
    const skipped = Math.min(this.#known, read.length);
    this.#known -= skipped;
    const isChanged = read.length > skipped;
    // An event that no other follows counts as complete once the file did not change between two reads.
    const sure = isChanged ? [...this.#latest, ...read.slice(skipped, -1)] : this.#latest;
    this.#latest = isChanged ? read.slice(-1) : [];
    this.#header ??= this.#follower.header;
    const spans = this.#pass(sure);
    return this.isEnded ? [...spans, ...this.end()] : spans;
  }

  /** Ends the session, even if the recording goes on. Returns all spans that are left. */
  end(): Span[] {
    if (this.#isOver) return [];
    const spans = this.#pass(this.#latest);
    this.#latest = [];
    this.#isOver = true;
    return [...spans, ...(this.#session?.end() ?? [])];
  }

  #pass(events: readonly CassetteEvent[]): Span[] {
    this.#passed += events.length;
    for (const event of events) this.#sure.push(event);
    if (this.#header === undefined) return [];
    this.#session ??= new SessionSpans({ header: this.#header, ...this.#options });
    return this.#session.add(this.#sure.splice(0));
  }

  /** Expects the file from its beginning. */
  #readAgain(): void {
    this.#latest = [];
    this.#known = this.#passed;
  }
}
