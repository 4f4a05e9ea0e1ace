import type { Cassette } from '../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { Limits } from '../concurrency-limiter.ts';
import type { Announcing } from '../expected-duration.ts';
import { judgedPairs, type PairVerdict } from '../judge-two-fault-runs.ts';
import { appendLastCall } from './append-last-call.ts';
import { inFlightWindows } from './in-flight-window.ts';
import { type Baseline, baselineOf } from './judge/baseline.ts';
import type { Attempt, Controls } from './judge/evidence-types.ts';
import { judgeServer } from './judge/judge-server.ts';
import { BAD_SERVER, type Judgement, reasonText, type ServerVerdict } from './judge/server-verdict-kinds.ts';
import {
  BASELINE_DEADLINE,
  expectedSessions,
  measureBaseline,
  type RepeatingSession,
  type RepeatingSessions,
  repeatRequests,
  type WithoutMisbehaviour,
} from './measure-baseline.ts';
import type { MisbehaviourCase, PlayedCase } from './misbehaviour-cases.ts';
import { askAgain, leaveOut } from './misbehaviours/repeat-message.ts';
import { type PlayedSession, playSession, standardErrorOf } from './play-session.ts';
import { runAndConfirmPoints } from './run-and-confirm-points.ts';
import type { ServerUnderTest } from './server-under-test-types.ts';
import { casesOf, SERVER_PAIR_VERDICTS, withWindows } from './two-misbehaviours-per-session.ts';

export interface SweepServerOptions extends Announcing {
  cassette: Cassette;
  target: ServerUnderTest;
  /** Points with one misbehaviour, or pairs. */
  points: readonly MisbehaviourCase[];
  /** Places of answers that are not compared. */
  ignore?: readonly Ignore[];
  clock: Clock;
  /** Maximum number of concurrent runs. */
  room: Limits;
  /**
   * Limit for one answer, and for the exit of the server process. Absent: ten times the slowest answer without
   * misbehaviour, at least 2 s.
   */
  deadline?: Milliseconds | undefined;
  /**
   * Called before the first run, with the points that are not run. `whyUnfit` returns why any point would not be run.
   * Undefined: the point runs. An error thrown by this function ends the sweep.
   */
  leftOut?(unfit: readonly UnfitPoint[], whyUnfit: (point: MisbehaviourCase) => string | undefined): void;
  /** Whether to accept the verdict `hung` after one run, if no other run was active. A later run has to confirm it. */
  isOnceEnough?: boolean;
  /** Called with the result of each finished point. */
  done?(result: ServerResult): void;
  /** Called with each bad result before the point is repeated. */
  suspected?(result: ServerResult): void;
}

/** The result of one point. */
export interface ServerResult {
  point: MisbehaviourCase;
  verdict: PairVerdict<ServerVerdict>;
  /** Verdict that the first misbehaviour deserves alone, if this verdict is bad and the second one did not happen. */
  first?: ServerVerdict;
  /** Not even the first misbehaviour of a pair happened. */
  isUntested?: true;
  /** Observation, with the violated rule of the specification. */
  why?: string;
  /** The observation without names and values of single messages. */
  cause?: string;
  duration: Milliseconds;
  /** Last part of the server's standard error. */
  stderrTail: string;
}

/** Point that makes no sense at its request. */
export interface UnfitPoint {
  point: MisbehaviourCase;
  why: string;
}

export interface ServerSweep extends WithoutMisbehaviour, Pick<RepeatingSessions, 'notRepeated'> {
  /** Results. For pairs: first the bad results of single misbehaviours, then the results of pairs. */
  results: ServerResult[];
}

/**
 * Plays the recorded client to a server: for each point, one session with the misbehaviour and one without. Repeats
 * each failed point alone, with no concurrent runs. Plays the misbehaviours of each failed pair alone, too.
 * @throws McpRecordError `SWEEP_BASELINE` if the server fails without any misbehaviour, or the error of a failed
 * connection
 */
export function sweepServer(options: SweepServerOptions): Promise<ServerSweep> {
  return new ServerSweeper(options).run();
}

/** Maximum number of retries of a cancellation that came after the answer. */
const IN_FLIGHT_RETRIES = 3;

class ServerSweeper {
  readonly #options: SweepServerOptions;
  #deadline: Milliseconds;
  #sessions!: RepeatingSessions;
  /** The server accepts no connections any more. */
  #isGone = false;

  constructor(options: SweepServerOptions) {
    this.#options = { ...options, cassette: appendLastCall(options.cassette) };
    this.#deadline = options.deadline ?? BASELINE_DEADLINE;
  }

