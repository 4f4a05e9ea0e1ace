import { otherSide } from '../../channel/frame.ts';
import { isNotification, isObject, isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { Links } from './correlate-entries.ts';
import { lacksVersion } from './missing-json-rpc-version.ts';
import { ResumedStreams } from './resumed-streams.ts';
import { isUnanswered, SessionEnds } from './session-ends.ts';
import { isMessageEntry, type MessageEntry, type SessionEntry } from './session-entries.ts';

/** An entry of a cassette that no live message can stand for, or that no live peer gets an answer to. */
export interface UnplayableEntry {
  entry: MessageEntry;
  /** What is wrong with it, as a clause. */
  why: string;
  /** What to do, as a sentence. */
  next: string;
}

/**
 * Finds what no session can play, one after the other: requests without an answer or an end, answers and progress that
 * belong to nothing, an id in use, requests after the end. A recorder may have written each of them, as peers misbehave; in
 * a file that was written or edited by hand it is a mistake.
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

/** The same of responses alone: those that answer no open request, of either side. */
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
  /** Made when something is wrong: nearly no cassette needs them. */
  ids?: Ids;
}

type Trouble = Omit<UnplayableEntry, 'entry'>;

function troubleWith(entry: MessageEntry, context: Context): Trouble | undefined {
  const { message } = entry;
  if (isRequest(message)) return requestTrouble(entry, message.method, context);
  if (isResponse(message)) return responseTrouble(entry, context) ?? shapeTrouble(message);
  if (!isNotification(message) || message.method !== 'notifications/progress') return undefined;
  if (context.links.progressOf.has(entry.index)) return undefined;
  const token = scalarKeyAt(entry.json, ['params', 'progressToken']) ?? 'none';
  return {
    why: `this progress has the token ${token}, which no request before it gave`,
    next: 'Give the request that it is about this params._meta.progressToken, or delete the progress.',
  };
}

/** Where a side left an id out. Only a file without `recorder` has its ids filled in: beside the ids of a recorder, one made up might be in use. */
function troubleWithoutId(entry: MessageEntry): Trouble | undefined {
  const { message } = entry;
  if (isNotification(message) && lacksVersion(entry) && !message.method.startsWith('notifications/'))
    return {
      why: 'this request has no id, so that nobody answers it',
      next: 'Give it an id that no other request of the cassette has, and its answer the same.',
    };
  if (!isResponse(message) || message.result === undefined || 'id' in message) return undefined;
  return {
    why: 'this answer has no id, so that it answers nothing',
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
  if (ends.isAfter(entry, 'client') || ends.isAfter(entry, 'server')) return undefined;
  return {
    why: `this request (id ${id}) has no answer`,
    next: 'Write its answer after it, or how the wait ended: notifications/cancelled, close: client, or exit.',
  };
}

/** An answer that clients do not take as one (JSON-RPC 2.0, 5). */
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
    why: 'its error is no object with a code and a message, so that clients do not take it as an answer',
    next: 'Write, for example: error: { code: -32000, message: "…" }.',
  };
}

function responseTrouble(entry: MessageEntry, context: Context): Trouble | undefined {
  const { entries, links } = context;
  const id = scalarKeyAt(entry.json, ['id']);
  // An error about what could not be read has no id.
  if (links.requestOf.has(entry.index) || id === undefined) return undefined;
  const why = `this answer has the id ${id}, and no request with this id is open`;
  const ids = idsIn(context);
  const { before, after, alike, own } = ids.namesakes(entry);
  if (before) {
    const answer = entries[links.answerOf.get(before.index) ?? -1];
    // HTTP may bring an answer again, on a stream that goes on with another.
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

/** After this the client says nothing that the server hears. */
function isEnd({ frame, from }: SessionEntry): boolean {
  return frame.kind === 'exit' || (frame.kind === 'close' && from === 'client' && frame.stream === undefined);
}

function idsIn(context: Context): Ids {
  context.ids ??= new Ids(context.entries, context.links);
  return context.ids;
}

/** Requests and answers by what their ids look like. */
class Ids {
  readonly #links: Links;
  readonly #conversations = new ResumedStreams();
  readonly #requests: SessionEntry[];

  constructor(entries: readonly SessionEntry[], links: Links) {
    this.#links = links;
    for (const entry of entries) this.#conversations.pass(entry);
    this.#requests = entries.filter(({ message, json }) => json !== undefined && isRequest(message));
  }

  /** The next request of the same side, id and conversation, made while `request` was open: it takes the answer. */
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
   * Returns requests that share the id of a response: of the other side before and after it, of another type of id, and
   * of its own side.
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

  /** The latest request of the other side before this answer that has none. */
  lastUnanswered({ index, from }: MessageEntry): SessionEntry | undefined {
    return this.#requests.findLast(
      (entry) => entry.from !== from && entry.index < index && isUnanswered(entry, this.#links),
    );
  }
}

/** An id without the quotes of a text. */
function bare(token: string): string {
  return token.replace(/^"(.*)"$/, '$1');
}
