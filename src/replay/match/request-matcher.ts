import type { MessageEntry, SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { Side } from '../../channel/frame.ts';
import { fastEqual } from '../../match/fast-equal.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { type Identity, identityOf } from '../../match/request-identity.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isObject, isRequest } from '../../protocol/message.ts';
import { type Repeat, repeatOf } from '../../protocol/methods.ts';
import { type ProtocolRejection, requestMetadata } from '../plan/protocol-rejections.ts';
import { RecordedRequest } from './recorded-request.ts';

interface MatchQueue {
  requests: RecordedRequest[];
  /** Position of the candidate that the next live request takes. */
  next: number;
}

/** All recorded messages of one method, in order. */
interface MethodQueue extends MatchQueue {
  /** Each is used once, and nothing is ignored, so that the next one may be found by comparing it. */
  isPlain: boolean;
  /** They stand on the pages of their identities. */
  isIndexed: boolean;
}

/** Recorded messages that are compared in one way. */
interface Comparison {
  ignore: readonly Ignore[];
  pages: Map<string, MatchQueue>;
}

export interface RequestMatcherOptions {
  entries: readonly SessionEntry[];
  /** The live side: whose recorded messages these are. */
  side: Side;
  ignore?: readonly Ignore[];
  /** Those that were refused for how they were asked, by their entries. */
  refusals?: ReadonlyMap<number, ProtocolRejection>;
  /** Whether an entry of either side has happened in the live session. */
  happened(entry: number): boolean;
  /** `last`: every answer repeats, unless its event says otherwise. Absent: as the protocol has it for the method. */
  repeat?: Repeat | undefined;
}

/** What the live side said in the cassette, and how much of it has been said again: one matcher for each live session. */
export class RequestMatcher {
  /** The first is the ordinary one; each further one leaves out more, as events of the cassette ask for. */
  readonly #readings: [Comparison, ...Comparison[]];
  readonly #requests: RecordedRequest[] = [];
  readonly #queues = new Map<string, MethodQueue>();
  readonly #happened: (entry: number) => boolean;
  /** What was refused for its envelope: it stands for whatever comes in the same, and for nothing else. */
  readonly #refused = new Map<string, MatchQueue>();
  readonly #refusals: ReadonlyMap<number, ProtocolRejection>;
  readonly #repeat: Repeat | undefined;

  constructor({ entries, side, ignore = [], refusals = new Map(), happened, repeat }: RequestMatcherOptions) {
    this.#repeat = repeat;
    this.#readings = [{ ignore, pages: new Map() }];
    this.#happened = happened;
    this.#refusals = refusals;
    let barrier: number | undefined;
    for (const entry of entries) {
      const { json, message, from, index } = entry;
      if (json === undefined) continue;
      // Who carries messages looks at headers: what they were wrong in never gets here.
      if (refusals.get(index) === 'headers') continue;
      if (from === side && (isRequest(message) || isNotification(message)))
        this.#write(entry as MessageEntry, message.method, barrier);
      if (changesAnswers(entry, side) && !refusals.has(index)) barrier = index;
    }
    for (const queue of this.#queues.values()) if (!queue.isPlain) this.#index(queue);
  }

  /** Recorded requests and notifications, in order. */
  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  /**
   * The recorded message that `live` stands for, used up by this. Calls are used once, in recorded order. A list or
   * a poll moves on to its next answer when what preceded that answer in the cassette has happened; else its last one repeats.
   */
  take(live: JsonText): RecordedRequest | undefined {
    const refused = this.#refused.size > 0 ? this.#refused.get(this.#keyInEnvelope(live)) : undefined;
    if (refused) return used(this.#turn(refused));
    const queue = this.#queueOf(live);
    if (queue === undefined) return undefined;
    const due = queue.isPlain ? untaken(queue) : undefined;
    if (due && fastEqual(due.method, live, due.entry.json)) return used(due);
    this.#index(queue);
    for (const { ignore, pages } of this.#readings) {
      const page = pages.get(identityOf(live, ignore).key);
      const candidate = page && this.#next(page);
      if (candidate) return used(candidate);
    }
    return undefined;
  }

  /** Whether `live` stands for the recorded message of `entry`. */
  isSame(candidate: RecordedRequest, live: JsonText): boolean {
    const { ignore } = this.#readingOf(candidate.entry);
    return candidate.method === this.#methodOf(live) && identityOf(live, ignore).key === candidate.identity.key;
  }

  /** Whether the cassette has what `live` stands for, be it used up. */
  holds(live: JsonText): boolean {
    const queue = this.#queueOf(live);
    if (queue === undefined) return false;
    this.#index(queue);
    return this.#readings.some(({ ignore, pages }) => pages.has(identityOf(live, ignore).key));
  }

  /** The next recorded message of `method` that nothing has taken, whatever its params. */
  takeNext(method: string): RecordedRequest | undefined {
    const queue = this.#queues.get(method);
    return used(queue && untaken(queue));
  }

  identify(json: NonNullable<SessionEntry['json']>): Identity {
    return identityOf(json, this.#readings[0].ignore);
  }

  #keyInEnvelope(json: JsonText): string {
    return `${this.identify(json).key} ${requestMetadata(json)}`;
  }

  #next(page: MatchQueue): RecordedRequest | undefined {
    const { repeat } = page.requests[Math.max(0, page.next - 1)]!;
    return repeat === 'last' ? this.#turn(page) : untaken(page);
  }

  #turn(page: MatchQueue): RecordedRequest | undefined {
    const next = page.requests[page.next];
    const current = page.requests[page.next - 1];
    if (next === undefined) return current;
    const { barrier } = next;
    if (current !== undefined && barrier !== undefined && !this.#happened(barrier)) return current;
    page.next++;
    return next;
  }

  /** How a recorded message is compared: as its event asks for, if it does. */
  #readingOf({ match }: SessionEntry): Comparison {
    const [ordinary] = this.#readings;
    if (match?.ignore === undefined) return ordinary;
    const ignore = [...ordinary.ignore, ...match.ignore];
    const known = this.#readings.find((reading) => ignore.join() === reading.ignore.join());
    if (known) return known;
    const reading: Comparison = { ignore, pages: new Map() };
    this.#readings.push(reading);
    return reading;
  }

