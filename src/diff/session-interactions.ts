import type { Cassette } from '../cassette/cassette.ts';
import { correlateEntries } from '../cassette/correlate/correlate-entries.ts';
import { refusalText, refusedRequests } from '../cassette/correlate/refused-requests.ts';
import { entriesOf, type SessionEntry } from '../cassette/correlate/session-entries.ts';
import type { Side } from '../channel/frame.ts';
import { joinLists } from '../contract/joined-lists.ts';
import { exactValue } from '../match/exact-numbers.ts';
import { escapeStep, type Pointer, remover } from '../match/ignore-rules.ts';
import { type Identity, identityOf } from '../match/request-identity.ts';
import { VOLATILE } from '../match/volatile-values.ts';
import { isNotification, isObject, isRequest, type Request } from '../protocol/message.ts';
import { META } from '../protocol/meta.ts';
import { collectedField, isContinued, isPoll, subjectOf } from '../protocol/method-rules.ts';
import { Aliases } from './value-aliases.ts';

/** One thing that was said, and what two sessions are aligned by. */
export interface SentMessage {
  from: Side;
  /** For people: `tools/call "add"`. */
  title: string;
  line: number;
  identity: Identity;
  /** The message without what differs from run to run. */
  said: unknown;
}

/** A request, and all that came of it. */
export interface Interaction extends SentMessage {
  request: Request;
  /** The answer without what differs from run to run; of a list, all of its pages. Absent: there was none. */
  answer?: unknown;
  /** HTTP: the failure in place of an answer, such as `HTTP 404 Session not found`. */
  refused?: string;
  isCancelled: boolean;
  /** How many reports of progress came. */
  progress: number;
  /** Positions in the cassette. Without an answer it never ended. */
  began: number;
  ended: number;
}

/** Meaning of a session: requests with their outcomes, notifications, and how it ended. */
export interface SessionInteractions {
  talks: Interaction[];
  /** Notifications, but for progress and cancels, which belong to a talk. */
  sayings: SentMessage[];
  /** Lines of the protocol's stream that are no messages. */
  junk: { line: number; text: string }[];
  /** The status or signal with which the server's process ended. */
  exit?: number | string;
}

/** What a client says of itself or makes up anew with every run. */
const VOLATILE_ASKED: readonly Pointer[] = [
  '/params/_meta/progressToken',
  '/params/clientInfo/version',
  `/params/_meta/${escapeStep(META.clientInfo)}/version`,
  '/params/requestState',
];

const PART_OF_TALKS: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/cancelled']);

/** The story of a cassette. `ignore` names what does not count beside what is always volatile. */
export function sessionInteractions({ events }: Cassette, ignore: readonly Pointer[] = []): SessionInteractions {
  const entries = entriesOf(events);
  const links = correlateEntries(entries);
  const aliases = new Aliases();
  const lessVolatile = remover([...VOLATILE, ...ignore]);
  const lessVolatileAsked = remover([...VOLATILE, ...ignore, ...VOLATILE_ASKED]);
  const identifying = [...ignore, (message: unknown) => aliases.renamed(message)];
  const refusals = refusedRequests(entries, links);
  const talks = new Talks();
  const story: SessionInteractions = { talks: talks.all, sayings: [], junk: [] };

  const sayingOf = (entry: SessionEntry, title: string): SentMessage => ({
    from: entry.from,
    title,
    line: entry.line,
    identity: identityOf(entry.json!, identifying),
    said: withoutNothing(aliases.renamed(lessVolatileAsked(exactValue(entry.json!)))),
  });
  for (const entry of entries) {
    const { frame, message, line, index, from } = entry;
    aliases.pass(entry, entries[links.requestOf.get(index) ?? -1]);
    if (isRequest(message)) {
      const answer = entries[links.answerOf.get(index) ?? -1];
      const refusal = entries[refusals.get(index) ?? -1];
      talks.add({
        ...sayingOf(entry, subjectOf(message.method, message.params)),
        request: message,
        ...(answer && { answer: lessVolatile(exactValue(answer.json!)) }),
        ...(refusal && { refused: refusalText(refusal) }),
        isCancelled: links.cancelOf.has(index),
        progress: links.progressBy.get(index)?.length ?? 0,
        began: index,
        ended: answer?.index ?? Number.POSITIVE_INFINITY,
      });
    } else if (isNotification(message)) {
      if (!PART_OF_TALKS.has(message.method)) story.sayings.push(sayingOf(entry, message.method));
    } else if (frame.kind === 'line' && frame.on === 'protocol') {
      story.junk.push({ line, text: `${from}: ${String(frame.data)}` });
    } else if (frame.kind === 'exit') story.exit = frame.status;
  }
  return story;
}

/** Params, arguments and `_meta` that hold nothing say what absent ones say. */
function withoutNothing(message: unknown): unknown {
  if (!isObject(message) || !isObject(message.params)) return message;
  const { params, ...bare } = message;
  const kept = Object.entries(params).filter(([name, value]) => !(MAY_BE_EMPTY.has(name) && isEmpty(value)));
  return kept.length === 0 ? bare : { ...message, params: Object.fromEntries(kept) };
}

const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['arguments', '_meta']);

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** The talks of a session. */
class Talks {
  readonly all: Interaction[] = [];
  /** The latest talk of each method and each identity, by side: what goes on with one is found without a search. */
  readonly #latest = new Map<string, Interaction>();

  /** Adds a talk, or lets it go on with one before it: the next page of a list, or another poll. */
  add(talk: Interaction): void {
    const { from, request, identity } = talk;
    const { method } = request;
    // How often a poll is sent until something has come about is chance. Its last answer counts, or what all of them collect.
    const isPolled = isPoll(method);
    const isCollected = collectedField(method) !== undefined;
    const isPage = isContinued(method, request.params);
    const key = isPolled ? `${from} poll ${identity.key}` : `${from} list ${method}`;
    const before = isPage || (isPolled && !isCollected) ? this.#latest.get(key) : undefined;
    if (before === undefined) {
      this.all.push(talk);
      if (isPolled || isCollected) this.#latest.set(key, talk);
      return;
    }
    before.ended = talk.ended;
    if (talk.answer !== undefined) before.answer = isPage ? joinLists(method, before.answer, talk.answer) : talk.answer;
  }
}
