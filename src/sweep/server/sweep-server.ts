import type { Cassette } from '../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { Limits } from '../concurrency-limiter.ts';
import type { Announcing } from '../expected-duration.ts';
import { judgedPairs } from '../judge-two-fault-runs.ts';
import { appendLastCall } from './append-last-call.ts';
import { inFlightWindows } from './in-flight-window.ts';
import { baselineOf } from './judge/baseline.ts';
import { playControls, playEachControl } from './judge/control-cases.ts';
import type { Attempt, Controls } from './judge/evidence-types.ts';
import { judgeServer } from './judge/judge-server.ts';
import { damageOf, isStoredState, judgeLastingDamage, withLastingDamage } from './judge/lasting-damage.ts';
import { isBad, resultOf, type ServerResult, untestedResult } from './judge/server-result.ts';
import type { ServerVerdict } from './judge/server-verdict-kinds.ts';
import {
  BASELINE_DEADLINE,
  expectedSessions,
  measureBaseline,
  type RepeatingSession,
  type RepeatingSessions,
  repeatRequests,
  type WithoutMisbehaviour,
} from './measure-baseline.ts';
import type { MisbehaviourCase, PlayedCase, UnfitPoint } from './misbehaviour-cases.ts';
import { type PlayedSession, playSession } from './play-session.ts';
import { runAndConfirmPoints } from './run-and-confirm-points.ts';
import type { ServerUnderTest } from './server-under-test-types.ts';
import { SharedFreshSessions } from './shared-fresh-sessions.ts';
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

export interface ServerSweep extends WithoutMisbehaviour, Pick<RepeatingSessions, 'notRepeated'> {
  /** Results. For pairs: first the bad results of single misbehaviours, then the results of pairs. */
  results: ServerResult[];
}

/**
 * Plays the recorded client to a server: for each point, one session with the misbehaviour and one without, which points
 * that run at once share over stdio. Repeats each failed point alone. Plays the misbehaviours of each failed pair alone,
 * too.
 * @throws McpRecordError `SWEEP_BASELINE` if the server fails without any misbehaviour, or the error of a failed
 * connection
 */
export function sweepServer(options: SweepServerOptions): Promise<ServerSweep> {
  return new ServerSweeper(options).run();
}

/** Maximum number of retries of a cancellation that came after the answer. */
const IN_FLIGHT_RETRIES = 3;

type Shared = SharedFreshSessions<MisbehaviourCase, PlayedSession>;

class ServerSweeper {
  readonly #options: SweepServerOptions;
  #deadline: Milliseconds;
  #sessions!: RepeatingSessions;
  /** The server accepts no connections any more. */
  #isGone = false;
  /** Point after which no session was answered as before. Over HTTP, all later points have the same server. */
  #damagedAt: MisbehaviourCase | undefined;

  constructor(options: SweepServerOptions) {
    this.#options = { ...options, cassette: appendLastCall(options.cassette) };
    this.#deadline = options.deadline ?? BASELINE_DEADLINE;
  }

