import { statSync } from 'node:fs';
import { type Cassette, type CassetteEvent, FORMAT, type Header, TITLE } from '../../cassette/cassette.ts';
import { CassetteFollower } from '../../cassette/read/cassette-follower.ts';
import { cannotOpen, loadCassette } from '../../cassette/read/load-cassette.ts';
import { mayBeForeign, parseCassette } from '../../cassette/read/parse-cassette.ts';
import type { CassetteState, ShownProblem } from '../../html-report/data/live-page-protocol.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { fileSize, readNamedText } from '../../kernel/read-regular-file.ts';
import { printable, printableLines } from '../../text-report/printable-text.ts';
import { fileVersion } from './file-version.ts';

/**
 * Number of bytes read in one turn of the event loop. A page gets about one update of this length in each turn, so that
 * the browser works on a part while the next one is read.
 */
const SLICE_BYTES = 128 * 1024;
/** Time without new events after which a recording without an end counts as unfinished. */
const SILENCE_MAX: Milliseconds = 60_000;

/** The result of one read. */
export interface CassetteNews {
  events: readonly CassetteEvent[];
  /** Whether earlier events are invalid: the page discards them. */
  isAnew: boolean;
  /** Whether the next slice is already available. */
  hasMore: boolean;
}

/**
 * Reader of a cassette that may still grow, slice by slice. A replaced, removed or damaged file gives a state instead
 * of an error. A handwritten cassette, or one in a formatter's layout, is read completely after each change.
 */
export class GrowingCassette {
  readonly file: string;
  problem: ShownProblem | undefined;
  bytes = 0;
  /** Modification time of the file. Undefined before the first read. */
  changed: Date | undefined;
  /** Version of the file before the last read. */
  version = '';
  /** Number of times that another file replaced this one. */
  replacements = 0;
  #follower: CassetteFollower | undefined;
  #byHand: Cassette | undefined;
  #wasRead = false;
  #isRemoved = false;

  constructor(file: string) {
    this.file = file;
  }

  get header(): Header {
    return this.#byHand?.header ?? this.#follower?.header ?? { format: FORMAT, transport: 'stdio' };
  }

  get end(): string | undefined {
    return this.#byHand?.end ?? this.#follower?.end;
  }

  get warnings(): readonly string[] {
    return this.#byHand?.warnings ?? [];
  }

  /** Returns the state of the recording at a time in milliseconds since 1970. */
  stateAt(now: number): CassetteState {
    if (this.#isRemoved) return 'removed';
    if (this.problem) return this.problem.code === 'CASSETTE_NOT_RECOGNIZED' ? 'foreign' : 'damaged';
    if (this.end !== undefined) return 'ended';
    if (this.#byHand) return 'by-hand';
    return now - (this.changed?.getTime() ?? 0) < SILENCE_MAX ? 'growing' : 'unfinished';
  }

  /** Reads the next slice of new events. */
  read(): CassetteNews {
    const wasRemoved = this.#isRemoved;
    const events: CassetteEvent[] = [];
    try {
      this.bytes = fileSize(this.file);
      this.changed = statSync(this.file).mtime;
      this.version = fileVersion(this.file);
      this.#isRemoved = false;
      const news = this.#readOn(events);
      if (wasRemoved) this.replacements += 1;
      this.problem = undefined;
      return news;
    } catch (error) {
      const isAnew = this.#isFirstReading();
      this.#forget();
      if (isGone(error)) this.#isRemoved = true;
      else this.problem = problemOf(error instanceof McpRecordError ? error : cannotOpen(this.file, error));
      return { events, isAnew, hasMore: false };
    }
  }

  #readOn(events: CassetteEvent[]): CassetteNews {
    this.#follower ??= new CassetteFollower(this.file);
    const { replacements, corrections } = this.#follower;
    try {
      this.#follower.read(SLICE_BYTES, events);
    } catch (error) {
      if (!mayBeForeign(error)) throw error;
      return this.#readWhole();
    }
    const isReplaced = this.#follower.replacements > replacements;
    if (isReplaced) this.replacements += 1;
    const { header, hasMore } = this.#follower;
    const isOther = header === undefined ? !hasMore && !this.#isBegun() : header.recorder === undefined;
    if (isOther) return this.#readWhole();
    const isAnew = this.#isFirstReading() || isReplaced || this.#byHand !== undefined;
    this.#byHand = undefined;
    // The follower corrects an incomplete event, so all events are read again.
    if (this.#follower.corrections > corrections) {
      this.#follower = new CassetteFollower(this.file);
      return { events: this.#follower.read(SLICE_BYTES), isAnew: true, hasMore: this.#follower.hasMore };
    }
    return { events, isAnew, hasMore };
  }

  #readWhole(): CassetteNews {
    this.#byHand = loadCassette(this.file);
    this.#follower = undefined;
    this.#wasRead = true;
    return { events: this.#byHand.events, isAnew: true, hasMore: false };
  }

  /** Reports whether earlier reads returned no events, or an error discarded them. */
  #isFirstReading(): boolean {
    const isFirst = !this.#wasRead;
    this.#wasRead = true;
    return isFirst;
  }

  #forget(): void {
    this.#follower = undefined;
    this.#byHand = undefined;
    this.#wasRead = false;
  }

  /**
   * Reports whether the file contains only a recorder's header so far. A recording in another layout also parses, but
   * has events.
   */
  #isBegun(): boolean {
    const text = readNamedText(this.file);
    if (TITLE.startsWith(text)) return true;
    return text.startsWith(TITLE) && parseCassette(text, this.file).events.length === 0;
  }
}

function isGone(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'CASSETTE_NOT_FOUND' || code === 'ENOENT';
}

function problemOf({ problem }: McpRecordError): ShownProblem {
  const { code, what, why, next, place } = problem;
  const at = place === undefined ? '' : ` (line ${place.line})`;
  return { code, message: printable(`${what}: ${why}${at}.`), next: printableLines(next) };
}
