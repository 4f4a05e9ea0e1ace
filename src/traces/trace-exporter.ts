import type { Creator, Span } from '../convert/otlp/otlp-types.ts';
import type { Cancel, Clock, Milliseconds } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import { GrowingTrace, type GrowingTraceOptions } from './growing-trace.ts';
import type { OtlpTarget } from './otlp-target.ts';
import { type PostOutcome, postSpans } from './post-spans.ts';

/** Numbers of spans, when an exporter ends. */
export interface ExportTotals {
  sent: number;
  /** Spans that the collector refused. */
  refused: number;
  /** Whether spans are left that were not sent. */
  isCut: boolean;
}

export interface TraceExporterOptions {
  target: OtlpTarget;
  creator: Creator;
  clock: Clock;
  /** Called once, with the reason, when spans cannot be sent for the first time. */
  failed(why: string): void;
}

/** Time between two readings of the cassettes. */
const INTERVAL: Milliseconds = 1_000;
/** Maximum number of spans in a request, and that wait. Beyond that, cassettes are read later. As in OpenTelemetry's SDKs. */
const BATCH_MAX = 512;
export const QUEUE_MAX = 2_048;
/** Time for a collector to answer. */
const ANSWER_MS_MAX: Milliseconds = 10_000;
/** Pause after a failure. Each further one doubles it. */
const PAUSE_MIN: Milliseconds = 1_000;
const PAUSE_MAX: Milliseconds = 30_000;
/** Time to send the rest at the end. The official SDKs give a server two seconds to end. */
export const END_MS_MAX: Milliseconds = 1_500;
const SECOND: Milliseconds = 1_000;

/**
 * Exporter of cassettes while they are recorded: reads their new events, and sends the spans that these end. A cassette
 * waits on the disk until the collector takes more, so that few spans are held in memory.
 */
export class TraceExporter {
  readonly #options: TraceExporterOptions;
  readonly #traces = new Map<number, GrowingTrace>();
  readonly #totals: ExportTotals = { sent: 0, refused: 0, isCut: false };
  readonly #aborted = new AbortController();
  #queue: Span[] = [];
  #pause: Milliseconds = 0;
  #hasFailed = false;
  #isEnding = false;
  #cancelWait: Cancel = () => {};
  #running: Promise<void> | undefined;

  constructor(options: TraceExporterOptions) {
    this.#options = options;
  }

  /** Number of spans that wait in memory. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Adds a cassette. `id` names it in later calls. */
  open(id: number, cassette: GrowingTraceOptions): void {
    this.#traces.set(id, new GrowingTrace(cassette));
    this.#running ??= this.#run();
  }

  /** Goes on with a cassette that was renamed. */
  rename(id: number, path: string): void {
    this.#traces.get(id)?.rename(path);
  }

  /** Ends all cassettes and sends the rest of their spans, within {@link END_MS_MAX}. */
  async end(): Promise<ExportTotals> {
    this.#isEnding = true;
    const cancel = this.#options.clock.after(END_MS_MAX, () => this.#aborted.abort());
    this.#cancelWait();
    await this.#running;
    const isSent = await this.#sendAll();
    cancel();
    this.#totals.isCut ||= !isSent;
    return this.#totals;
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#isEnding) {
      await new Promise<void>((resolve) => {
        const stop = clock.after(Math.max(INTERVAL, this.#pause), resolve);
        this.#cancelWait = () => {
          stop();
          resolve();
        };
      });
      if (!this.#isEnding) await this.#sendAll();
    }
  }

  /** Reads and sends until nothing is left. False: something is, because the collector failed. */
  async #sendAll(): Promise<boolean> {
    for (;;) {
      const isRead = this.#read();
      if (this.#queue.length === 0 && isRead) return true;
      if (this.#aborted.signal.aborted) return false;
      const batch = this.#queue.slice(0, BATCH_MAX);
      if (batch.length > 0 && !this.#take(batch.length, await this.#post(batch))) return false;
    }
  }

  /** Reads new events while the queue has room. True: all were read. */
  #read(): boolean {
    let isRead = true;
    for (const [id, trace] of this.#traces) {
      if (this.#queue.length >= QUEUE_MAX) return false;
      try {
        this.#queue.push(...trace.read());
        isRead &&= !trace.hasMore;
        if (trace.isEnded) this.#traces.delete(id);
        else if (this.#isEnding && !trace.hasMore) {
          this.#queue.push(...trace.end());
          this.#traces.delete(id);
        }
      } catch (error) {
        this.#traces.delete(id);
        this.#totals.isCut = true;
        this.#fail(`the cassette cannot be read: ${messageOf(error)}`);
      }
    }
    return isRead;
  }

  async #post(batch: readonly Span[]): Promise<PostOutcome> {
    const { target, creator, clock } = this.#options;
    const late = new AbortController();
    const cancel = clock.after(ANSWER_MS_MAX, () => late.abort());
    const outcome = await postSpans(target, batch, creator, AbortSignal.any([late.signal, this.#aborted.signal]));
    cancel();
    return outcome;
  }

  /** Counts what became of the first spans of the queue. False: they are to be sent later. */
  #take(count: number, outcome: PostOutcome): boolean {
    if (outcome.kind === 'later') {
      const after = Math.min((outcome.afterSeconds ?? 0) * SECOND, PAUSE_MAX);
      this.#pause = Math.max(after, Math.min(this.#pause * 2 || PAUSE_MIN, PAUSE_MAX));
      this.#fail(outcome.why);
      return false;
    }
    this.#pause = 0;
    this.#queue = this.#queue.slice(count);
    const refused = outcome.kind === 'refused' ? count : Math.min(outcome.refused, count);
    this.#totals.refused += refused;
    this.#totals.sent += count - refused;
    if (outcome.why !== undefined) this.#fail(outcome.why);
    return true;
  }

  #fail(why: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#options.failed(why);
  }
}