  #write(entry: MessageEntry, method: string, barrier: number | undefined): void {
    const { ignore } = this.#readingOf(entry);
    const repeat = entry.match?.repeat ?? this.#repeat ?? repeatOf(method);
    const isRefused = this.#refusals.has(entry.index);
    const candidate = new RecordedRequest({
      entry,
      method,
      repeat,
      ignored: ignore,
      barrier: isRefused ? undefined : barrier,
    });
    this.#requests.push(candidate);
    if (isRefused) return enter(this.#refused, this.#keyInEnvelope(entry.json), candidate);
    const isPlain = repeat === 'once' && ignore.length === 0;
    const queue = this.#queues.get(method);
    if (queue === undefined) {
      this.#queues.set(method, { requests: [candidate], next: 0, isPlain, isIndexed: false });
      return;
    }
    queue.requests.push(candidate);
    queue.isPlain &&= isPlain;
  }

  #queueOf(live: JsonText): MethodQueue | undefined {
    return this.#queues.get(this.#methodOf(live));
  }

  #methodOf({ value }: JsonText): string {
    return String(isObject(value) ? value.method : undefined);
  }

  /** Puts them where what is asked out of turn finds them. Most clients ask as they did in the cassette. */
  #index(queue: MethodQueue): void {
    if (queue.isIndexed) return;
    queue.isIndexed = true;
    for (const candidate of queue.requests)
      enter(this.#readingOf(candidate.entry).pages, candidate.identity.key, candidate);
  }
}

function enter(pages: Map<string, MatchQueue>, key: string, candidate: RecordedRequest): void {
  const page = pages.get(key);
  if (page) page.requests.push(candidate);
  else pages.set(key, { requests: [candidate], next: 0 });
}

function used<Taken extends RecordedRequest | undefined>(candidate: Taken): Taken {
  if (candidate) candidate.uses++;
  return candidate;
}

/** The next candidate of `page` that nothing has taken, by this or by another way. */
function untaken(page: MatchQueue): RecordedRequest | undefined {
  while (page.next < page.requests.length && page.requests[page.next]!.uses > 0) page.next++;
  return page.requests[page.next];
}

/** A call of the live side may change what lists say; `list_changed` of the other side says that it did. */
function changesAnswers({ from, message }: SessionEntry, live: 'client' | 'server'): boolean {
  if (isRequest(message)) return from === live && repeatOf(message.method) === 'once';
  return from !== live && isNotification(message) && message.method.endsWith('/list_changed');
}
