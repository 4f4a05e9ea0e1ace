import type { Cassette } from '../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { Limits } from '../concurrency-limiter.ts';
import { appendLastCall } from './append-last-call.ts';
import { inFlightWindows } from './in-flight-window.ts';
import { type Baseline, baselineOf } from './judge/baseline.ts';
import type { Attempt, Controls } from './judge/evidence-types.ts';
import { judgeServer } from './judge/judge-server.ts';
import { BAD_SERVER, type Judgement, reasonText, type ServerVerdict } from './judge/server-verdict-table.ts';
import { BASELINE_DEADLINE, measureBaseline, type WithoutMisbehaviour } from './measure-baseline.ts';
import type { MisbehaviourCase, PlayedCase } from './misbehaviour-cases.ts';
import { askAgain, leaveOut } from './misbehaviours/repeat-message.ts';
import { type PlayedSession, playSession, standardErrorOf } from './play-session.ts';
import { runPoints } from './run-points.ts';
import type { ServerUnderTest } from './server-under-test-types.ts';

export interface SweepServerOptions {
  cassette: Cassette;
  target: ServerUnderTest;
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
   * Called with the points that are not run, before the first of the others is. `whyUnfit` says of any point why it would
   * not be run. Undefined: it would. An error that it throws ends the sweep.
   */
  leftOut?(unfit: readonly UnfitPoint[], whyUnfit: (point: MisbehaviourCase) => string | undefined): void;
  /** Takes a server that hung once, while nothing else ran, as one that hangs. Another run has to confirm it. */
  isOnceEnough?: boolean;
  /** Called with the result of each finished point. */
  done?(result: ServerResult): void;
  /** Called with each point with a bad verdict, before it is repeated. */
  suspected?(result: ServerResult): void;
}

/** The result of one point. */
export interface ServerResult {
  point: MisbehaviourCase;
  verdict: ServerVerdict;
  /** Observation, with the broken rule of the specification. */
  why?: string;
  /** The observation without names and values of single messages. */
  cause?: string;
  duration: Milliseconds;
  /** Last part of the server's standard error. */
  stderrTail: string;
}

/** A point that has no meaning at its request. */
export interface UnfitPoint {
  point: MisbehaviourCase;
  why: string;
}

export interface ServerSweep extends WithoutMisbehaviour {
  results: ServerResult[];
}

/**
 * Plays the recorded client to a server: for each point, one session with the misbehaviour and one without. Repeats
 * each failed point alone, with no concurrent runs.
 * @throws McpRecordError `SWEEP_BASELINE` if the server fails without any misbehaviour, or the error of a failed
 * connection
 */
export function sweepServer(options: SweepServerOptions): Promise<ServerSweep> {
  return new ServerSweeper(options).run();
}

class ServerSweeper {
  readonly #options: SweepServerOptions;
  #deadline: Milliseconds;
  /** The server accepts no connections any more. */
  #isGone = false;

  constructor(options: SweepServerOptions) {
    this.#options = { ...options, cassette: appendLastCall(options.cassette) };
    this.#deadline = options.deadline ?? BASELINE_DEADLINE;
  }

  async run(): Promise<ServerSweep> {
    const { room, leftOut, done, suspected, cassette, deadline, ignore = [] } = this.#options;
    const measured = await measureBaseline({ cassette, ignore, deadline, play: () => this.#play() });
    const { baseline, without } = measured;
    this.#deadline = measured.deadline;
    const { inFlight } = measured;
    const whyUnfit = ({ misbehaviour, what }: MisbehaviourCase) => misbehaviour.unfit?.(inFlight.get(what.entry.event));
    const unfit = this.#options.points.flatMap((point): UnfitPoint[] => {
      const why = whyUnfit(point);
      return why === undefined ? [] : [{ point, why }];
    });
    leftOut?.(unfit, whyUnfit);
    const points = this.#options.points
      .filter((point) => whyUnfit(point) === undefined)
      .map((point) => ({ ...point, inFlight: inFlight.get(point.what.entry.event) }));
    const [only] = points;
    if (only && points.length === 1) {
      const result = await this.#judgeAlone(only, baseline);
      done?.(result);
      return { results: [result], ...without };
    }
    const results = await runPoints<MisbehaviourCase, ServerResult>({
      points,
      room,
      isBad: ({ verdict }) => BAD_SERVER.has(verdict),
      attempt: (point, rest) => this.#try(point, baseline, rest),
      confirm: async (result) => (this.#isGone ? result : await this.#confirm(result, baseline)),
      done,
      suspected,
    });
    return { results, ...without };
  }

  async #try(point: MisbehaviourCase, baseline: Baseline, fired: () => void): Promise<ServerResult> {
    const { clock } = this.#options;
    const began = clock.now();
    if (this.#isGone) {
      return { point, verdict: 'unreached', why: 'nobody can connect to it any more', duration: 0, stderrTail: '' };
    }
    const attempt = await this.#attempt(point, fired);
    const judgement = judgeServer({ point, baseline, attempt });
    return resultOf(point, judgement, attempt, clock.now() - began);
  }

