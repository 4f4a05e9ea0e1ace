import type { Cassette, EventMatch } from '../cassette/cassette.ts';
import type { Links } from '../cassette/correlate/correlate-entries.ts';
import { correlateOutcomes } from '../cassette/correlate/correlate-outcomes.ts';
import { refusalText, refusedRequests } from '../cassette/correlate/refused-requests.ts';
import { eventsToEntries, isJunk, type SessionEntry } from '../cassette/split-batches-into-entries.ts';
import type { Side } from '../channel/frame.ts';
import { joinLists } from '../contract/joined-lists.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { VOLATILE } from '../match/default-ignore-pointers.ts';
import { exactValue } from '../match/exact-json-value.ts';
import { escapeStep, type Ignore, type Pointer, remover } from '../match/ignore-rules.ts';
import { type Identity, identityOf, REQUEST_STATE } from '../match/request-identity.ts';
import { isNotification, isObject, isRequest, type Request } from '../protocol/message.ts';
import { META } from '../protocol/meta.ts';
import { collectedField, isContinued, isPoll, subjectOf } from '../protocol/method-table.ts';
import { Aliases } from './value-aliases.ts';

/** Recorded message, with the data for alignment. */
export interface SentMessage {
  from: Side;
  /** Title for people: `tools/call "add"`. */
  title: string;
  line: number;
  /** Positions of the message's events in the cassette. Merged pages and polls have several. */
  events: number[];
  identity: Identity;
  /** Message without volatile values. */
  said: unknown;
  /** Recorded message of a request. */
  request?: Request;
  /** Rules in the cassette beside the message. */
  match?: EventMatch;
}

/** Answer to a request, or a single page of a list. */
export interface AnswerPage {
  /** Answer without volatile values. */
  answer: unknown;
  /** Ignore rules in the cassette beside the answer and its request, as written. */
  ignore: readonly string[];
  /** Whether the answer is optional, so that another server may answer differently. */
  isOptional: boolean;
}

/** A request with its outcome. */
export interface Interaction extends SentMessage {
  request: Request;
  /** Answer without volatile values; for a list, with the items of all pages. Absent: the request was not answered. */
  answer?: unknown;
  /** The pages of the answer, in order. Empty if the request was not answered. */
  pages: AnswerPage[];
  /** Event positions of answers, or of HTTP statuses that refused the request. */
  answerEvents: number[];
  /** HTTP: failure instead of an answer, such as `HTTP 404 Session not found`. */
  refused?: string;
  isCancelled: boolean;
  /** Time between request and answer; for a list, of all pages. Absent without an answer, and for polls. */
  took?: Milliseconds;
  /** Number of progress notifications. */
  progress: number;
  /** Positions in the cassette. Without an answer, `ended` is infinite. */
  began: number;
  ended: number;
}

/** Meaning of a session: requests with their outcomes, notifications, and the server's exit. */
export interface SessionInteractions {
  entries: readonly SessionEntry[];
  links: Pick<Links, 'requestOf'>;
  interactions: Interaction[];
  /** Notifications, except for progress and cancellations, which belong to a request. */
  sentMessages: SentMessage[];
  /** Lines of the protocol's stream that are not messages. */
  junk: { line: number; text: string }[];
  /** Exit status of the server's process, or the signal that ended it. */
  exit?: number | string;
}

/** Values in requests that a client generates anew in every run, or that describe the client. */
const VOLATILE_ASKED: readonly Pointer[] = [
  '/params/_meta/progressToken',
  '/params/clientInfo/version',
  `/params/_meta/${escapeStep(META.clientInfo)}/version`,
  REQUEST_STATE,
];

const PART_OF_A_REQUEST: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/cancelled']);

