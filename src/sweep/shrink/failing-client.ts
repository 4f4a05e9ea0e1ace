import type { Cassette } from '../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';
import { leftText } from '../../transports/stdio/leftover-processes.ts';
import { type Attempt, attemptRun, type MockTarget } from '../client/attempt-run.ts';
import { type FaultCase, faultMatrix, type SweptFault } from '../client/fault-cases.ts';
import { newMisses } from '../client/new-misses.ts';
import { faultPair } from '../client/two-faults-per-run.ts';
import { BAD, crashText, type Verdict, verdictOf } from '../client/verdict.ts';
import { hasFired } from '../client/withheld-response-arrival.ts';
import { uncaughtErrorIdentity } from '../uncaught-error.ts';
import { type FailingProgram, isFailure, type Observation } from './same-failure.ts';

export interface FailingClientOptions {
  /** The client under test. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** Maximum duration of a run. */
  deadline: Milliseconds;
  /** Fault of the point. For a pair: both faults. */
  faults: readonly PlacedFault[];
  /** A text about each request that the whole cassette does not answer. Absent: none is a failure. */
  unserved?: readonly string[] | undefined;
  /** Starts the recorded server of a cassette, with the fault of a point. */
  target(cassette: Cassette, point: FaultCase | undefined): Promise<MockTarget>;
}

/** Fault at one message of a line. */
export interface PlacedFault {
  fault: SweptFault;
  /** Position among the messages of the line, from 0. Only a batch has several messages. */
  place: number;
}

/** Returns a client under test that fails under one or two faults of the recorded server. */
export function failingClient(options: FailingClientOptions): FailingProgram {
  const { deadline, faults } = options;
  const casesAt = (cassette: Cassette, lines: readonly number[]) =>
    faults.flatMap(({ fault, place }, n) => faultCasesAt(cassette, fault, lines[n]!)[place] ?? []);
  const pointAt = (cassette: Cassette, lines: readonly number[]): FaultCase | undefined => {
    const cases = casesAt(cassette, lines);
    if (cases.length < faults.length) return undefined;
    const [first, second] = cases;
    if (first === undefined || second === undefined) return first;
    return faultPair(first, second, faultMatrix(stripHttp(cassette), [...new Set(faults.map(({ fault }) => fault))]));
  };
  const run = (cassette: Cassette, point?: FaultCase) =>
    attemptRun({ ...options, point, target: () => options.target(cassette, point) });
  return {
    async attempt(cassette, lines) {
      const point = pointAt(cassette, lines);
      const seen = point && observationOf(point, await run(cassette, point), deadline);
      if (point?.pair === undefined || !seen?.isBad) return seen;
      for (const member of point.pair.cases) {
        const alone = observationOf(member, await run(cassette, member), deadline);
        if (isFailure(alone)) return { ...seen, verdict: 'single', why: `${member.name} alone is ${alone.verdict}` };
      }
      return seen;
    },
    async failureWithoutFaults(cassette, lines) {
      if (casesAt(cassette, lines).length !== faults.length) return 'the cassette has no message for the fault';
      return failureOf(await run(cassette), { ...options, lines });
    },
  };
}

/** Returns how a client has failed that met no fault. Undefined: it has got the messages at `lines`, and ended well. */
export function failureOf(
  { status, signal, timedOut, left, unserved, journal }: Attempt,
  {
    lines,
    deadline,
    unserved: known = unserved,
  }: Pick<FailingClientOptions, 'deadline' | 'unserved'> & { lines: readonly number[] },
): string | undefined {
  if (timedOut) return `it had not ended after ${deadline} ms`;
  if (status !== 0) {
    const [miss] = unserved;
    return `it ended with ${signal ?? status}${miss === undefined ? '' : `. ${miss}`}`;
  }
  if (left) return `it left ${leftText(left)}`;
  // A client may swallow the error, and a mended one may not.
  const miss = newMisses(unserved, known).at(-1);
  if (miss !== undefined) return miss;
  const isGiven = lines.every((line) => journal.some((noted) => noted.line === line));
  return isGiven ? undefined : 'it did not get the message of the point';
}

/** Returns the points of a fault at all messages of a line. */
export function faultCasesAt(cassette: Cassette, fault: SweptFault, line: number): FaultCase[] {
  return faultMatrix(stripHttp(cassette), [fault]).filter((point) => point.line === line);
}

/** Returns what was seen of a client at a point. */
export function observationOf(point: FaultCase, ended: Attempt, deadline: Milliseconds): Observation {
  const verdict = verdictOf(ended);
  if (point.pair && verdict === 'unreached' && hasFired(ended.journal, 1)) return atFirst(point, ended);
  const why = reasonOf(verdict, ended, deadline);
  return {
    point: point.name,
    title: point.title,
    verdict,
    isBad: BAD.has(verdict),
    cause: causeOf(verdict, ended),
    ...(why !== undefined && { why }),
    stderrTail: ended.stderr,
    unserved: ended.unserved,
  };
}

/** Returns what was seen of a pair whose second fault did not happen: the first alone decides whether that is bad. */
function atFirst({ name, title }: FaultCase, ended: Attempt): Observation {
  const verdict = verdictOf({ ...ended, fired: true });
  const cause = `${verdict} at its first fault, before the second one happened`;
  return { point: name, title, verdict: 'unreached', isBad: BAD.has(verdict), cause, stderrTail: ended.stderr };
}

/** Returns the reason for a verdict whose cause depends on times or processes of the run. */
function reasonOf(verdict: Verdict, { status, left }: Attempt, deadline: Milliseconds): string | undefined {
  if (verdict === 'hung') return `it had not ended after ${deadline} ms. If it gives up later, set a longer --deadline`;
  if (verdict === 'leaked') return `it left ${leftText(left ?? [])}`;
  return verdict === 'unreached' ? `it ended with ${status} before the fault happened` : undefined;
}

function causeOf(verdict: Verdict, { status, signal, stderr, fired }: Attempt): string {
  const when = fired ? 'after the fault' : 'before the fault';
  switch (verdict) {
    case 'hung':
      return `it had not ended, ${when}`;
    case 'crashed':
      return `${uncaughtErrorIdentity(stderr) ?? crashText({ status, signal, stderr })}, ${when}`;
    case 'leaked':
      return `processes that it had started were left, ${when}`;
    case 'lied':
      return 'it ended with 0, although the answer never came';
    default:
      return `it ended with ${status}`;
  }
}
