import { otherSide, type Side } from '../../channel/frame.ts';
import { isNotification, isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { CassetteEvent } from '../cassette.ts';
import { eventsToEntries, type SessionEntry } from '../split-batches-into-entries.ts';
import { type IndexMap, IndexTable } from './index-to-index-map.ts';
import { RequestIndex } from './request-index.ts';
import { ResumedStreams } from './resumed-streams.ts';

/** Links between related entries of a session, by index. */
export interface Links {
  /** Request → its response. Absent: it was never answered. */
  answerOf: IndexMap;
  /** Response → its request. Absent: the response answers no request. */
  requestOf: IndexMap;
  /** Request → the first `notifications/cancelled` of the same side that names the request. */
  cancelOf: Map<number, number>;
  /** Cancellation → the request that it names, for every cancellation. */
  cancelledRequestOf: Map<number, number>;
  /** `notifications/progress` → the request with its token. */
  progressRequestOf: Map<number, number>;
  /** Request → its progress notifications, in order. */
  progressOf: Map<number, number[]>;
}

/** Returns the links between the entries of a whole session. */
export function correlateEntries(entries: readonly SessionEntry[]): Links {
  const { length } = entries;
  const correlator = new EntryCorrelator(entries, {
    answerOf: new IndexTable(length),
    requestOf: new IndexTable(length),
  });
  for (const entry of entries) correlator.pass(entry);
  return correlator.links;
}

/**
 * Links entries by conversation, id and direction: each side has its own id space, and so has each client over HTTP,
 * where several may use one id at once. An id may be used again once its request was answered, so a response belongs to
 * the latest open request with its id (JSON-RPC 2.0; MCP "Base protocol"): of its conversation, else of any. Clients
 * answer in exchanges of their own, and servers bring on a resumed stream what belongs to others, too.
 */
export class EntryCorrelator {
  readonly links: Links;
  readonly #entries: readonly SessionEntry[];
  readonly #conversations = new ResumedStreams();
  readonly #asked: Record<Side, Asked>;

  /** Takes the list that entries stand in when they are passed. It may grow meanwhile, as the default maps can. */
  constructor(
    entries: readonly SessionEntry[],
    { answerOf, requestOf }: Pick<Links, 'answerOf' | 'requestOf'> = { answerOf: new Map(), requestOf: new Map() },
  ) {
    this.#entries = entries;
    this.links = {
      answerOf,
      requestOf,
      cancelOf: new Map(),
      cancelledRequestOf: new Map(),
      progressRequestOf: new Map(),
      progressOf: new Map(),
    };
    this.#asked = { client: nothingAsked(entries, 'client'), server: nothingAsked(entries, 'server') };
  }

  /** Links the next entry with earlier entries. */
  pass(entry: SessionEntry): void {
    const { links } = this;
    const { index, from, json, message } = entry;
    this.#conversations.add(entry);
    if (json === undefined) return;
    const home = this.#conversations.of(entry.frame);
    if (isRequest(message)) {
      const { open, tokens } = this.#asked[from];
      open.add(scalarKeyAt(json, ID)!, home, index);
      const token = scalarKeyAt(json, MINTED_TOKEN);
      if (token !== undefined) tokens.add(token, home, index);
    } else if (isResponse(message)) {
      const { open } = this.#asked[otherSide(from)];
      const id = scalarKeyAt(json, ID) ?? NO_ID;
      const request = open.in(id, home) ?? open.latest(id);
      if (request === undefined) return;
      open.remove(id, this.#homeOf(request));
      links.answerOf.set(request, index);
      links.requestOf.set(index, request);
    } else if (isNotification(message) && message.method === 'notifications/cancelled') {
      const request = this.#cancelledRequest(entry, scalarKeyAt(json, CANCELLED) ?? NO_ID);
      if (request === undefined) return;
      links.cancelledRequestOf.set(index, request);
      if (!links.cancelOf.has(request)) links.cancelOf.set(request, index);
    } else if (isNotification(message) && message.method === 'notifications/progress') {
      const { tokens } = this.#asked[otherSide(from)];
      const token = scalarKeyAt(json, TOKEN) ?? NO_ID;
      const request = tokens.in(token, home) ?? tokens.latest(token);
      if (request === undefined) return;
      links.progressRequestOf.set(index, request);
      const reports = links.progressOf.get(request);
      if (reports) reports.push(index);
      else links.progressOf.set(request, [index]);
    }
  }

  #cancelledRequest({ index, from, frame }: SessionEntry, id: string): number | undefined {
    const { open, all } = this.#asked[from];
    const isNew = (request: number) => !this.links.cancelOf.has(request);
    return (
      open.in(id, this.#conversations.of(frame)) ??
      // If several clients use this id, the cancelled request is most likely one whose stream its client has left.
      open.latest(id, (one) => isNew(one) && this.#conversations.isClosedByClient(this.#homeOf(one))) ??
      open.latest(id, isNew) ??
      open.latest(id) ??
      all.before(index, id)
    );
  }

  #homeOf(index: number) {
    return this.#conversations.of(this.#entries[index]!.frame);
  }
}

const ID = ['id'];
const MINTED_TOKEN = ['params', '_meta', 'progressToken'];
const TOKEN = ['params', 'progressToken'];
const CANCELLED = ['params', 'requestId'];

/** Key that equals no token. */
const NO_ID = '';

/** Requests of one side so far. */
interface Asked {
  /** Unanswered requests by id. */
  open: RequestIndex;
  all: AllRequests;
  /** Requests by progress token. */
  tokens: RequestIndex;
}

function nothingAsked(entries: readonly SessionEntry[], from: Side): Asked {
  return { open: new RequestIndex(), all: new AllRequests(entries, from), tokens: new RequestIndex() };
}

/**
 * All requests of one side by id, including answered ones. The index is built only on demand, because cancelling an
 * answered request is rare.
 */
class AllRequests {
  readonly #entries: readonly SessionEntry[];
  readonly #from: Side;
  readonly #latest = new Map<string, number>();
  #passed = 0;

  constructor(entries: readonly SessionEntry[], from: Side) {
    this.#entries = entries;
    this.#from = from;
  }

  /** Returns the latest request with this id before the entry at `index`. Queries must come in ascending order. */
  before(index: number, id: string): number | undefined {
    for (; this.#passed < index; this.#passed++) {
      const { from, json, message } = this.#entries[this.#passed]!;
      if (from === this.#from && isRequest(message)) this.#latest.set(scalarKeyAt(json!, ID)!, this.#passed);
    }
    return this.#latest.get(id);
  }
}

/** Returns the links by event index instead of entry index. A batch counts as one event. */
export function correlate(events: readonly CassetteEvent[]): Links {
  const entries = eventsToEntries(events);
  const links = correlateEntries(entries);
  const eventOf = (index: number) => entries[index]!.event;
  // Sorted by the later event: for a batch, the last answer counts.
  const byEvent = (positions: IndexMap) =>
    new Map(
      [...positions]
        .sort((one, other) => Math.max(...one) - Math.max(...other))
        .map(([a, b]) => [eventOf(a), eventOf(b)]),
    );
  return {
    answerOf: byEvent(links.answerOf),
    requestOf: byEvent(links.requestOf),
    cancelOf: byEvent(links.cancelOf),
    cancelledRequestOf: byEvent(links.cancelledRequestOf),
    progressRequestOf: byEvent(links.progressRequestOf),
    progressOf: new Map([...links.progressOf].map(([a, all]) => [eventOf(a), all.map(eventOf)])),
  };
}
