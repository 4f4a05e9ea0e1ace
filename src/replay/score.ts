import { correlateMoves, type Links } from '../cassette/correlate.ts';
import { type Move, movesOf } from '../cassette/moves.ts';
import type { TapeEvent } from '../cassette/types.ts';
import type { Side } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { isRequest } from '../protocol/message.ts';
import { ownersOf } from './owner.ts';
import { type Refusal, refusalsOf } from './refusal.ts';

/** One move of the played side, and what it waits for beside the parts before it in its lane. */
export interface Part {
  move: number;
  /** Moves of either side that must have happened in the live session. */
  needs: readonly number[];
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
  /** Requests of the live side that were refused for how they were asked. */
  refusals: ReadonlyMap<number, Refusal>;
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
    const part: Part = { move: index, needs: pledges.due(lane, index, ambient), ambient, guess, why };
    lane.parts.push(withCues(part, { lane, after: owner.after, moves, links }));
    if (!isPing(moves[index])) pledges.asked(lane, index);
    if (part.ambient) unflushed.push(part);
    if (unflushed.length > 0 && links.requestOf.has(index)) {
      flushes.set(index, unflushed);
      unflushed = [];
    }
  }
  return { side: 'server', moves, links, lanes, flushes, refusals: refusalsOf(moves, links) };
}

/** Nearly no part waits for anything. */
const NONE: readonly number[] = [];

interface Pledge {
  /** Answers that the tape has later. */
  open: number[];
  /** Answers that the tape has, and that no part but ambient ones has waited for. */
  owed: number[];
}

/** The answers that a lane's own requests were given on tape: what followed one waits for the live one. */
class Pledges {
  readonly #links: Links;
  readonly #lanes = new Map<Lane, Pledge>();

  constructor(links: Links) {
    this.#links = links;
  }

  /** A request of the lane, if `move` is one, will be answered; but not if it was withdrawn first. */
  asked(lane: Lane, move: number): void {
    const { answerOf, cancelOf } = this.#links;
    const answer = answerOf.get(move);
    if (answer === undefined || (cancelOf.get(move) ?? answer) < answer) return;
    const pledge = this.#lanes.get(lane);
    if (pledge) pledge.open.push(answer);
    else this.#lanes.set(lane, { open: [answer], owed: [] });
  }

  /**
   * Answers given before `move`, each named once: by the first part that followed it. An ambient part may be sent
   * ahead of its lane, so that what an ambient part names is named again by the first that is not.
   */
  due(lane: Lane, move: number, ambient: boolean): readonly number[] {
    const pledge = this.#lanes.get(lane);
    if (pledge === undefined) return NONE;
    const given = pledge.open.filter((answer) => answer < move);
    if (given.length > 0) pledge.open = pledge.open.filter((answer) => answer > move);
    if (ambient) {
      pledge.owed.push(...given);
      return given;
    }
    const due = [...pledge.owed, ...given];
    pledge.owed = [];
    return due;
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

interface Cues {
  lane: Lane;
  after: number | undefined;
  moves: readonly Move[];
  links: Links;
}

/** The part with what else it waits for. A live client may never give such a cue, so none is waited for for ever. */
function withCues(part: Part, cues: Cues): Part {
  const { lane, after, moves } = cues;
  const cancel = cancelBefore(part, cues);
  const answers = answersBefore(part, cues);
  const unsure = after === undefined ? answers : [after, ...answers];
  if (unsure.length === 0 && cancel.length === 0) return part;
  const waited = moves[part.move]!.at - (moves[lane.opens ?? -1]?.at ?? 0);
  if (unsure.length > 0) {
    const needs = [...part.needs, ...unsure, ...cancel];
    return { ...part, needs, patience: Math.max(waited, PATIENCE_MIN) };
  }
  return { ...part, needs: [...part.needs, ...cancel], patience: waited };
}

/** A hand-written tape has no times, and a quick server took none. */
const PATIENCE_MIN: Milliseconds = 1_000;

/**
 * What the taped server still said after a cancel waits for the live cancel; but a client that does not cancel must not
 * wait in vain, so no longer than it waited on tape.
 */
function cancelBefore(part: Part, { lane, links }: Cues): readonly number[] {
  const cancel = links.cancelOf.get(lane.opens ?? -1);
  if (cancel === undefined || part.ambient || part.move < cancel) return NONE;
  const previous = lane.parts.findLast(({ ambient }) => !ambient);
  return previous !== undefined && previous.move > cancel ? NONE : [cancel];
}

/** A server that ends, and not just a stream of its, can answer no more: its end waits for the answers it had given to calls of the same time. */
function answersBefore({ move }: Part, { lane, moves, links }: Cues): readonly number[] {
  const { kind, stream } = moves[move]!.frame;
  const isEnd = kind === 'exit' || (kind === 'close' && stream === undefined);
  if (lane.opens === undefined || !isEnd) return NONE;
  return [...links.requestOf.keys()].filter(
    (answer) => answer > lane.opens! && answer < move && moves[answer]!.from === 'server',
  );
}

function isPing(move: Move | undefined): boolean {
  return isRequest(move?.message) && move.message.method === 'ping';
}

function isPingAnswer(moves: readonly Move[], links: Links, index: number): boolean {
  const request = links.requestOf.get(index);
  return request !== undefined && isPing(moves[request]);
}
