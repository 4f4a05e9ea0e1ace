import type { Move, Said } from '../../cassette/correlate/session-entries.ts';
import type { Side } from '../../channel/frame.ts';
import { areSurelySame } from '../../match/fast-equal.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { type Identity, identityOf } from '../../match/request-identity.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isObject, isRequest } from '../../protocol/message.ts';
import { type Repeat, repeatOf } from '../../protocol/methods.ts';
import { envelopeOf, type Refusal } from '../plan/protocol-rejections.ts';
import { Entry } from './recorded-request.ts';

interface Page {
  entries: Entry[];
  /** Position of the entry that the next live request takes. */
  next: number;
}

/** All recorded messages of one method, in order. */
interface Chapter extends Page {
  /** Each is used once, and nothing is ignored, so that the next one may be found by comparing it. */
  isPlain: boolean;
  /** They stand on the pages of their identities. */
  isIndexed: boolean;
}

/** Recorded messages that are compared in one way. */
interface Reading {
  ignore: readonly Ignore[];
  pages: Map<string, Page>;
}

export interface BookOptions {
  moves: readonly Move[];
  /** The live side: whose recorded messages these are. */
  side: Side;
  ignore?: readonly Ignore[];
  /** Those that were refused for how they were asked, by their moves. */
  refusals?: ReadonlyMap<number, Refusal>;
  /** Whether a move of either side has happened in the live session. */
  happened(move: number): boolean;
  /** `last`: every answer repeats, unless its event says otherwise. Absent: as the protocol has it for the method. */
  repeat?: Repeat | undefined;
}

/** What the live side said on tape, and how much of it has been said again: one book for each live session. */
export class Book {
  /** The first is the ordinary one; each further one leaves out more, as events of the tape ask for. */
  readonly #readings: [Reading, ...Reading[]];
  readonly #entries: Entry[] = [];
  readonly #chapters = new Map<string, Chapter>();
  readonly #happened: (move: number) => boolean;
  /** What was refused for its envelope: it stands for whatever comes in the same, and for nothing else. */
  readonly #refused = new Map<string, Page>();
  readonly #refusals: ReadonlyMap<number, Refusal>;
  readonly #repeat: Repeat | undefined;

  constructor({ moves, side, ignore = [], refusals = new Map(), happened, repeat }: BookOptions) {
    this.#repeat = repeat;
    this.#readings = [{ ignore, pages: new Map() }];
    this.#happened = happened;
    this.#refusals = refusals;
    let barrier: number | undefined;
    for (const move of moves) {
      const { json, message, from, index } = move;
      if (json === undefined) continue;
      // Who carries messages looks at headers: what they were wrong in never gets here.
      if (refusals.get(index) === 'headers') continue;
      if (from === side && (isRequest(message) || isNotification(message)))
        this.#write(move as Said, message.method, barrier);
      if (changesAnswers(move, side) && !refusals.has(index)) barrier = index;
    }
    for (const chapter of this.#chapters.values()) if (!chapter.isPlain) this.#index(chapter);
  }

  /** Recorded requests and notifications, in order. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /**
   * The recorded message that `live` stands for, used up by this. Calls are used once, in recorded order. A list or
   * a poll moves on to its next answer when what preceded that answer on tape has happened; else its last one repeats.
   */
  take(live: JsonText): Entry | undefined {
    const refused = this.#refused.size > 0 ? this.#refused.get(this.#keyInEnvelope(live)) : undefined;
    if (refused) return used(this.#turn(refused));
    const chapter = this.#chapterOf(live);
    if (chapter === undefined) return undefined;
    const due = chapter.isPlain ? untaken(chapter) : undefined;
    if (due && areSurelySame(due.method, live, due.move.json)) return used(due);
    this.#index(chapter);
    for (const { ignore, pages } of this.#readings) {
      const page = pages.get(identityOf(live, ignore).key);
      const entry = page && this.#next(page);
      if (entry) return used(entry);
    }
    return undefined;
  }

  /** Whether `live` stands for the recorded message of `entry`. */
  isSame(entry: Entry, live: JsonText): boolean {
    const { ignore } = this.#readingOf(entry.move);
    return entry.method === this.#methodOf(live) && identityOf(live, ignore).key === entry.identity.key;
  }

  /** Whether the tape has what `live` stands for, be it used up. */
  holds(live: JsonText): boolean {
    const chapter = this.#chapterOf(live);
    if (chapter === undefined) return false;
    this.#index(chapter);
    return this.#readings.some(({ ignore, pages }) => pages.has(identityOf(live, ignore).key));
  }

  /** The next recorded message of `method` that nothing has taken, whatever its params. */
  takeNext(method: string): Entry | undefined {
    const chapter = this.#chapters.get(method);
    return used(chapter && untaken(chapter));
  }

  identify(json: NonNullable<Move['json']>): Identity {
    return identityOf(json, this.#readings[0].ignore);
  }

  #keyInEnvelope(json: JsonText): string {
    return `${this.identify(json).key} ${envelopeOf(json)}`;
  }

  #next(page: Page): Entry | undefined {
    const { repeat } = page.entries[Math.max(0, page.next - 1)]!;
    return repeat === 'last' ? this.#turn(page) : untaken(page);
  }

  #turn(page: Page): Entry | undefined {
    const next = page.entries[page.next];
    const current = page.entries[page.next - 1];
    if (next === undefined) return current;
    const { barrier } = next;
    if (current !== undefined && barrier !== undefined && !this.#happened(barrier)) return current;
    page.next++;
    return next;
  }

  /** How a recorded message is compared: as its event asks for, if it does. */
  #readingOf({ match }: Move): Reading {
    const [ordinary] = this.#readings;
    if (match?.ignore === undefined) return ordinary;
    const ignore = [...ordinary.ignore, ...match.ignore];
    const known = this.#readings.find((reading) => ignore.join() === reading.ignore.join());
    if (known) return known;
    const reading: Reading = { ignore, pages: new Map() };
    this.#readings.push(reading);
    return reading;
  }

