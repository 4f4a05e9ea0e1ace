import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries, isMessageEntry } from '../../cassette/split-batches-into-entries.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import { causesOf } from '../../replay/plan/causes.ts';
import { type DrawnPairs, drawPairs, pairedPoint } from '../draw-two-fault-points.ts';
import type { GridVerdicts } from '../grid-text.ts';
import { type PairVerdict, pairVerdicts } from '../judge-two-fault-runs.ts';
import { SERVER_VERDICTS, type ServerVerdict } from './judge/server-verdict-kinds.ts';
import type { MisbehaviourCase, PlayedCase } from './misbehaviour-cases.ts';
import type { OtherClient } from './misbehaviours/other-http-client.ts';

/** Presentation of the verdicts on pairs. */
export const SERVER_PAIR_VERDICTS: GridVerdicts<PairVerdict<ServerVerdict>> = pairVerdicts(SERVER_VERDICTS);

/** Returns the points in the session of a point: the two points of a pair, or the point itself. */
export function casesOf({ pair, ...point }: MisbehaviourCase): readonly [MisbehaviourCase, ...MisbehaviourCase[]] {
  return pair?.cases ?? [point];
}

/** Returns the point at which two misbehaviours happen in one session: `cancel@3+junk@5`. */
export function misbehaviourPair(first: MisbehaviourCase, second: MisbehaviourCase): MisbehaviourCase {
  const { misbehaviour, what, when } = first;
  return { ...pairedPoint(first, second), misbehaviour, what, when, pair: { cases: [first, second] } };
}

/** Returns a point whose cases have these windows. */
export function withWindows(
  point: MisbehaviourCase,
  windowOf: (one: PlayedCase) => PlayedCase['inFlight'],
): MisbehaviourCase {
  const { pair } = point;
  if (pair === undefined) return { ...point, inFlight: windowOf(point) };
  const [first, second] = pair.cases;
  return { ...point, pair: { cases: [withWindows(first, windowOf), withWindows(second, windowOf)] } };
}

/** Rules about which points of a cassette can form a pair in one session. */
export interface PairRules {
  /** Draws pairs. Equal seeds draw equal pairs. */
  draw(points: readonly MisbehaviourCase[], options: { count: number; seed: number }): DrawnPairs<MisbehaviourCase>;
  /** Returns why two points cannot form a pair. Undefined: they can. */
  whyNot(first: MisbehaviourCase, second: MisbehaviourCase): string | undefined;
}

/**
 * Returns the rules for pairs. The second point must be at a later message, and the client must not have left. If a
 * lost request never reaches the server, the server's questions within this request, and the client's answers, never
 * happen.
 */
export function pairRules(cassette: Cassette, transport: FaultTransport): PairRules {
  const answersWithin = answersWithinRequests(cassette);
  const isEnd = ({ misbehaviour }: MisbehaviourCase) => misbehaviour.ends?.includes(transport) === true;
  const lostAfter = ({ misbehaviour, message }: MisbehaviourCase): ReadonlySet<number> =>
    (misbehaviour.isLost && answersWithin.get(message)) || new Set();
  return {
    draw: (points, options) => drawPairs(points, { ...options, isFirst: (point) => !isEnd(point), lostAfter }),
    whyNot(first, second) {
      if (second.message <= first.message) return 'its second message is not after the first';
      if (isEnd(first)) return `the client has left after ${first.name}`;
      if (!lostAfter(first).has(second.message)) return undefined;
      return `the server never asks for this answer, because ${first.name} keeps the request from it`;
    },
  };
}

/**
 * Maps each request to the client's answers to questions within this request. Both are positions among the client's
 * messages.
 */
function answersWithinRequests({ events }: Cassette): Map<number, Set<number>> {
  const entries = eventsToEntries(events);
  const links = correlateEntries(entries);
  const causes = causesOf(entries, links);
  const positions = new Map<number, number>();
  for (const entry of entries)
    if (entry.from === 'client' && isMessageEntry(entry)) positions.set(entry.index, positions.size + 1);
  const answers = new Map<number, Set<number>>();
  for (const [index, position] of positions) {
    const cause = causes[links.requestOf.get(index) ?? -1];
    const request = cause?.guess === false && cause.entry !== undefined ? positions.get(cause.entry) : undefined;
    if (request !== undefined) answers.set(request, (answers.get(request) ?? new Set()).add(position));
  }
  return answers;
}

/** The fault rules of a session. */
export interface SessionRules {
  rules: Rule[];
  /** Points in the order of their rules. */
  points: readonly PlayedCase[];
}

/**
 * Returns the fault rules of the points of a session. Each rule counts only messages that earlier rules let through. If
 * both points count the same kind of message, the later point therefore comes first: a repeated or dropped earlier
 * message must not shift its count.
 */
export function rulesOf(points: readonly PlayedCase[], otherClient?: OtherClient): SessionRules {
  const [first, second] = points;
  const isCountedTogether = first && second && kindOf(first) === kindOf(second) && first.what.kind !== 'request';
  const ordered = isCountedTogether ? [second, first] : points;
  const rules = ordered.map(({ misbehaviour, what, when, inFlight }): Rule => {
    return { fault: misbehaviour.fault(what, { inFlight, otherClient }), when, times: 1 };
  });
  return { rules, points: ordered };
}

function kindOf({ what: { kind, method } }: PlayedCase): string {
  return `${kind} ${method}`;
}
