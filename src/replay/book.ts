import type { Move } from '../cassette/moves.ts';
import type { Side } from '../channel/frame.ts';
import { type Identity, identityOf } from '../match/identity.ts';
import type { Ignore } from '../match/ignore.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest } from '../protocol/message.ts';
import { type Repeat, repeatOf } from '../protocol/methods.ts';
import { envelopeOf, type Refusal } from './refusal.ts';

/** A recorded request or notification of the live side. */
export interface Entry {
  move: Move;
  identity: Identity;
  /** What does not count in it alone. */
  ignore?: readonly Ignore[];
  repeat: Repeat;
  uses: number;
}

interface Page {
  entries: Entry[];
  /** Position of the entry that the next live request takes. */
  next: number;
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
}

/** What the live side said on tape, and how much of it has been said again: one book for each live session. */
export class Book {
  /** The first is the ordinary one; each further one leaves out more, as events of the tape ask for. */
  readonly #readings: [Reading, ...Reading[]];
  readonly #entries: Entry[] = [];
  readonly #byMethod = new Map<string, Page>();
  readonly #happened: (move: number) => boolean;
  /** Repeatable request → the move that must have happened before its answer may be used. */
  readonly #barriers = new Map<number, number>();
  /** What was refused for its envelope: it stands for whatever comes in the same, and for nothing else. */
  readonly #refused = new Map<string, Page>();
  readonly #refusals: ReadonlyMap<number, Refusal>;

  constructor({ moves, side, ignore = [], refusals = new Map(), happened }: BookOptions) {
    this.#readings = [{ ignore, pages: new Map() }];
    this.#happened = happened;
    this.#refusals = refusals;
    let barrier: number | undefined;
    for (const move of moves) {
      const { json, message, from, index } = move;
      if (json === undefined) continue;
      // Who carries messages looks at headers: what they were wrong in never gets here.
      if (refusals.get(index) === 'headers') continue;
      if (from === side && (isRequest(message) || isNotification(message))) this.#write(move, barrier);
      if (changesAnswers(move, side) && !refusals.has(index)) barrier = index;
    }
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
    for (const { ignore, pages } of this.#readings) {
      const page = pages.get(identityOf(live, ignore).key);
      const entry = page && this.#next(page);
      if (entry) return used(entry);
    }
    return undefined;
  }

  /** Whether the tape has what `live` stands for, be it used up. */
  holds(live: JsonText): boolean {
    return this.#readings.some(({ ignore, pages }) => pages.has(identityOf(live, ignore).key));
  }

  /** The next recorded message of `method` that nothing has taken, whatever its params. */
  takeNext(method: string): Entry | undefined {
    const page = this.#byMethod.get(method);
    const entry = page && untaken(page);
    return used(entry);
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
    const barrier = this.#barriers.get(next.move.index);
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

  #write(move: Move, barrier: number | undefined): void {
    const { ignore, pages } = this.#readingOf(move);
    const identity = identityOf(move.json!, ignore);
    const repeat = move.match?.repeat ?? repeatOf(identity.method);
    const entry: Entry = {
      move,
      identity,
      repeat,
      uses: 0,
      ...(move.match?.ignore && { ignore: move.match.ignore }),
    };
    this.#entries.push(entry);
    if (this.#refusals.has(move.index)) return enter(this.#refused, this.#keyInEnvelope(move.json!), entry);
    enter(pages, identity.key, entry);
    enter(this.#byMethod, identity.method, entry);
    if (barrier !== undefined) this.#barriers.set(move.index, barrier);
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