/** Returns the interactions of a cassette. `ignore` excludes further parts in addition to volatile values. */
export function sessionInteractions({ events }: Cassette, ignore: readonly Ignore[] = []): SessionInteractions {
  const entries = eventsToEntries(events);
  const links = correlateOutcomes(entries);
  const aliases = new Aliases();
  const lessVolatile = remover([...VOLATILE, ...ignore]);
  const lessVolatileAsked = remover([...VOLATILE, ...ignore, ...VOLATILE_ASKED]);
  const identifying = [...ignore, REQUEST_STATE, (message: unknown) => aliases.renamed(message)];
  const refusals = refusedRequests(entries, links);
  const interactions = new InteractionList();
  const result: SessionInteractions = { entries, links, interactions: interactions.all, sentMessages: [], junk: [] };

  const sentMessageOf = (entry: SessionEntry, title: string): SentMessage => ({
    from: entry.from,
    title,
    line: entry.line,
    events: [entry.event],
    identity: identityOf(entry.json!, identifying),
    said: withoutEmptyMembers(aliases.renamed(lessVolatileAsked(exactValue(entry.json!)))),
    ...(entry.match && { match: entry.match }),
  });
  for (const entry of entries) {
    const { frame, message, line, index, from } = entry;
    aliases.pass(entry, entries[links.requestOf.get(index) ?? -1]);
    if (isRequest(message)) {
      const answer = entries[links.answerOf.get(index) ?? -1];
      const refusal = entries[refusals.get(index) ?? -1];
      const said = answer && lessVolatile(exactValue(answer.json!));
      interactions.add({
        ...sentMessageOf(entry, subjectOf(message.method, message.params)),
        request: message,
        ...(answer && !isPoll(message.method) && { took: answer.frame.at - frame.at }),
        ...(answer && { answer: said }),
        pages: answer ? [{ answer: said, ...pageRules(entry, answer) }] : [],
        answerEvents: [answer ?? refusal].flatMap((ended) => ended?.event ?? []),
        ...(refusal && { refused: refusalText(refusal) }),
        isCancelled: links.cancelOf.has(index),
        progress: links.progressOf.get(index)?.length ?? 0,
        began: index,
        ended: answer?.index ?? Number.POSITIVE_INFINITY,
      });
    } else if (isNotification(message)) {
      if (!PART_OF_A_REQUEST.has(message.method)) result.sentMessages.push(sentMessageOf(entry, message.method));
    } else if (isJunk(entry)) {
      const text = frame.kind === 'line' ? String(frame.data) : entry.json!.text;
      result.junk.push({ line, text: `${from}: ${text}` });
    } else if (frame.kind === 'exit') result.exit = frame.status;
  }
  return result;
}

/** Returns the rules beside a request and beside its answer. */
function pageRules(request: SessionEntry, answer: SessionEntry): Omit<AnswerPage, 'answer'> {
  return {
    ignore: [...(request.match?.ignore ?? []), ...(answer.match?.ignore ?? [])],
    isOptional: answer.match?.optional === true,
  };
}

/** Removes empty params, arguments and `_meta`, which mean the same as absent ones. */
export function withoutEmptyMembers(message: unknown): unknown {
  if (!isObject(message) || !isObject(message.params)) return message;
  const { params, ...bare } = message;
  const kept = Object.entries(params).filter(([name, value]) => !(MAY_BE_EMPTY.has(name) && isEmpty(value)));
  return kept.length === 0 ? bare : { ...message, params: Object.fromEntries(kept) };
}

const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['arguments', '_meta']);

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** Requests of a session. */
class InteractionList {
  readonly all: Interaction[] = [];
  /** Latest request by side and by method or identity. Pages and polls continue such a request. */
  readonly #latest = new Map<string, Interaction>();

  /** Adds a request. The next page of a list, and a repeated poll, are merged into the earlier request. */
  add(interaction: Interaction): void {
    const { from, request, identity } = interaction;
    const { method } = request;
    // The number of polls before an event is random. Only the last answer counts, or the combined items of all answers.
    const isPolled = isPoll(method);
    const isCollected = collectedField(method) !== undefined;
    const isPage = isContinued(method, request.params);
    const key = isPolled ? `${from} poll ${identity.key}` : `${from} list ${method}`;
    const before = isPage || (isPolled && !isCollected) ? this.#latest.get(key) : undefined;
    if (before === undefined) {
      this.all.push(interaction);
      if (isPolled || isCollected) this.#latest.set(key, interaction);
      return;
    }
    before.ended = interaction.ended;
    if (before.took !== undefined && interaction.took !== undefined) before.took += interaction.took;
    before.events.push(...interaction.events);
    before.answerEvents.push(...interaction.answerEvents);
    if (interaction.answer === undefined) return;
    before.answer = isPage ? joinLists(method, before.answer, interaction.answer) : interaction.answer;
    if (isPage) before.pages.push(...interaction.pages);
    else before.pages = interaction.pages;
  }
}
