import type { CassetteEvent } from '../../cassette/cassette.ts';
import { OutcomeCorrelator } from '../../cassette/correlate/correlate-outcomes.ts';
import { IndexTable } from '../../cassette/correlate/index-to-index-map.ts';
import { isRefusal, RefusalFinder, refusedBy } from '../../cassette/correlate/refused-requests.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { isNotification, isRequest, type Params, paramsOf } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { printable } from '../../text-report/printable-text.ts';
import { outcomeOf, type Row, rowOfEntry } from '../../text-report/timeline-rows.ts';
import { EnclosingCalls } from './enclosing-calls.ts';
import { carriedOf, contentOf } from './entry-body-and-http-fields.ts';
import type { Item } from './report-data-types.ts';

/** Maximum length of a row's texts. The content has the full text. */
const DETAIL_MAX = 240;

/** Changes to existing items. */
export interface ItemChanges {
  /** Positions of requests with a new response or cancellation. */
  answered: Iterable<number>;
  /** Whether all items were rebuilt, because a message answered a request that HTTP had refused before. */
  isAnew: boolean;
}

/** Builds the items of a session from its events, also incrementally. */
export class SessionItems {
  items: Item[] = [];
  readonly #entries: SessionEntry[] = [];
  #correlator = correlatorOf(this.#entries);
  #refusals = new RefusalFinder(this.#correlator.links);
  #enclosing = new EnclosingCalls();
  #events = 0;