  async run(): Promise<ServerSweep> {
    const { leftOut, cassette, deadline, ignore = [] } = this.#options;
    const measured = await measureBaseline({ cassette, ignore, deadline, play: () => this.#play(cassette) });
    const { baseline, without } = measured;
    this.#deadline = measured.deadline;
    const { inFlight } = measured;
    const windowOf = ({ what }: PlayedCase) => inFlight.get(what.entry.event);
    const whyUnfit = (point: MisbehaviourCase) =>
      casesOf(point)
        .map((one) => one.misbehaviour.unfit?.(windowOf(one)))
        .find((why) => why !== undefined);
    const unfit = this.#options.points.flatMap((point): UnfitPoint[] => {
      const why = whyUnfit(point);
      return why === undefined ? [] : [{ point, why }];
    });
    leftOut?.(unfit, whyUnfit);
    const points = this.#options.points
      .filter((point) => whyUnfit(point) === undefined)
      .map((point) => withWindows(point, windowOf));
    const sessions = points.map(casesOf);
    this.#options.measured?.(expectedSessions(measured, sessions, this.#options.room));
    const play = (repeating: Cassette) => this.#play(repeating);
    this.#sessions = await repeatRequests({ cassette, baseline, sessions, play });
    const found = await this.#run(points);
    const runAlone = (members: readonly MisbehaviourCase[]) => this.#runAlone(members);
    const results = await judgedPairs<MisbehaviourCase, ServerVerdict, ServerResult>(
      found,
      SERVER_PAIR_VERDICTS,
      runAlone,
    );
    const { notRepeated } = this.#sessions;
    return { results: results.map((result) => this.#withDoubt(result)), notRepeated, ...without };
  }

  async #run(points: readonly MisbehaviourCase[]): Promise<ServerResult[]> {
    const { room, done, suspected } = this.#options;
    const [only] = points;
    if (only && points.length === 1) {
      const result = await this.#judgeAlone(only);
      done?.(result);
      return [result];
    }
    return await runAndConfirmPoints<MisbehaviourCase, ServerResult>({
      points,
      room,
      isBad,
      attempt: (point, rest) => this.#try(point, rest),
      confirm: async (result) => (this.#isGone ? result : await this.#confirm(result)),
      done,
      suspected,
    });
  }

  /** Judges the misbehaviours of bad pairs alone. */
  async #runAlone(members: readonly MisbehaviourCase[]): Promise<ServerResult[]> {
    const results: ServerResult[] = [];
    for (const point of members) if (!this.#isGone) results.push(await this.#confirmed(point));
    return results;
  }

  /** Says of a bad pair that its misbehaviours could not be tried alone. */
  #withDoubt(result: ServerResult): ServerResult {
    if (!this.#isGone || result.point.pair === undefined || !isBad(result)) return result;
    return { ...result, why: `${result.why ?? result.verdict}. Whether one of the two is enough could not be tried` };
  }

  async #try(point: MisbehaviourCase, fired: () => void): Promise<ServerResult> {
    const { clock } = this.#options;
    const began = clock.now();
    if (this.#isGone) {
      return { point, verdict: 'unreached', why: 'nobody can connect to it any more', duration: 0, stderrTail: '' };
    }
    const { cassette, baseline } = this.#sessions.of(casesOf(point));
    const attempt = await this.#attempt(cassette, casesOf(point), fired);
    const judgement = judgeServer({ points: casesOf(point), baseline, attempt });
    return resultOf(point, { judgement, attempt, baseline }, clock.now() - began);
  }

  /**
   * Judges a failed point again, without concurrent runs. The new baseline includes state that the first attempt has
   * created.
   */
  async #confirm({ point, ...before }: ServerResult): Promise<ServerResult> {
    const found = await this.#confirmed(point);
    const result = { ...found, duration: before.duration + found.duration };
    if (isBad(result) || before.verdict === 'corrupted') return result;
    return { ...result, why: `${before.verdict} among other runs, and not alone: ${before.why}` };
  }

