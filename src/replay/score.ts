import { correlateMoves, type Links } from '../cassette/correlate.ts';
import { type Move, movesOf } from '../cassette/moves.ts';
import type { TapeEvent } from '../cassette/types.ts';
import type { Side } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { isRequest } from '../protocol/message.ts';
import { ownersOf } from './owner.ts';

/** One move of the played side, and what it waits for beside the parts before it in its lane. */
export interface Part {
  move: number;
  /** Moves of either side that must have happened in the live session. */
  needs: number[];
  /** How long to wait for them at most, where they may never come; absent: the stage decides. */
  patience?: Milliseconds;
  /** Sent once a session, whoever owns it, and at the latest just before the next response on the tape. */
  ambient: boolean;
  guess: boolean;
  /** Why it stands in this lane, for people. */
  why: string;
}

/** Parts that keep their order. Lanes are independent of each other. */
export interface Lane {
  /** The move, of either side, that starts the lane; undefined: the session's start. */
  opens: number | undefined;
  parts: Part[];
}

/** What each frame of the played side waits for: only what the tape proves. */
export interface Score {
  side: Side;
  moves: Move[];
  links: Links;
  /** By the move that opens them. */
  lanes: Map<number | undefined, Lane[]>;
  /** Response → the ambient parts that may not come after it. */
  flushes: Map<number, Part[]>;
}

/** The score for a mock server: docs/replay.md has the rules in words. */
export function scoreServer(events: readonly TapeEvent[]): Score {
  const moves = movesOf(events);
  const links = correlateMoves(moves);
  const lanes: Score['lanes'] = new Map();
  const flushes = new Map<number, Part[]>();
  const pledges = new Pledges(links);
  let unflushed: Part[] = [];

  for (const [index, owner] of ownersOf(moves, links)) {
    if (isPingAnswer(moves, links, index)) continue;
    const lane = laneOf(lanes, owner.move);
    const { ambient, guess, why } = owner;
    const part: Part = { move: index, needs: pledges.due(lane, index), ambient, guess, why };
    lane.parts.push(ambient ? part : afterCancel(part, lane, { moves, links }));
    if (!isPing(moves[index])) pledges.asked(lane, index);
    if (part.ambient) unflushed.push(part);
    if (links.requestOf.has(index)) {
      flushes.set(index, unflushed);
      unflushed = [];
    }
  }
  return { side: 'server', moves, links, lanes, flushes };
}

/** The answers that a lane's own requests were given on tape: what followed one waits for the live one. */
class Pledges {
  readonly #links: Links;
  readonly #open = new Map<Lane, number[]>();

  constructor(links: Links) {
    this.#links = links;
  }

  /** A request of the lane, if `move` is one, will be answered. */
  asked(lane: Lane, move: number): void {
    const answer = this.#links.answerOf.get(move);
    if (answer !== undefined) this.#open.set(lane, [...(this.#open.get(lane) ?? []), answer]);
  }

  /** Answers given before `move`, each named once: by the first part that followed it. */
  due(lane: Lane, move: number): number[] {
    const open = this.#open.get(lane);
    if (open === undefined) return [];
    this.#open.set(
      lane,
      open.filter((answer) => answer > move),
    );
    return open.filter((answer) => answer < move);
  }
}

/** A server's frames about one request keep their order, so each move opens one lane. */
function laneOf(lanes: Score['lanes'], opens: number | undefined): Lane {
  const known = lanes.get(opens)?.[0];
  if (known) return known;
  const lane: Lane = { opens, parts: [] };
  lanes.set(opens, [lane]);
  return lane;
}

/**
 * What the taped server still said after a cancel waits for the live cancel; but a client that does not cancel must not
 * wait in vain, so no longer than it waited on tape.
 */
function afterCancel(
  part: Part,
  { opens, parts }: Lane,
  { moves, links }: Pick<Score, 'moves' | 'links'>,
): Part {
  const cancel = links.cancelOf.get(opens ?? -1);
  if (cancel === undefined || part.move < cancel || parts.some(({ needs }) => needs.includes(cancel)))
    return part;
  const patience = moves[part.move]!.at - moves[opens!]!.at;
  return { ...part, needs: [...part.needs, cancel], patience };
}

function isPing(move: Move | undefined): boolean {
  return isRequest(move?.message) && move.message.method === 'ping';
}

function isPingAnswer(moves: readonly Move[], links: Links, index: number): boolean {
  const request = links.requestOf.get(index);
  return request !== undefined && isPing(moves[request]);
}
