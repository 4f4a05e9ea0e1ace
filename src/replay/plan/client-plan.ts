import type { TapeEvent } from '../../cassette/cassette.ts';
import { correlateMoves, type Links } from '../../cassette/correlate/correlate-entries.ts';
import { type Move, movesOf } from '../../cassette/correlate/session-entries.ts';
import { withVersions } from '../../cassette/read/json-rpc-version.ts';
import { isNotification, isRequest, isResponse, paramsOf } from '../../protocol/message.ts';
import { repeatOf } from '../../protocol/methods.ts';
import { withOpening } from '../prepare/add-handshake.ts';
import { ownersOf } from './causes.ts';
import { ClientStreams } from './client-streams.ts';
import type { Owner } from './requests-in-flight.ts';
import { type Lane, Lanes, type Part } from './sequence.ts';
import type { Score } from './server-plan.ts';

/** The score for a mock client: docs/replay.md has the rules in words. `opening`: it makes the handshake that a file leaves out. */
export function scoreClient(
  events: readonly TapeEvent[],
  { opening = false }: { opening?: boolean } = {},
): Score {
  const taped = withVersions(movesOf(events), 'client');
  const moves = withClose(opening ? withOpening(taped) : taped);
  const links = correlateMoves(moves);
  const streams = new ClientStreams(moves, links);
  streams.linkRefusals();
  const context: Context = {
    moves,
    links,
    streams,
    framesOf: framesByRequest(ownersOf(moves, links)),
  };
  const main: Lane = { opens: undefined, parts: [] };
  const lanes = new Lanes(moves.length);
  lanes.add(main);
  const reads = new Reads();
  const idle = new Idle(links);
  let answers: number[] = [];
  const told: number[] = [];

  for (const move of moves) {
    const { index, from, message } = move;
    reads.pass(move);
    idle.pass(move);
    if (isPinged(move, context) || streams.isReconnection(move)) continue;
    if (from === 'server') {
      if (links.requestOf.has(index)) answers.push(...unlessCancelled(index, links));
      else if (isRequest(message) || isNotification(message)) told.push(index);
      continue;
    }
    const aside = besides(move, context);
    if (aside) {
      lanes.add(aside);
      if (isResponse(message)) told.push(index);
      if (idle.asked(links.requestOf.get(index))) answers.push(links.requestOf.get(index)!, index);
      continue;
    }
    const change = reads.changeBefore(move);
    const previous = main.parts.at(-1)?.move;
    if (change !== undefined && previous !== undefined) {
      const why = 'reads again what the server said had changed';
      lanes.add({ opens: previous, parts: [partOf(move, [...answers, change], why)] });
      continue;
    }
    const closing = endsSession(move);
    const needs = closing ? [...answers, ...told] : [...answers, ...heardOn(move, context)];
    main.parts.push(
      partOf(move, needs, closing ? 'followed all of the session' : 'keeps the order of the tape'),
    );
    answers = [];
  }
  return { side: 'client', moves, links, lanes, flushes: new Map(), refusals: new Map() };
}

interface Context {
  moves: readonly Move[];
  links: Links;
  streams: ClientStreams;
  /** Request → the frames that the server sent for it, and that name it. */
  framesOf: ReadonlyMap<number, readonly number[]>;
}

function framesByRequest(owners: readonly (Owner | undefined)[]): Map<number, number[]> {
  const frames = new Map<number, number[]>();
  owners.forEach((owner, frame) => {
    if (owner?.move === undefined || owner.ambient) return;
    const known = frames.get(owner.move);
    if (known) known.push(frame);
    else frames.set(owner.move, [frame]);
  });
  return frames;
}

function partOf({ index }: Move, needs: number[], why: string): Part {
  return { move: index, needs, ambient: false, guess: false, why };
}

/** The lane of a move that does not stand in the client's own sequence: what answers the server, and cancels. */
function besides(move: Move, context: Context): Lane | undefined {
  const { links, framesOf, streams } = context;
  const { index, message } = move;
  const left = streams.leftBy(move);
  if (left !== undefined) {
    const heard = streams.saidBefore(move);
    const why = `leaves its stream after ${heard.length} of its frames`;
    return { opens: left.index, parts: [partOf(move, heard.slice(-1), why)] };
  }
  const asked = links.requestOf.get(index) ?? links.progressOf.get(index);
  if (asked !== undefined) return { opens: asked, parts: [partOf(move, [], 'answers it')] };
  const request = links.cancelledBy.get(index);
  if (request === undefined || !isNotification(message)) return undefined;
  const frames = (framesOf.get(request) ?? []).filter((frame) => frame < index);
  const replies = frames.flatMap((frame) => links.answerOf.get(frame) ?? []).filter((reply) => reply < index);
  const why = `cancels it after ${frames.length} of its frames`;
  return { opens: request, parts: [partOf(move, [...frames.slice(-1), ...replies], why)] };
}

