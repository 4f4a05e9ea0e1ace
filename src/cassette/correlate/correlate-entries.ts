import { otherSide, type Side } from '../../channel/frame.ts';
import { isNotification, isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { CassetteEvent } from '../cassette.ts';
import { type IndexMap, IndexTable } from './index-to-index-map.ts';
import { RequestIndex } from './request-index.ts';
import { ResumedStreams } from './resumed-streams.ts';
import { entriesOf, type SessionEntry } from './session-entries.ts';

/** Links between related entries of a session, by index. */
export interface Links {
  /** Request → its response. Absent: it was never answered. */
  answerOf: IndexMap;
  /** Response → its request. Absent: the response answers no request. */
  requestOf: IndexMap;
  /** Request → the first `notifications/cancelled` from its sender that names it. */
  cancelOf: Map<number, number>;
  /** Cancellation → the request that it names, for every cancellation. */
  cancelledBy: Map<number, number>;
  /** `notifications/progress` → the request with its token. */
  progressOf: Map<number, number>;
  /** Request → its progress notifications, in order. */
  progressBy: Map<number, number[]>;
}

/**
 * Links entries by conversation, id and direction. Each side has separate ids, and so has each HTTP client: several clients may use one id at once.
 * An id may be reused once its request was answered. A response therefore belongs to the latest open request with its id (JSON-RPC 2.0; MCP "Base
 * protocol"): of the same conversation, otherwise of any. Clients answer in separate exchanges, and servers send messages of other conversations on a
 * resumed stream.
 */
export function correlateEntries(entries: readonly SessionEntry[]): Links {
  const links: Links = {
    answerOf: new IndexTable(entries.length),
    requestOf: new IndexTable(entries.length),
    cancelOf: new Map(),
    cancelledBy: new Map(),
    progressOf: new Map(),
    progressBy: new Map(),
  };
  const conversations = new ResumedStreams();
  const asked: Record<Side, Asked> = {
    client: warningOfNoRequests(entries, 'client'),
    server: warningOfNoRequests(entries, 'server'),
  };
  const homeOf = (index: number) => conversations.of(entries[index]!.frame);

  for (const entry of entries) {
    const { index, from, json, message } = entry;
    conversations.pass(entry);
    if (json === undefined) continue;
    const home = conversations.of(entry.frame);
    if (isRequest(message)) {
      const { open, tokens } = asked[from];
      open.add(scalarKeyAt(json, ID)!, home, index);
      const token = scalarKeyAt(json, MINTED_TOKEN);
      if (token !== undefined) tokens.add(token, home, index);
    } else if (isResponse(message)) {
      const { open } = asked[otherSide(from)];
      const id = scalarKeyAt(json, ID) ?? NO_ID;
      const request = open.in(id, home) ?? open.latest(id);
      if (request === undefined) continue;
      open.remove(id, homeOf(request));
      links.answerOf.set(request, index);
      links.requestOf.set(index, request);
    } else if (isNotification(message) && message.method === 'notifications/cancelled') {
      const { open, all } = asked[from];
      const id = scalarKeyAt(json, CANCELLED) ?? NO_ID;
      const isNew = (request: number) => !links.cancelOf.has(request);
      const request =
        open.in(id, home) ??
        // With two clients using one id, the canceller has closed its stream or will close it soon.
        open.latest(id, (one) => isNew(one) && conversations.isLeft(homeOf(one))) ??
        open.latest(id, isNew) ??
        open.latest(id) ??
        all.before(index, id);
      if (request === undefined) continue;
      links.cancelledBy.set(index, request);
      if (!links.cancelOf.has(request)) links.cancelOf.set(request, index);
    } else if (isNotification(message) && message.method === 'notifications/progress') {
      const { tokens } = asked[otherSide(from)];
      const token = scalarKeyAt(json, TOKEN) ?? NO_ID;
      const request = tokens.in(token, home) ?? tokens.latest(token);
      if (request === undefined) continue;
      links.progressOf.set(index, request);
      const reports = links.progressBy.get(request);
      if (reports) reports.push(index);
      else links.progressBy.set(request, [index]);
    }
  }
  return links;
}

const ID = ['id'];
const MINTED_TOKEN = ['params', '_meta', 'progressToken'];
const TOKEN = ['params', 'progressToken'];
const CANCELLED = ['params', 'requestId'];

/** Key that no token has. */
const NO_ID = '';

/** Requests of one side so far. */
interface Asked {
  /** Unanswered requests by id. */
  open: RequestIndex;
  all: AllRequests;
  /** Requests by progress token. */
  tokens: RequestIndex;
}

function warningOfNoRequests(entries: readonly SessionEntry[], from: Side): Asked {
  return { open: new RequestIndex(), all: new AllRequests(entries, from), tokens: new RequestIndex() };
}

/** All requests of one side by id, including answered ones. The index is built only on demand, because cancelling an answered request is rare. */
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
  const entries = entriesOf(events);
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
    cancelledBy: byEvent(links.cancelledBy),
    progressOf: byEvent(links.progressOf),
    progressBy: new Map([...links.progressBy].map(([a, all]) => [eventOf(a), all.map(eventOf)])),
  };
}
