import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { type Item, itemsOf } from '../../contract/compare-item-lists.ts';
import { joinLists } from '../../contract/joined-lists.ts';
import { valueWithoutIgnored } from '../../contract/value-without-ignored.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { type Ignore, rulesAsWritten, without } from '../../match/ignore-rules.ts';
import { identityOf } from '../../match/request-identity.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import { isObject, isRequest, resultOf } from '../../protocol/message.ts';
import { collectedField, isContinued, isPoll, LISTS } from '../../protocol/method-table.ts';
import { isEndlessList } from '../../replay/player/send-extra-polls-and-pages.ts';
import type { Exchange, ServerRun } from '../run/run-recorded-client.ts';
import { errorBodies } from './compare-http-refusals.ts';

/** A live server's answer to one recorded request, or to all page requests of one list. */
export interface Answer {
  /** The request. For a list, the first page's request. */
  request: SessionEntry;
  /** The exchange, or one for each live page. */
  exchanges: Exchange[];
  /** Compared value; for a list, its joined pages; for an HTTP error, its JSON body. Undefined if the cassette has none. */
  recorded: unknown;
  live: unknown;
  /** Total duration of all pages. */
  duration: Milliseconds;
  /** Number of recorded pages after the end of the live list. */
  pagesLeft: number;
}

export interface Answers {
  answers: Answer[];
  /** Recorded requests without a live answer. */
  unanswered: SessionEntry[];
}

/**
 * Gathers the live answers. The page boundaries of lists, and the poll that delivers an event, are up to the server.
 * Therefore pages of a list are joined, and so are polls for events. Recorded pages beyond the live list are not
 * missing, because they were never requested.
 */
export function gatherAnswers(run: ServerRun, ignore: readonly Ignore[]): Answers {
  const answers: Answer[] = [];
  /** The open list and its latest recorded page, by key. */
  const lists = new Map<string, { answer: Answer; page: SessionEntry }>();
  const polled = new Map(run.exchanges.map((exchange) => [exchange.request, exchange]));
  for (const exchange of run.exchanges) {
    const { request, duration } = exchange;
    // How often a task is asked for depends on its speed: the last answer counts.
    if (isTaskPoll(request) && polled.get(request) !== exchange) continue;
    const rules = withOwnRules(ignore, request, exchange.recorded);
    const compared = errorBodies(exchange) ?? { recorded: exchange.recorded?.json, live: exchange.live };
    const recorded = valueWithoutIgnored(compared.recorded, rules);
    const live = valueWithoutIgnored(compared.live, rules);
    const { method, key, isLater } = pageOf(request);
    const list = lists.get(key);
    if (list && (isLater || list.page === request)) {
      const { answer } = list;
      if (list.page !== request) answer.recorded = joinLists(method, answer.recorded, recorded);
      answer.live = joinLists(method, answer.live, live);
      answer.duration += duration;
      answer.exchanges.push(exchange);
      list.page = request;
      continue;
    }
    const answer: Answer = { request, exchanges: [exchange], recorded, live, duration, pagesLeft: 0 };
    answers.push(answer);
    if (collectedField(method) !== undefined) lists.set(key, { answer, page: request });
  }

  const { links, entries } = run.plan;
  const unanswered = run.unanswered.filter((request) => {
    const { method, key, isLater } = pageOf(request);
    const answer = answers.findLast((one) => pageOf(one.request).key === key && one.request.index < request.index);
    if (run.sentRequests.has(request.index) || !isLater || answer === undefined || hasMore(answer)) return true;
    const recorded = entries[links.answerOf.get(request.index)!];
    const page = valueWithoutIgnored(recorded?.json, withOwnRules(ignore, request, recorded));
    answer.recorded = joinLists(method, answer.recorded, page);
    answer.pagesLeft++;
    return false;
  });
  return { answers, unanswered };
}

/**
 * Returns the live server's answer once it is complete: immediately, or for a list after its last page. Undefined while
 * more pages or polls may follow.
 */
export function gatherAnswer(exchange: Exchange, driven: ServerRun, ignore: readonly Ignore[]): Answer | undefined {
  const { method, key } = pageOf(exchange.request);
  if (isPoll(method)) return undefined;
  if (collectedField(method) === undefined) {
    return gatherAnswers({ ...driven, exchanges: [exchange], unanswered: [] }, ignore).answers[0];
  }
  const { entries, links } = driven.plan;
  const exchanges = driven.exchanges.filter(({ request }) => pageOf(request).key === key);
  const answered = new Set(exchanges.map(({ request }) => request.index));
  const unanswered = [...links.answerOf.keys()]
    .map((index) => entries[index]!)
    .filter((entry) => entry.from === 'client' && !answered.has(entry.index) && pageOf(entry).key === key);
  const answer = gatherAnswers({ ...driven, exchanges, unanswered }, ignore).answers.at(-1);
  return answer && !hasMore(answer) ? answer : undefined;
}

/** Reports whether each live page of a list has a recorded counterpart. Answers other than lists have one page. */
export function hasPagesAsRecorded({ exchanges, pagesLeft }: Answer): boolean {
  return new Set(exchanges.map(({ request }) => request)).size === exchanges.length && pagesLeft === 0;
}

/** Reports whether a live list repeats its pages, so that no client reaches its end. */
export function isEndless({ exchanges }: Answer): boolean {
  const last = exchanges.at(-1);
  if (last === undefined || isPoll(pageOf(last.request).method)) return false;
  const pages = exchanges.filter(({ request }) => request === last.request);
  return isEndlessList(pages.map(({ live }) => resultOf(live.value)));
}