  /**
   * Judges a failed point again, without concurrent runs. The new baseline includes state that the first attempt has
   * created.
   */
  async #confirm({ point, ...before }: ServerResult, known: Baseline): Promise<ServerResult> {
    const baseline = baselineOf([await this.#play()], known);
    const found = await this.#judgeAlone(point, baseline);
    const result = { ...found, duration: before.duration + found.duration };
    if (BAD_SERVER.has(result.verdict) || before.verdict === 'corrupted') return result;
    return { ...result, why: `${before.verdict} among other runs, and not alone: ${before.why}` };
  }

  /** Judges a point while nothing else runs, with controls where an answer differs. */
  async #judgeAlone(point: MisbehaviourCase, baseline: Baseline): Promise<ServerResult> {
    const { clock } = this.#options;
    const began = clock.now();
    let attempt = await this.#attempt(point);
    let judgement = judgeServer({ point, baseline, attempt });
    // On a busy machine, a healthy server can miss the deadline once: only a second timeout counts.
    if (judgement.verdict === 'hung' && !this.#isGone && !this.#options.isOnceEnough) {
      attempt = await this.#attempt(point);
      judgement = judgeServer({ point, baseline, attempt });
    }
    const { fresh } = attempt;
    // The same holds for the time that the server works on a request: all earlier sessions may have been slower.
    if (judgement.verdict === 'unreached' && point.misbehaviour.isInFlight && point.inFlight && fresh) {
      const { event } = point.what.entry;
      const inFlight = inFlightWindows([fresh], new Map([[event, point.inFlight]])).get(event);
      attempt = await this.#attempt({ ...point, inFlight });
      judgement = judgeServer({ point, baseline, attempt });
    }
    if (judgement.verdict === 'corrupted') {
      judgement = judgeServer({ point, baseline, attempt, controls: await this.#controls(point) });
    }
    return resultOf(point, judgement, attempt, clock.now() - began);
  }

  async #controls({ what, when }: MisbehaviourCase): Promise<Controls> {
    const without = await this.#attempt({ misbehaviour: leaveOut, what, when });
    if (what.kind !== 'request') return { without };
    return { without, again: await this.#attempt({ misbehaviour: askAgain, what, when }) };
  }

  async #attempt(point: PlayedCase, fired?: () => void): Promise<Attempt> {
    const faulty = await this.#play(point, fired);
    try {
      return { faulty, fresh: await this.#play() };
    } catch {
      this.#isGone = true;
      return { faulty, fresh: undefined };
    }
  }

  #play(point?: PlayedCase, fired?: () => void): Promise<PlayedSession> {
    const { cassette, target, clock, ignore = [] } = this.#options;
    return playSession({ cassette, target, clock, ignore, deadline: this.#deadline, point, fired });
  }
}

function resultOf(
  point: MisbehaviourCase,
  judgement: Judgement,
  { faulty, fresh }: Attempt,
  duration: Milliseconds,
): ServerResult {
  const why = reasonText(judgement);
  const { verdict, cause = judgement.why } = judgement;
  const stderrTail = standardErrorOf(faulty, fresh);
  const told = { ...(why !== undefined && { why }), ...(cause !== undefined && { cause }) };
  return { point, verdict, ...told, duration, stderrTail };
}
