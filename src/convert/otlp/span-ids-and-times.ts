import { createHash } from 'node:crypto';
import type { Milliseconds } from '../../kernel/clock.ts';

/** Lengths of ids in hex digits. */
const TRACE_ID_LENGTH = 32;
const SPAN_ID_LENGTH = 16;
const NANOSECONDS_PER_MS = 1_000_000;

/** Bits of `Span.flags`: where the parent is, the flags of W3C Trace Context, and that one of them that keeps a trace. */
export const FLAGS = { localParent: 0x100, remoteParent: 0x300, trace: 0xff, sampled: 1 } as const;

/** Source of the ids and times of one session. Equal seeds give equal ids. */
export class SpanIdsAndTimes {
  readonly traceId: string;
  /** Id of the root span. */
  readonly rootId: string;
  readonly #seed: string;
  readonly #startedAt: number;

  /** `startedAt` is in milliseconds since 1970. */
  constructor(seed: string, startedAt: number) {
    this.#seed = seed;
    this.#startedAt = startedAt;
    this.traceId = this.#hash('trace').slice(0, TRACE_ID_LENGTH);
    this.rootId = this.spanId('root');
  }

  /** Returns the id of the span of an entry. */
  spanId(entry: number | 'root'): string {
    return this.#hash(`span ${entry}`).slice(0, SPAN_ID_LENGTH);
  }

  /** Returns a time of the session in nanoseconds since 1970. */
  nanoseconds(at: Milliseconds): string {
    const start = BigInt(Math.round(this.#startedAt)) * BigInt(NANOSECONDS_PER_MS);
    return String(start + BigInt(Math.round(at * NANOSECONDS_PER_MS)));
  }

  #hash(name: string): string {
    return createHash('sha256').update(`${this.#seed}\n${name}`).digest('hex');
  }
}