  async #confirmed(point: MisbehaviourCase): Promise<ServerResult> {
    const { cassette, baseline } = this.#sessions.of(casesOf(point));
    return await this.#judgeAlone(point, { cassette, baseline: baselineOf([await this.#play(cassette)], baseline) });
  }

  /** Judges a point while nothing else runs, with controls where an answer differs. */
  async #judgeAlone(
    point: MisbehaviourCase,
    { cassette, baseline }: RepeatingSession = this.#sessions.of(casesOf(point)),
  ): Promise<ServerResult> {
    const { clock } = this.#options;
    const began = clock.now();
    let cases = casesOf(point);
    let attempt = await this.#attempt(cassette, cases);
    const judge = (controls?: Controls) =>
      judgeServer({ points: cases, baseline, attempt, ...(controls && { controls }) });
    let judgement = judge();
    // On a busy machine, a healthy server can miss the deadline once: only a second timeout counts.
    if (judgement.verdict === 'hung' && !this.#isGone && !this.#options.isOnceEnough) {
      attempt = await this.#attempt(cassette, cases);
      judgement = judge();
    }
    // An earlier session may also have overestimated the time that the server works on a request.
    const isInFlight = cases.some(({ misbehaviour, inFlight }) => misbehaviour.isInFlight && inFlight);
    for (let again = 0; again < IN_FLIGHT_RETRIES && isInFlight && judgement.verdict === 'unreached'; again++) {
      const { fresh } = attempt;
      if (fresh === undefined) break;
      const windowOf = ({ what: { entry }, inFlight }: PlayedCase) =>
        inFlight && inFlightWindows([fresh], new Map([[entry.event, inFlight]])).get(entry.event);
      cases = casesOf(withWindows(point, windowOf));
      attempt = await this.#attempt(cassette, cases);
      judgement = judge();
    }
    if (judgement.verdict === 'corrupted') judgement = judge(await this.#controls(cassette, cases));
    return resultOf(point, { judgement, attempt, baseline }, clock.now() - began);
  }

  async #controls(cassette: Cassette, cases: readonly MisbehaviourCase[]): Promise<Controls> {
    const controls = { without: [] as Attempt[], again: [] as Attempt[] };
    const losable = cases.filter(({ misbehaviour }) => misbehaviour.owes !== 'answer').map(instead(leaveOut));
    const subsets = losable.length > 1 ? [...losable.map((one) => [one]), losable] : losable.map((one) => [one]);
    for (const some of subsets) controls.without.push(await this.#attempt(cassette, some));
    const requests = cases.filter(({ what }) => what.kind === 'request').map(instead(askAgain));
    for (const one of requests) controls.again.push(await this.#attempt(cassette, [one]));
    return controls;
  }

  async #attempt(cassette: Cassette, points: readonly PlayedCase[], fired?: () => void): Promise<Attempt> {
    const faulty = await this.#play(cassette, points, fired);
    try {
      return { faulty, fresh: await this.#play(cassette) };
    } catch {
      this.#isGone = true;
      return { faulty, fresh: undefined };
    }
  }

  #play(cassette: Cassette, points?: readonly PlayedCase[], fired?: () => void): Promise<PlayedSession> {
    const { target, clock, ignore = [] } = this.#options;
    return playSession({ cassette, target, clock, ignore, deadline: this.#deadline, points, fired });
  }
}

/** Reports whether a result fails the sweep. The second misbehaviour of a pair may not happen. */
function isBad({ point, verdict, first }: Pick<ServerResult, 'point' | 'verdict' | 'first'>): boolean {
  if (SERVER_PAIR_VERDICTS.bad.has(verdict) || first !== undefined) return true;
  return verdict === 'unreached' && point.pair === undefined;
}

function instead(misbehaviour: PlayedCase['misbehaviour']): (one: MisbehaviourCase) => PlayedCase {
  return ({ what, when }) => ({ misbehaviour, what, when });
}

interface JudgedAttempt {
  judgement: Judgement;
  attempt: Attempt;
  baseline: Baseline;
}

/** Judges a pair by its first misbehaviour alone, if the second one did not happen. Undefined: not bad. */
function verdictByFirst(
  { pair }: MisbehaviourCase,
  { judgement, attempt, baseline }: JudgedAttempt,
): ServerVerdict | undefined {
  const { faulty } = attempt;
  if (pair === undefined || judgement.verdict !== 'unreached' || !faulty.hasFiredFirst) return undefined;
  const alone = { ...attempt, faulty: { ...faulty, hasFired: true } };
  const { verdict } = judgeServer({ points: [pair.cases[0]], baseline, attempt: alone });
  return BAD_SERVER.has(verdict) ? verdict : undefined;
}

function resultOf(point: MisbehaviourCase, judged: JudgedAttempt, duration: Milliseconds): ServerResult {
  const { judgement, attempt } = judged;
  const { faulty, fresh } = attempt;
  const first = verdictByFirst(point, judged);
  const why = reasonText(judgement);
  const { verdict, cause = judgement.why } = judgement;
  const stderrTail = standardErrorOf(faulty, fresh);
  const told = { ...(why !== undefined && { why }), ...(cause !== undefined && { cause }), ...(first && { first }) };
  const isUntested = point.pair !== undefined && !faulty.hasFiredFirst;
  return { point, verdict, ...told, ...(isUntested && { isUntested }), duration, stderrTail };
}
