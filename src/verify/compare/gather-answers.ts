import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { joinLists } from '../../contract/joined-lists.ts';
import { valueWithoutIgnored } from '../../contract/value-without-ignored.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { Pointer } from '../../match/ignore-rules.ts';
import { identityOf } from '../../match/request-identity.ts';
import { isObject, isRequest } from '../../protocol/message.ts';
import { collectedField, isContinued, isPoll } from '../../protocol/method-rules.ts';
import type { Exchange, ServerRun } from '../run/run-recorded-client.ts';

/** What a live server answered to one recorded request, or to all that turned the pages of one list. */
export interface Answer {
  /** The request; for a list, that of its first page. */
  request: SessionEntry;
  /** One, or one for each live page. */
  exchanges: Exchange[];
  /** Compared value; for a list, its joined pages. Undefined if the cassette has no answer. */
  recorded: unknown;
  live: unknown;
  /** Of all pages together. */
  duration: Milliseconds;
  /** The cassette's list goes on for so many pages after the live one has ended. */
  pagesLeft: number;
}

export interface Answers {
  answers: Answer[];
  /** What was asked and not answered. */
  unanswered: SessionEntry[];
}

/**
 * Gathers the live answers. How a server cuts a list into pages is its own business, and with which poll an event comes is chance:
 * the pages of a list are joined, and so are polls for events;
 * a recorded page that the live list no longer has was never asked for, and is not missing.
 */
export function gatherAnswers(driven: ServerRun, ignore: readonly Pointer[]): Answers {
  const answers: Answer[] = [];
  /** By key: the list whose pages are being turned, and the recorded page that came last. */
  const lists = new Map<string, { answer: Answer; page: SessionEntry }>();
  for (const exchange of driven.exchanges) {
    const { request, duration } = exchange;
    const recorded = valueWithoutIgnored(exchange.recorded?.json, ignore);
    const live = valueWithoutIgnored(exchange.live, ignore);
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

  const { links, entries } = driven.plan;
  const unanswered = driven.unanswered.filter((request) => {
    const { method, key, isLater } = pageOf(request);
    const answer = answers.findLast((one) => pageOf(one.request).key === key && one.request.index < request.index);
    if (driven.asked.has(request.index) || !isLater || answer === undefined || hasMore(answer)) return true;
    const page = valueWithoutIgnored(entries[links.answerOf.get(request.index)!]?.json, ignore);
    answer.recorded = joinLists(method, answer.recorded, page);
    answer.pagesLeft++;
    return false;
  });
  return { answers, unanswered };
}

interface Page {
  method: string;
  /** The same for requests whose answers are joined. */
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