  #write(move: Said, method: string, barrier: number | undefined): void {
    const { ignore } = this.#readingOf(move);
    const repeat = move.match?.repeat ?? this.#repeat ?? repeatOf(method);
    const isRefused = this.#refusals.has(move.index);
    const entry = new Entry({
      move,
      method,
      repeat,
      ignored: ignore,
      barrier: isRefused ? undefined : barrier,
    });
    this.#entries.push(entry);
    if (isRefused) return enter(this.#refused, this.#keyInEnvelope(move.json), entry);
    const isPlain = repeat === 'once' && ignore.length === 0;
    const chapter = this.#chapters.get(method);
    if (chapter === undefined) {
      this.#chapters.set(method, { entries: [entry], next: 0, isPlain, isIndexed: false });
      return;
    }
    chapter.entries.push(entry);
    chapter.isPlain &&= isPlain;
  }

  #chapterOf(live: JsonText): Chapter | undefined {
    return this.#chapters.get(this.#methodOf(live));
  }

  #methodOf({ value }: JsonText): string {
    return String(isObject(value) ? value.method : undefined);
  }

  /** Puts them where what is asked out of turn finds them. Most clients ask as they did on tape. */
  #index(chapter: Chapter): void {
    if (chapter.isIndexed) return;
    chapter.isIndexed = true;
    for (const entry of chapter.entries) enter(this.#readingOf(entry.move).pages, entry.identity.key, entry);
  }
}

function enter(pages: Map<string, Page>, key: string, entry: Entry): void {
  const page = pages.get(key);
  if (page) page.entries.push(entry);
  else pages.set(key, { entries: [entry], next: 0 });
}

function used<Taken extends Entry | undefined>(entry: Taken): Taken {
  if (entry) entry.uses++;
  return entry;
}

/** The next entry of `page` that nothing has taken, by this or by another way. */
function untaken(page: Page): Entry | undefined {
  while (page.next < page.entries.length && page.entries[page.next]!.uses > 0) page.next++;
  return page.entries[page.next];
}

/** A call of the live side may change what lists say; `list_changed` of the other side says that it did. */
function changesAnswers({ from, message }: Move, live: 'client' | 'server'): boolean {
  if (isRequest(message)) return from === live && repeatOf(message.method) === 'once';
  return from !== live && isNotification(message) && message.method.endsWith('/list_changed');
}