/** The end of everything that is sent, and over HTTP the end of the session that the server keeps. */
function endsSession({ frame }: Move): boolean {
  return frame.kind === 'open'
    ? frame.method === 'DELETE'
    : frame.kind === 'close' && frame.stream === undefined;
}

/** A stream that the client leaves by and by, such as a subscription, is left when what came on it has come. */
function heardOn(move: Move, { streams }: Context): number[] {
  return move.frame.kind === 'close' ? streams.saidBefore(move) : [];
}

/** The answer to a cancelled request may or may not come: nothing waits for it, unless the cancel was too late. */
function unlessCancelled(answer: number, { requestOf, cancelOf }: Links): number[] {
  const cancel = cancelOf.get(requestOf.get(answer)!);
  return cancel !== undefined && cancel < answer ? [] : [answer];
}

/** A server's ping is answered from life. */
function isPinged({ index, from, message }: Move, { links, moves }: Context): boolean {
  const request = from === 'server' ? message : moves[links.requestOf.get(index) ?? -1]?.message;
  return isRequest(request) && request.method === 'ping';
}

/** A tape that does not say how it ended is played to its last message, and then closed. */
function withClose(moves: Move[]): Move[] {
  const isClose = ({ frame, from }: Move) => frame.kind === 'close' && from === 'client';
  if (moves.some((move) => isClose(move) && move.frame.stream === undefined)) return moves;
  const last = moves.at(-1);
  const [at, line, event] = [last?.at ?? 0, last?.line ?? 1, last?.event ?? 0];
  const frame = { kind: 'close', at, from: 'client' } as const;
  return [...moves, { index: moves.length, event, line, at, from: 'client', frame }];
}

/**
 * Remembers what the server asked while the client had nothing open: as far as a tape can tell, the client waited for
 * that, and what it said next follows its answer. See docs/decisions/0007-idle-server-requests.md.
 */
class Idle {
  readonly #links: Links;
  readonly #open = new Set<number>();
  readonly #asked = new Set<number>();

  constructor(links: Links) {
    this.#links = links;
  }

  pass({ index, from, message }: Move): void {
    const { requestOf, answerOf, cancelOf } = this.#links;
    if (from === 'client') {
      // What was never answered, or cancelled, is nothing that a client waits for.
      if (isRequest(message) && answerOf.has(index) && !cancelOf.has(index)) this.#open.add(index);
      return;
    }
    this.#open.delete(requestOf.get(index) ?? -1);
    if (isRequest(message) && this.#open.size === 0) this.#asked.add(index);
  }

  asked(request: number | undefined): boolean {
    return request !== undefined && this.#asked.has(request);
  }
}

/** Remembers what was read, and what the server since said has changed. */
class Reads {
  /** Subject (a list's method or a resource's URI) → the change announced since it was read last. */
  readonly #changes = new Map<string, number | undefined>();

  pass({ index, from, message }: Move): void {
    if (from === 'client' && isRequest(message)) return;
    if (from !== 'server' || !isNotification(message)) return;
    for (const subject of subjectsOf(message.method, paramsOf(message).uri)) {
      if (this.#changes.has(subject)) this.#changes.set(subject, index);
    }
  }

  /** The change that `move` reads after, if it reads what was read before and announced as changed since. */
  changeBefore({ from, message }: Move): number | undefined {
    if (from !== 'client' || !isRequest(message)) return undefined;
    const { method } = message;
    const { cursor, uri } = paramsOf(message);
    const isRead = method === 'resources/read' || (repeatOf(method) === 'last' && method.endsWith('/list'));
    if (!isRead || cursor !== undefined) return undefined;
    const subject = method === 'resources/read' ? String(uri) : method;
    const change = this.#changes.get(subject);
    this.#changes.set(subject, undefined);
    return change;
  }
}

function subjectsOf(method: string, uri: unknown): string[] {
  if (method === 'notifications/resources/updated') return [String(uri)];
  const kind = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method)?.[1];
  if (kind === undefined) return [];
  return kind === 'resources' ? ['resources/list', 'resources/templates/list'] : [`${kind}/list`];
}
