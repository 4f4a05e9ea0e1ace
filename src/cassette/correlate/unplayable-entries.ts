import { otherSide } from '../../channel/frame.ts';
import { isNotification, isObject, isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { isMessageEntry, type MessageEntry, type SessionEntry } from '../split-batches-into-entries.ts';
import { lacksJsonRpcVersion } from './add-json-rpc-version.ts';
import type { Links } from './correlate-entries.ts';
import { ResumedStreams } from './resumed-streams.ts';
import { isUnanswered, SessionEnds } from './session-ends.ts';

/** Entry of a cassette that no live message can match, or that leaves a live peer without an answer. */
export interface UnplayableEntry {
  entry: MessageEntry;
  /** Reason, as a clause. */
  why: string;
  /** Advice, as a sentence. */
  next: string;
}

/**
 * Yields the entries that no session can play: requests without an answer or end, responses and progress without a
 * request, ids in use, requests after the end. A recorder may have written them, because peers misbehave. In a
 * hand-written file they are mistakes.
 */
export function* unplayableEntries(entries: readonly SessionEntry[], links: Links): Generator<UnplayableEntry> {
  const context: Context = { entries, links, ends: new SessionEnds(entries) };
  let end: SessionEntry | undefined;
  for (const entry of entries) {
    if (end === undefined && isEnd(entry)) end = entry;
    if (!isMessageEntry(entry)) continue;
    const trouble =
      troubleWithoutId(entry) ??
      (end !== undefined && entry.from === 'client' && isRequest(entry.message)
        ? afterEnd(end)
        : troubleWith(entry, context));
    if (trouble) yield { entry, ...trouble };
  }
}

/** Yields only the responses that answer no open request. */
export function* unplayableResponses(entries: readonly SessionEntry[], links: Links): Generator<UnplayableEntry> {
  const context: Context = { entries, links, ends: new SessionEnds(entries) };
  for (const entry of entries) {
    if (!isMessageEntry(entry) || !isResponse(entry.message)) continue;
    const trouble = troubleWithoutId(entry) ?? responseTrouble(entry, context);
    if (trouble) yield { entry, ...trouble };
  }
}

interface Context {
  entries: readonly SessionEntry[];
  links: Links;
  ends: SessionEnds;
  /** Created on demand, because wrong entries are rare. */
  ids?: Ids;
}

type Trouble = Omit<UnplayableEntry, 'entry'>;

function troubleWith(entry: MessageEntry, context: Context): Trouble | undefined {
  const { message } = entry;
  if (isRequest(message)) return requestTrouble(entry, message.method, context);
  if (isResponse(message)) return responseTrouble(entry, context) ?? shapeTrouble(message);
  if (!isNotification(message) || message.method !== 'notifications/progress') return undefined;
  if (context.links.progressRequestOf.has(entry.index)) return undefined;
  const token = scalarKeyAt(entry.json, ['params', 'progressToken']) ?? 'none';
  return {
    why: `this progress has the token ${token}, which no request before it gave`,
    next: 'Give the request that it is about this params._meta.progressToken, or delete the progress.',
  };
}

/**
 * Returns the problem of a missing id. Ids are filled in only for a file without `recorder`, because a generated id
 * might collide with a recorded one.
 */
function troubleWithoutId(entry: MessageEntry): Trouble | undefined {
  const { message } = entry;
  if (isNotification(message) && lacksJsonRpcVersion(entry) && !message.method.startsWith('notifications/'))
    return {
      why: 'this request has no id, so it is never answered',
      next: 'Give it an id that no other request of the cassette has, and its answer the same.',
    };
  if (!isResponse(message) || message.result === undefined || 'id' in message) return undefined;
  return {
    why: 'this answer has no id, so it answers no request',
    next: 'Give it the id of the request that it answers.',
  };
}

function requestTrouble(entry: MessageEntry, method: string, context: Context): Trouble | undefined {
  const { links, ends } = context;
  if (method === 'ping' || !isUnanswered(entry, links)) return undefined;
  const id = scalarKeyAt(entry.json, ['id']);
  const again = idsIn(context).askedAgain(entry);
  if (again)
    return {
      why: `this request has the id ${id}, and so has that of line ${again.line}, which was made before it was answered`,
      next: 'Give each request an id of its own, and its answer the same.',
    };
  if (ends.hasEndedAfter(entry, 'client') || ends.hasEndedAfter(entry, 'server')) return undefined;
  return {
    why: `this request (id ${id}) has no answer`,
    next: 'Write its answer after it, or how the wait ended: notifications/cancelled, close: client, or exit.',
  };
}

/** Returns the problem of an answer that clients reject (JSON-RPC 2.0, 5). */
function shapeTrouble(message: object): Trouble | undefined {
  if (!('error' in message) || message.error === null) return undefined;
  if ('result' in message)
    return {
      why: 'this answer has a result and an error',
      next: 'Delete one of the two: clients wait for an answer with one.',
    };
  const { error } = message;
  const isError = isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string';
  if (isError) return undefined;
  return {
    why: 'its error is not an object with a code and a message, so clients reject it as an answer',
    next: 'Write, for example: error: { code: -32000, message: "…" }.',
  };
}

function responseTrouble(entry: MessageEntry, context: Context): Trouble | undefined {
  const { entries, links } = context;
  const id = scalarKeyAt(entry.json, ['id']);
  // An error about an unreadable request has no id.
  if (links.requestOf.has(entry.index) || id === undefined) return undefined;
  const why = `this answer has the id ${id}, and no request with this id is open`;
  const ids = idsIn(context);
  const { before, after, alike, own } = ids.namesakes(entry);
  if (before) {
    const answer = entries[links.answerOf.get(before.index) ?? -1];
    // Over HTTP, a resumed stream may repeat an answer.
    if (answer && entry.frame.stream !== undefined && answer.json?.text === entry.json.text) return undefined;
    if (answer) return { why: `${why}: line ${answer.line} answers it already`, next: 'Delete one of the two.' };
  }
  if (alike)
    return {
      why: `${why}: that of line ${alike.line} is ${scalarKeyAt(alike.json!, ['id'])}`,
      next: 'Write both ids alike: a number and a text differ.',
    };
  if (after) return { why: `${why} yet: its request stands at line ${after.line}`, next: 'Move the answer after it.' };
  if (own)
    return {
      why: `${why}: line ${own.line} is a request of the ${entry.from} itself`,
      next: `Write the answer as said by the other side: "${otherSide(entry.from)}:".`,
    };
  const waiting = ids.lastUnanswered(entry);
  return {
    why,
    next: waiting
      ? `Give it the id of the request that it answers: that of line ${waiting.line}, ${scalarKeyAt(waiting.json!, ['id'])}, has no answer.`
      : 'Give it the id of the request that it answers, or delete it.',
  };
}

function afterEnd({ line }: SessionEntry): Trouble {
  return {
    why: `this request stands after the end of the session at line ${line}`,
    next: 'Move it before that line.',
  };
}

/** Reports whether the client's input to the server ends with this entry. */
function isEnd({ frame, from }: SessionEntry): boolean {
  return frame.kind === 'exit' || (frame.kind === 'close' && from === 'client' && frame.stream === undefined);
}

function idsIn(context: Context): Ids {
  context.ids ??= new Ids(context.entries, context.links);
  return context.ids;
}

/** Requests by id, for advice about wrong ids. */
class Ids {
  readonly #links: Links;
  readonly #conversations = new ResumedStreams();
  readonly #requests: SessionEntry[];

  constructor(entries: readonly SessionEntry[], links: Links) {
    this.#links = links;
    for (const entry of entries) this.#conversations.add(entry);
    this.#requests = entries.filter(({ message, json }) => json !== undefined && isRequest(message));
  }

  /** Returns the next request with the same side, id and conversation. It receives the answer meant for this one. */
  askedAgain({ index, from, frame, json }: MessageEntry): SessionEntry | undefined {
    const id = scalarKeyAt(json, ['id']);
    const home = this.#conversations.of(frame);
    return this.#requests.find(
      (other) =>
        other.index > index &&
        other.from === from &&
        this.#conversations.of(other.frame) === home &&
        scalarKeyAt(other.json!, ['id']) === id,
    );
  }

  /**
   * Returns the requests with the id of a response: other side's requests before and after it, requests with another id
   * type, and requests of its own side.
   */
  namesakes({ index, from, json }: MessageEntry): Partial<Record<'before' | 'after' | 'alike' | 'own', SessionEntry>> {
    const id = scalarKeyAt(json, ['id'])!;
    const isSame = (entry: SessionEntry) => scalarKeyAt(entry.json!, ['id']) === id;
    const theirs = this.#requests.filter((entry) => entry.from !== from);
    const isAlike = (entry: SessionEntry) => bare(scalarKeyAt(entry.json!, ['id'])!) === bare(id);
    const before = theirs.findLast((entry) => entry.index < index && isSame(entry));
    const alike = theirs.findLast((entry) => entry.index < index && !isSame(entry) && isAlike(entry));
    const after = theirs.find((entry) => entry.index > index && isSame(entry));
    const own = this.#requests.findLast((entry) => entry.from === from && entry.index < index && isSame(entry));
    return {
      ...(before && { before }),
      ...(alike && { alike }),
      ...(after && { after }),
      ...(own && { own }),
    };
  }

  /** Returns the other side's latest unanswered request before a response. */
  lastUnanswered({ index, from }: MessageEntry): SessionEntry | undefined {
    return this.#requests.findLast(
      (entry) => entry.from !== from && entry.index < index && isUnanswered(entry, this.#links),
    );
  }
}

/** Removes the quotes of a string id. */
function bare(token: string): string {
  return token.replace(/^"(.*)"$/, '$1');
}
