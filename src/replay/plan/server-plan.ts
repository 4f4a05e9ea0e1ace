import type { TapeEvent } from '../../cassette/cassette.ts';
import { correlateMoves, type Links } from '../../cassette/correlate/correlate-entries.ts';
import { type Move, movesOf } from '../../cassette/correlate/session-entries.ts';
import { withVersions } from '../../cassette/read/json-rpc-version.ts';
import type { Side } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { isRequest } from '../../protocol/message.ts';
import { ownersOf } from './causes.ts';
import { type Refusal, refusalsOf } from './protocol-rejections.ts';
import { Lanes, type Part } from './sequence.ts';

/** What each frame of the played side waits for: only what the tape proves. */
export interface Score {
  side: Side;
  moves: Move[];
  links: Links;
  lanes: Lanes;
  /** Response → the ambient parts that may not come after it. */
  flushes: Map<number, Part[]>;
  /** Requests of the live side that were refused for how they were asked. */
  refusals: ReadonlyMap<number, Refusal>;
}

/** The score for a mock server: docs/replay.md has the rules in words. */
export function scoreServer(events: readonly TapeEvent[]): Score {
  const moves = withVersions(movesOf(events), 'server');
  const links = correlateMoves(moves);
  const lanes = new Lanes(moves.length);
  const flushes = new Map<number, Part[]>();
  const pledges = new Pledges(links);
  let unflushed: Part[] = [];

  ownersOf(moves, links).forEach((owner, index) => {
    if (owner === undefined || isPingAnswer(moves, links, index)) return;
    const { move: opens, ambient, guess, why } = owner;
    const lane = lanes.get(opens)?.[0];
    const needs = pledges.due(opens, index, ambient);
    const cues = { opens, before: lane?.parts ?? NO_PARTS, after: owner.after, moves, links };
    const part = withCues({ move: index, needs, ambient, guess, why }, cues);
    // A server's frames about one request keep their order, so each move opens one lane.
    if (lane) lane.parts.push(part);
    else lanes.add({ opens, parts: [part] });
    if (isAsking(moves[index])) pledges.asked(opens, index);
    if (ambient) unflushed.push(part);
    if (unflushed.length > 0 && links.requestOf.has(index)) {
      flushes.set(index, unflushed);
      unflushed = [];
    }
  });
  return { side: 'server', moves, links, lanes, flushes, refusals: refusalsOf(moves, links) };
}

/** Nearly no part waits for anything. */
const NONE: readonly number[] = [];
const NO_PARTS: readonly Part[] = [];

interface Pledge {
  /** Answers that the tape has later. */
  open: number[];
  /** Answers that the tape has, and that no part but ambient ones has waited for. */
  owed: number[];
}

/** The answers that a lane's own requests were given on tape: what followed one waits for the live one. */
class Pledges {
  readonly #links: Links;
  /** By the move that opens the lane. */
  readonly #lanes = new Map<number | undefined, Pledge>();

  constructor(links: Links) {
    this.#links = links;
  }

  /** The request `move` of the lane will be answered; but not if it was withdrawn first. */
  asked(lane: number | undefined, move: number): void {
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
  due(lane: number | undefined, move: number, ambient: boolean): readonly number[] {
    const pledge = this.#lanes.get(lane);
    if (pledge === undefined) return NONE;
    const given = pledge.open.filter((answer) => answer < move);
    if (given.length > 0) pledge.open = pledge.open.filter((answer) => answer > move);
    if (ambient) {
      for (const answer of given) pledge.owed.push(answer);
      return given;
    }
    const due = [...pledge.owed, ...given];
    pledge.owed = [];
    return due;
  }
}

interface Cues {
  /** The move that opens the lane, and the parts that stand in it already. */
  opens: number | undefined;
  before: readonly Part[];
  after: number | undefined;
  moves: readonly Move[];
  links: Links;
}

/** The part with what else it waits for. A live client may never give such a cue, so none is waited for for ever. */
function withCues(part: Part, cues: Cues): Part {
  const { opens, after, moves } = cues;
  const cancel = cancelBefore(part, cues);
  const answers = answersBefore(part, cues);
  const unsure = after === undefined ? answers : [after, ...answers];
  if (unsure.length === 0 && cancel.length === 0) return part;
  const waited = moves[part.move]!.at - (moves[opens ?? -1]?.at ?? 0);
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
function cancelBefore(part: Part, { opens, before, links }: Cues): readonly number[] {
  const cancel = links.cancelOf.get(opens ?? -1);
  if (cancel === undefined || part.ambient || part.move < cancel) return NONE;
  const previous = before.findLast(({ ambient }) => !ambient);
  return previous !== undefined && previous.move > cancel ? NONE : [cancel];
}

/** A server that ends, and not just a stream of its, can answer no more: its end waits for the answers it had given to calls of the same time. */
function answersBefore({ move }: Part, { opens, moves, links }: Cues): readonly number[] {
  const { kind, stream } = moves[move]!.frame;
  const isEnd = kind === 'exit' || (kind === 'close' && stream === undefined);
  if (opens === undefined || !isEnd) return NONE;
  return [...links.requestOf.keys()].filter(
    (answer) => answer > opens && answer < move && moves[answer]!.from === 'server',
  );
}

function isPing(move: Move | undefined): boolean {
  return isRequest(move?.message) && move.message.method === 'ping';
}

function isAsking(move: Move | undefined): boolean {
  return isRequest(move?.message) && move.message.method !== 'ping';
}

function isPingAnswer(moves: readonly Move[], links: Links, index: number): boolean {
  const request = links.requestOf.get(index);
  return request !== undefined && isPing(moves[request]);
}