  async run(): Promise<ServerSweep> {
    const { leftOut, cassette, deadline, ignore = [] } = this.#options;
    const measured = await measureBaseline({ cassette, ignore, deadline, play: () => this.#play(cassette) });
    const { baseline, without, inFlight } = measured;
    this.#deadline = measured.deadline;
    const windowOf = ({ what }: PlayedCase) => inFlight.get(what.entry.event);
    const whyUnfit = (point: MisbehaviourCase) =>
      casesOf(point)
        .map((one) => one.misbehaviour.unfit?.(windowOf(one)))
        .find((why) => why !== undefined);
    const judged = this.#options.points.map((point) => ({ point, why: whyUnfit(point) }));
    leftOut?.(
      judged.filter((one): one is UnfitPoint => one.why !== undefined),
      whyUnfit,
    );
    const points = judged.flatMap(({ point, why }) => (why === undefined ? withWindows(point, windowOf) : []));
    const sessions = points.map(casesOf);
    this.#options.measured?.(expectedSessions(measured, sessions, this.#options.room));
    this.#sessions = await repeatRequests({ cassette, baseline, sessions, play: (one) => this.#play(one) });
    // Over HTTP, the repeated requests may have changed what later sessions find.
    if (this.#options.target.transport === 'http') await this.#sessions.renew();
    const found = await this.#run(points);
    const results = await judgedPairs<MisbehaviourCase, ServerVerdict, ServerResult>(
      found,
      SERVER_PAIR_VERDICTS,
      (some) => this.#runAlone(some),
    );
    return { ...without, notRepeated: this.#sessions.notRepeated, results: results.map((one) => this.#withDoubt(one)) };
  }

  /** No two runs are active at once, so a run changes the server only for later ones. */
  get #isSerial(): boolean {
    return this.#options.room.all === 1 || this.#options.points.length === 1;
  }

  get #canRun(): boolean {
    return !this.#isGone && this.#damagedAt === undefined;
  }

  #unreached(point: MisbehaviourCase): ServerResult {
    return untestedResult(point, this.#damagedAt);
  }

  async #run(points: readonly MisbehaviourCase[]): Promise<ServerResult[]> {
    const { room, done, suspected } = this.#options;
    const [only] = points;
    if (only && points.length === 1) {
      const result = await this.#judgeAlone(only);
      done?.(result);
      return [result];
    }
    const shared = this.#sharedSessions(points);
    return await runAndConfirmPoints<MisbehaviourCase, ServerResult>({
      points,
      inTurn: shared?.points,
      room,
      isBad: (result) => !this.#isSerial && isBad(result),
      attempt: (point, rest) => this.#try(point, rest, shared),
      confirm: (result) => this.#confirm(result),
      repeatNeighbour: shared && ((point) => this.#confirmed(point)),
      done,
      suspected,
    });
  }

  /** Judges the misbehaviours of bad pairs alone. */
  async #runAlone(members: readonly MisbehaviourCase[]): Promise<ServerResult[]> {
    const results: ServerResult[] = [];
    for (const point of members) if (this.#canRun) results.push(await this.#confirmed(point));
    return results;
  }

  /** Says of a bad pair that its misbehaviours could not be tried alone. */
  #withDoubt(result: ServerResult): ServerResult {
    if (this.#canRun || result.point.pair === undefined || !isBad(result)) return result;
    return { ...result, why: `${result.why ?? result.verdict}. Whether one of the two is enough could not be tried` };
  }

  /** Over HTTP, a session of its own after each point finds the point that has damaged the server for all later ones. */
  #sharedSessions(points: readonly MisbehaviourCase[]): Shared | undefined {
    const { room, target } = this.#options;
    if (this.#isSerial || target.transport === 'http') return undefined;
    return new SharedFreshSessions(points, {
      cassetteOf: (point) => this.#sessions.of(casesOf(point)).cassette,
      play: (cassette) => this.#play(cassette),
      all: room.all,
    });
  }

  async #try(point: MisbehaviourCase, fired: () => void, shared?: Shared): Promise<ServerResult> {
    const { clock } = this.#options;
    const began = clock.now();
    if (!this.#canRun) shared?.leaveOut(point);
    if (!this.#canRun) return this.#unreached(point);
    const { cassette, baseline } = this.#sessions.of(casesOf(point));
    const attempt = await this.#attempt(cassette, casesOf(point), { fired, fresh: () => shared?.after(point) });
    const isDamaged = this.#isSerial && (await this.#isDamagedAt(point, attempt.fresh));
    const judgement = (isDamaged ? judgeLastingDamage : judgeServer)({ points: casesOf(point), baseline, attempt });
    const result = resultOf(point, { judgement, attempt, baseline }, clock.now() - began);
    // A later point may end or damage the server, so a suspect is judged again at once if nothing else runs.
    return this.#isSerial && isBad(result) ? await this.#confirm(result) : result;
  }

  /**
   * Judges a failed point again, without concurrent runs. The new baseline includes state that the first attempt has
   * created.
   */
  async #confirm(before: ServerResult): Promise<ServerResult> {
    const { point } = before;
    if (this.#damagedAt && !this.#isSerial) return this.#unreached(point);
    if (!this.#canRun) return before;
    const found = await this.#confirmed(point, before);
    const result = { ...found, duration: before.duration + found.duration };
    if (isBad(result) || before.verdict === 'corrupted') return result;
    return { ...result, why: `${before.verdict} among other runs, and not alone: ${before.why}` };
  }

  async #confirmed(point: MisbehaviourCase, before?: ServerResult): Promise<ServerResult> {
    if (!this.#canRun) return before ?? this.#unreached(point);
    const { cassette, baseline } = this.#sessions.of(casesOf(point));
    const session = await this.#play(cassette);
    if (await this.#isDamagedAt(point, session)) {
      return before ? withLastingDamage(before) : this.#unreached(point);
    }
    return await this.#judgeAlone(point, { cassette, baseline: baselineOf([session], baseline) });
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
    if (await this.#isDamagedAt(point, attempt.fresh)) {
      judgement = judgeLastingDamage({ points: cases, baseline, attempt });
      return resultOf(point, { judgement, attempt, baseline }, clock.now() - began);
    }
    // On a busy machine, a healthy server can miss the deadline once: only a second timeout counts.
    if (judgement.verdict === 'hung' && !this.#isGone && !this.#options.isOnceEnough) {
      attempt = await this.#attempt(cassette, cases);
      judgement = judge();
    }
    // An earlier session may also have overestimated the time that the server works on a request.
    const isInFlight = cases.some((one) => one.misbehaviour.isInFlight && one.inFlight);
    for (let again = 0; again < IN_FLIGHT_RETRIES && isInFlight && judgement.verdict === 'unreached'; again++) {
      const { fresh } = attempt;
      if (fresh === undefined) break;
      const windowOf = ({ what: { entry }, inFlight }: PlayedCase) =>
        inFlight && inFlightWindows([fresh], new Map([[entry.event, inFlight]])).get(entry.event);
      cases = casesOf(withWindows(point, windowOf));
      attempt = await this.#attempt(cassette, cases);
      judgement = judge();
    }
    if (judgement.verdict === 'corrupted')
      judgement = judge(await playControls(cases, (some) => this.#attempt(cassette, some)));
    return resultOf(point, { judgement, attempt, baseline }, clock.now() - began);
  }

  /**
   * Reports whether a server over HTTP is damaged for good after a point: no session is as in the first baseline.
   * `fresh`: the session without misbehaviour after the point.
   */
  async #isDamagedAt(point: MisbehaviourCase, fresh: PlayedSession | undefined): Promise<boolean> {
    const { cassette, baseline } = this.#sessions.of(casesOf(point));
    if (this.#options.target.transport !== 'http' || fresh === undefined) return false;
    if (damageOf(fresh, baseline) === undefined) return false;
    const { fresh: second } = await this.#attempt(cassette, []);
    if (second === undefined || damageOf(second, baseline) === undefined) return false;
    // Of sessions at once, any may have lost what the server does not store now.
    const cases = this.#isSerial ? casesOf(point) : this.#options.points.flatMap(casesOf);
    const controls = playEachControl(cases, (some) => this.#attempt(cassette, some));
    if (await isStoredState({ baseline, sessions: [fresh, second], controls })) {
      await this.#sessions.renew();
      return false;
    }
    this.#damagedAt = point;
    return true;
  }

  async #attempt(
    cassette: Cassette,
    points: readonly PlayedCase[],
    { fired, fresh }: { fired?: () => void; fresh?: () => Promise<PlayedSession> | undefined } = {},
  ): Promise<Attempt> {
    const faulty = await this.#play(cassette, points, fired);
    // A session that ended before its misbehaviour waits from now on, too.
    fired?.();
    try {
      return { faulty, fresh: await (fresh?.() ?? this.#play(cassette)) };
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