/**
 * Returns the cursor of a live page that is no text, as the specification has it, and as the recorded page does not. Clients
 * refuse such a page. Undefined: there is none.
 */
export function invalidCursor({ exchanges }: Answer): unknown {
  return exchanges.map(cursorsOf).find(({ live, recorded }) => !isCursor(live) && isCursor(recorded))?.live;
}

function cursorsOf({ request, recorded, live }: Exchange): { live?: unknown; recorded?: unknown } {
  if (!LISTS.has(pageOf(request).method)) return {};
  return { live: resultOf(live.value).nextCursor, recorded: resultOf(recorded?.message).nextCursor };
}

function isCursor(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isTaskPoll({ message }: SessionEntry): boolean {
  return isRequest(message) && message.method === 'tasks/get';
}

/** Returns the recorded answers to a request: one, or all pages of a list. */
export function recordedPages(request: SessionEntry, { entries, links }: ServerRun['plan']): SessionEntry[] {
  const { key, method } = pageOf(request);
  const isPage = (entry: SessionEntry) => entry.from === 'client' && pageOf(entry).key === key;
  const later = LISTS.has(method) ? entries.slice(request.index + 1).filter(isPage) : [];
  const end = later.findIndex((entry) => !pageOf(entry).isLater);
  const requests = [request, ...later.slice(0, end < 0 ? undefined : end)];
  return requests.flatMap(({ index }) => entries[links.answerOf.get(index) ?? -1] ?? []);
}

/** An item of a live list, and the recorded item with the same name. */
export interface ListItemPair {
  recorded: unknown;
  /** Path of the recorded item in its page, and the ignore rules of this page. */
  place: JsonPath;
  rules: readonly Ignore[];
  live: unknown;
  /** Path of the live item in the joined pages. */
  path: JsonPath;
}

/** Pairs the items of live lists with recorded ones. A server may divide a list into other pages, or order it anew. */
export class ListItemPairs {
  readonly #ignore: readonly Ignore[];
  /** The list that each page belongs to, by the index of the page's request. */
  readonly #lists = new Map<number, UnpairedItems>();

  constructor({ plan: { entries, links } }: ServerRun, ignore: readonly Ignore[]) {
    this.#ignore = ignore;
    const open = new Map<string, UnpairedItems>();
    for (const request of entries) {
      const { method, key, isLater } = pageOf(request);
      const field = LISTS.get(method)?.field;
      if (field === undefined || request.from !== 'client') continue;
      const list = (isLater && open.get(key)) || { field, recorded: new ListMap(), count: 0 };
      open.set(key, list);
      this.#lists.set(request.index, list);
      const entry = entries[links.answerOf.get(request.index) ?? -1];
      const rules = withOwnRules(ignore, request, entry);
      for (const { name, index, value } of namedItems(resultOf(entry?.message), { field, rules }))
        list.recorded.add(name, { recorded: value, place: ['result', field, index], rules });
    }
  }

  /** Returns the pairs of the next live page of a list. `live` is the value of its message. */
  pairsIn({ request, recorded }: Exchange, live: unknown): ListItemPair[] {
    const list = this.#lists.get(request.index);
    if (list === undefined) return [];
    const { field, count } = list;
    const items = namedItems(resultOf(live), { field, rules: withOwnRules(this.#ignore, request, recorded) });
    list.count += items.length;
    return items.flatMap(({ name, index, value }) => {
      const one = list.recorded.get(name)?.shift();
      return one === undefined ? [] : [{ ...one, live: value, path: ['result', field, count + index] }];
    });
  }
}

/** Items of a recorded list without a live counterpart so far, by name. */
interface UnpairedItems {
  field: string;
  recorded: ListMap<string, Pick<ListItemPair, 'recorded' | 'place' | 'rules'>>;
  /** Number of live items so far. */
  count: number;
}

/** Returns the items of a page, with the names that remain without what `rules` ignore. */
function namedItems(page: unknown, { field, rules }: { field: string; rules: readonly Ignore[] }): Item[] {
  const names = new Map(
    itemsOf(resultOf(without({ result: page }, rules)), field).map(({ name, index }) => [index, name]),
  );
  return itemsOf(page, field).flatMap((item) => {
    const name = names.get(item.index);
    return name === undefined ? [] : [{ ...item, name }];
  });
}

interface Page {
  method: string;
  /** Key shared by requests whose answers are joined. */
  key: string;
  isLater: boolean;
}

function pageOf({ message, json }: SessionEntry): Page {
  if (json === undefined || !isRequest(message)) return { method: '', key: '', isLater: false };
  const { method } = message;
  return { method, key: isPoll(method) ? identityOf(json).key : method, isLater: isContinued(method, message.params) };
}

function hasMore({ exchanges }: Answer): boolean {
  const message = exchanges.at(-1)?.live.value;
  return isObject(message) && isObject(message.result) && message.result.nextCursor !== undefined;
}

/** Returns the ignore rules of a session, and the rules beside these entries in the cassette. */
export function withOwnRules(
  ignore: readonly Ignore[],
  ...entries: readonly (SessionEntry | undefined)[]
): readonly Ignore[] {
  const own = entries.flatMap((entry) => rulesAsWritten(entry?.match?.ignore ?? []));
  return own.length === 0 ? ignore : [...ignore, ...own];
}