  /** Adds the next events of the session. */
  add(events: readonly CassetteEvent[]): ItemChanges {
    const first = this.#entries.length;
    for (const entry of eventsToEntries(events, { entry: first, event: this.#events })) this.#entries.push(entry);
    this.#events += events.length;
    const answered = this.#link(first);
    if (answered !== undefined) {
      this.#make(first, answered);
      return { answered, isAnew: false };
    }
    this.items = [];
    this.#correlator = correlatorOf(this.#entries);
    this.#refusals = new RefusalFinder(this.#correlator.links);
    this.#enclosing = new EnclosingCalls();
    // Correlates all entries before the refusals: a refused request with a later response is then known from the start.
    for (const entry of this.#entries) this.#correlator.pass(entry);
    for (const entry of this.#entries) this.#refusals.pass(entry);
    this.#make(0, []);
    return { answered: [], isAnew: true };
  }

  /**
   * Links entries from a position on, and returns the earlier requests that they answer. Undefined: one of these
   * requests counted as refused.
   */
  #link(first: number): Set<number> | undefined {
    const { links } = this.#correlator;
    const answered = new Set<number>();
    const fresh = this.#entries.slice(first);
    for (const entry of fresh) {
      this.#correlator.pass(entry);
      const request = links.requestOf.get(entry.index) ?? links.cancelledRequestOf.get(entry.index);
      if (request === undefined) continue;
      if (this.#refusals.refusals.has(request) && links.requestOf.has(entry.index)) return undefined;
      if (request < first) answered.add(request);
    }
    for (const entry of fresh) {
      for (const request of this.#refusals.pass(entry)) if (request < first) answered.add(request);
    }
    return answered;
  }

  #make(first: number, answered: Iterable<number>): void {
    const { links } = this.#correlator;
    const refused = refusedBy(this.#refusals.refusals);
    let firstOfEvent = first;
    for (const entry of this.#entries.slice(first)) {
      const { index } = entry;
      if (this.#entries[index - 1]?.event !== entry.event) firstOfEvent = index;
      const request =
        links.requestOf.get(index) ??
        links.progressRequestOf.get(index) ??
        links.cancelledRequestOf.get(index) ??
        refused.get(index);
      const answer = this.#answerOf(index);
      const cancel = links.cancelOf.get(index);
      const row = rowOfEntry(entry, {
        answer: answer === undefined ? undefined : this.#entries[answer],
        request: request === undefined ? undefined : this.#entries[request],
        isCancelled: cancel !== undefined,
      });
      const item = itemOf(entry, row, idOf(entry, firstOfEvent));
      if (answer !== undefined) item.answer = answer;
      if (cancel !== undefined) item.cancel = cancel;
      if (cancel !== undefined && answer === undefined) item.took = this.#entries[cancel]!.at - entry.at;
      if (request !== undefined) item.request = request;
      this.items.push(item);
      nameAfterRequest(item, this.items);
    }
    for (const earlier of answered) this.#answer(earlier);
    for (let index = first; index < this.items.length; index++) this.#enclosing.pass(index, this.items);
  }

  #answerOf(request: number): number | undefined {
    return this.#correlator.links.answerOf.get(request) ?? this.#refusals.refusals.get(request);
  }

  #linksOf(index: number): Pick<Item, 'answer' | 'cancel'> {
    const answer = this.#answerOf(index);
    const cancel = this.#correlator.links.cancelOf.get(index);
    return { ...(answer !== undefined && { answer }), ...(cancel !== undefined && { cancel }) };
  }

  #answer(request: number): void {
    const links = this.#linksOf(request);
    const answer = this.#entries[links.answer ?? -1];
    const cancel = this.#entries[links.cancel ?? -1];
    const asked = this.#entries[request]!;
    const outcome = outcomeOf(asked, answer, cancel !== undefined);
    if (cancel && answer === undefined) outcome.took = cancel.at - asked.at;
    Object.assign(this.items[request]!, outcome, links);
  }
}

/** Returns a correlator for entries that follow. Its tables grow with them. */
function correlatorOf(entries: readonly SessionEntry[]): OutcomeCorrelator {
  return new OutcomeCorrelator(entries, { answerOf: new IndexTable(), requestOf: new IndexTable() });
}

function itemOf(entry: SessionEntry, row: Row, id: string): Item {
  const { line, at, from, message, json, frame } = entry;
  const { kind, what, detail, bytes, fate, failed, took } = row;
  const isAsked = isRequest(message) || isNotification(message);
  const rpcId = json && scalarKeyAt(json, ['id']);
  const name = isAsked ? nameOf(paramsOf(message)) : undefined;
  const content = contentOf(entry);
  const carried = carriedOf(entry);
  // A session has as many items as events: assignments copy nothing, unlike spreads.
  const item: Item = { id, line, at, from, kind, what: shortened(what) };
  if (detail !== undefined) item.detail = shortened(detail);
  if (bytes !== undefined) item.bytes = bytes;
  if (isAsked) item.method = shortened(message.method);
  if (name !== undefined) item.name = shortened(name);
  if (rpcId !== undefined) item.rpcId = shortened(rpcId);
  if (frame.stream !== undefined) item.stream = frame.stream;
  if (fate) item.fate = fate;
  if (failed || isRefusal(entry)) item.failed = true;
  if (took !== undefined) item.took = took;
  if (content) item.content = content;
  if (carried !== undefined) item.carried = carried;
  return item;
}

/** Returns the beginning of a text, for a row. */
function shortened(text: string): string {
  return printable(text.slice(0, DETAIL_MAX));
}

/** Returns the anchor of an entry. Messages of a batch share a line: all but the first get a number. */
function idOf({ line, index }: SessionEntry, first: number): string {
  return first === index ? `line-${line}` : `line-${line}.${index - first + 1}`;
}

/** Copies method, name and id of the request, so that a search for a tool also finds the responses. */
function nameAfterRequest(item: Item, items: readonly Item[]): void {
  if (item.request === undefined) return;
  const request = items[item.request]!;
  item.method ??= request.method ?? '';
  if (item.name === undefined && request.name !== undefined) item.name = request.name;
  if (item.rpcId === undefined && request.rpcId !== undefined) item.rpcId = request.rpcId;
}

function nameOf(params: Params): string | undefined {
  const name = params.name ?? params.uri;
  return typeof name === 'string' ? name : undefined;
}
