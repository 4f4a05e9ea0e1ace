import type { Cassette } from '../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';
import { leftText } from '../../transports/stdio/leftover-processes.ts';
import { type Attempt, attemptRun, type MockTarget } from '../client/attempt-run.ts';
import { type FaultCase, faultMatrix, type SweptFault } from '../client/fault-cases.ts';
import { BAD, type Verdict, verdictOf } from '../client/verdict.ts';
import { isUncaught, uncaughtErrorIdentity } from '../uncaught-error.ts';
import type { FailingProgram, Observation } from './same-failure.ts';

export interface FailingClientOptions {
  /** The client under test. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** Maximum duration of a run. */
  deadline: Milliseconds;
  fault: SweptFault;
  /** Position of the message among those of its line, from 0. A batch has several. */
  place: number;
  /** Starts the recorded server of a cassette, with the fault of a point. */
  target(cassette: Cassette, point: FaultCase | undefined): Promise<MockTarget>;
}

/** Returns a client under test, which fails under a fault of the recorded server. */
export function failingClient(options: FailingClientOptions): FailingProgram {
  const { deadline, fault, place } = options;
  const pointAt = (cassette: Cassette, line: number) => faultCasesAt(cassette, fault, line)[place];
  const run = (cassette: Cassette, point?: FaultCase) =>
    attemptRun({ ...options, point, target: () => options.target(cassette, point) });
  return {
    async attempt(cassette, line) {
      const point = pointAt(cassette, line);
      return point && observationOf(point, await run(cassette, point), deadline);
    },
    async endsWell(cassette, line) {
      const ended = await run(cassette);
      const isWell = ended.status === 0 && !ended.timedOut && !ended.left && !isUncaught(ended.stderr);
      const message = pointAt(cassette, line)?.message ?? Number.POSITIVE_INFINITY;
      return isWell && ended.journal.some((noted) => (noted.message ?? 0) >= message);
    },
  };
}

/** Returns the points of a fault at the messages of one line. */
export function faultCasesAt(cassette: Cassette, fault: SweptFault, line: number): FaultCase[] {
  return faultMatrix(stripHttp(cassette), [fault]).filter((point) => point.line === line);
}

function observationOf(point: FaultCase, ended: Attempt, deadline: Milliseconds): Observation {
  const verdict = verdictOf(ended);
  const why = reasonOf(verdict, ended, deadline);
  return {
    point: point.name,
    title: point.title,
    verdict,
    isBad: BAD.has(verdict),
    cause: causeOf(verdict, ended),
    ...(why !== undefined && { why }),
    stderrTail: ended.stderr,
  };
}

/** Returns the reason of a verdict that depends on the time of a run, or names its processes. */
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
      return `${uncaughtErrorIdentity(stderr) ?? `it ended with ${signal ?? status}`}, ${when}`;
    case 'leaked':
      return `processes that it had started were left, ${when}`;
    case 'lied':
      return 'it ended with 0, although the answer never came';
    default:
      return `it ended with ${status}`;
  }
}
