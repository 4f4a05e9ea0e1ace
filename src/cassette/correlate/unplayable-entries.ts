import { otherSide } from '../../channel/frame.ts';
import { isNotification, isRequest, isResponse } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import { lacksVersion } from '../read/json-rpc-version.ts';
import type { Links } from './correlate-entries.ts';
import { Conversations } from './resumed-streams.ts';
import { isUnanswered, SessionEnds } from './session-ends.ts';
import { isSaid, type Move, type Said } from './session-entries.ts';

/** An entry of a cassette that no live message can stand for, or that no live peer gets an answer to. */
export interface Unplayable {
  move: Said;
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
export function* unplayableEntries(moves: readonly Move[], links: Links): Generator<Unplayable> {
  const context: Context = { moves, links, ends: new SessionEnds(moves) };
  let end: Move | undefined;
  for (const move of moves) {
    if (end === undefined && isEnd(move)) end = move;
    if (!isSaid(move)) continue;
    const trouble =
      troubleWithoutId(move) ??
      (end !== undefined && move.from === 'client' && isRequest(move.message)
        ? afterEnd(end)
        : troubleWith(move, context));
    if (trouble) yield { move, ...trouble };
  }
}

interface Context {
  moves: readonly Move[];
  links: Links;
  ends: SessionEnds;
  /** Made when something is wrong: nearly no cassette needs them. */
  ids?: Ids;
}

type Trouble = Omit<Unplayable, 'move'>;

function troubleWith(move: Said, context: Context): Trouble | undefined {
  const { message } = move;
  if (isRequest(message)) return requestTrouble(move, message.method, context);
  if (isResponse(message)) return responseTrouble(move, context);
  if (!isNotification(message) || message.method !== 'notifications/progress') return undefined;
  if (context.links.progressOf.has(move.index)) return undefined;
  const token = tokenAt(move.json, ['params', 'progressToken']) ?? 'none';
  return {
    why: `this progress has the token ${token}, which no request before it gave`,
    next: 'Give the request that it is about this params._meta.progressToken, or delete the progress.',
  };
}

/** Only a file without `recorder` has its ids filled in: beside the ids of a recorder, one made up might be in use. */
function troubleWithoutId(move: Said): Trouble | undefined {
  const { message } = move;
  if (!lacksVersion(move)) return undefined;
  if (isNotification(message) && !message.method.startsWith('notifications/'))
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

function requestTrouble(move: Said, method: string, context: Context): Trouble | undefined {
  const { links, ends } = context;
  if (method === 'ping' || !isUnanswered(move, links)) return undefined;
  const id = tokenAt(move.json, ['id']);
  const again = idsIn(context).askedAgain(move);
  if (again)
    return {
      why: `this request has the id ${id}, and so has that of line ${again.line}, which was made before it was answered`,
      next: 'Give each request an id of its own, and its answer the same.',
    };
  if (ends.isAfter(move, 'client') || ends.isAfter(move, 'server')) return undefined;
  return {
    why: `this request (id ${id}) has no answer`,
    next: 'Write its answer after it, or how the wait ended: notifications/cancelled, close: client, or exit.',
  };
}

function responseTrouble(move: Said, context: Context): Trouble | undefined {
  const { moves, links } = context;
  const id = tokenAt(move.json, ['id']);
  // An error about what could not be read has no id.
  if (links.requestOf.has(move.index) || id === undefined) return undefined;
  const why = `this answer has the id ${id}, and no request with this id is open`;
  const ids = idsIn(context);
  const { before, after, alike, own } = ids.namesakes(move);
  if (before) {
    const answer = moves[links.answerOf.get(before.index) ?? -1];
    // HTTP may bring an answer again, on a stream that goes on with another.
    if (answer && move.frame.stream !== undefined && answer.json?.text === move.json.text) return undefined;
    if (answer)
      return { why: `${why}: line ${answer.line} answers it already`, next: 'Delete one of the two.' };
  }
  if (alike)
    return {
      why: `${why}: that of line ${alike.line} is ${tokenAt(alike.json!, ['id'])}`,
      next: 'Write both ids alike: a number and a text differ.',
    };
  if (after)
    return { why: `${why} yet: its request stands at line ${after.line}`, next: 'Move the answer after it.' };
  if (own)
    return {
      why: `${why}: line ${own.line} is a request of the ${move.from} itself`,
      next: `Write the answer as said by the other side: "${otherSide(move.from)}:".`,
    };
  const waiting = ids.lastUnanswered(move);
  return {
    why,
    next: waiting
      ? `Give it the id of the request that it answers: that of line ${waiting.line}, ${tokenAt(waiting.json!, ['id'])}, has no answer.`
      : 'Give it the id of the request that it answers, or delete it.',
  };
}

function afterEnd({ line }: Move): Trouble {
  return {
    why: `this request stands after the end of the session at line ${line}`,
    next: 'Move it before that line.',
  };
}

/** After this the client says nothing that the server hears. */
function isEnd({ frame, from }: Move): boolean {
  return frame.kind === 'exit' || (frame.kind === 'close' && from === 'client' && frame.stream === undefined);
}

function idsIn(context: Context): Ids {
  context.ids ??= new Ids(context.moves, context.links);
  return context.ids;
}

/** Requests and answers by what their ids look like. */
class Ids {
  readonly #links: Links;
  readonly #conversations = new Conversations();
  readonly #requests: Move[];

  constructor(moves: readonly Move[], links: Links) {
    this.#links = links;
    for (const move of moves) this.#conversations.pass(move);
    this.#requests = moves.filter(({ message, json }) => json !== undefined && isRequest(message));
  }

  /** The next request of the same side, id and conversation, made while `request` was open: it takes the answer. */
  askedAgain({ index, from, frame, json }: Said): Move | undefined {
    const id = tokenAt(json, ['id']);
    const home = this.#conversations.of(frame);
    return this.#requests.find(
      (other) =>
        other.index > index &&
        other.from === from &&
        this.#conversations.of(other.frame) === home &&
        tokenAt(other.json!, ['id']) === id,
    );
  }

  /** Requests with the id of an answer: of the other side before and after it, alike in all but type, and of its own side. */
  namesakes({ index, from, json }: Said): Partial<Record<'before' | 'after' | 'alike' | 'own', Move>> {
    const id = tokenAt(json, ['id'])!;
    const isSame = (move: Move) => tokenAt(move.json!, ['id']) === id;
    const theirs = this.#requests.filter((move) => move.from !== from);
    const isAlike = (move: Move) => bare(tokenAt(move.json!, ['id'])!) === bare(id);
    const before = theirs.findLast((move) => move.index < index && isSame(move));
    const alike = theirs.findLast((move) => move.index < index && !isSame(move) && isAlike(move));
    const after = theirs.find((move) => move.index > index && isSame(move));
    const own = this.#requests.findLast((move) => move.from === from && move.index < index && isSame(move));
    return {
      ...(before && { before }),
      ...(alike && { alike }),
      ...(after && { after }),
      ...(own && { own }),
    };
  }

  /** The latest request of the other side before this answer that has none. */
  lastUnanswered({ index, from }: Said): Move | undefined {
    return this.#requests.findLast(
      (move) => move.from !== from && move.index < index && isUnanswered(move, this.#links),
    );
  }
}

/** An id without the quotes of a text. */
function bare(token: string): string {
  return token.replace(/^"(.*)"$/, '$1');
}
