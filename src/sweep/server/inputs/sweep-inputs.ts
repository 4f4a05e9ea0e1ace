import type { Cassette } from '../../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../../kernel/clock.ts';
import type { Ignore } from '../../../match/ignore-rules.ts';
import type { Limits } from '../../concurrency-limiter.ts';
import type { Announcing } from '../../expected-duration.ts';
import { appendLastCall } from '../append-last-call.ts';
import { type Baseline, baselineOf } from '../judge/baseline.ts';
import { damageOf, withLastingDamage } from '../judge/lasting-damage.ts';
import { reasonText } from '../judge/server-verdict-kinds.ts';
import { BASELINE_DEADLINE, measureBaseline, type WithoutMisbehaviour } from '../measure-baseline.ts';
import { type PlayedSession, playSession, standardErrorOf } from '../play-session.ts';
import { runAndConfirmPoints } from '../run-and-confirm-points.ts';
import type { ServerUnderTest } from '../server-under-test-types.ts';
import type { Input, InputCase } from './input-cases.ts';
import { BAD_INPUT, CAUSED_BY_INPUT, type InputVerdict } from './input-verdict-kinds.ts';
import { insertCalls, withoutCalls } from './insert-calls.ts';
import { callOutcome, judgeInputs } from './judge-inputs.ts';
import { type FoundInput, findInput, type Judged } from './minimize-failing-input.ts';
import { type Arguments, shownArguments } from './serialize-arguments.ts';
import type { ListedTool } from './tools-listed-in-cassette.ts';

export interface SweepInputsOptions extends Announcing {
  cassette: Cassette;
  target: ServerUnderTest;
  points: readonly InputCase[];
  /** Places of answers that are not compared. */
  ignore?: readonly Ignore[];
  clock: Clock;
  /** Maximum number of concurrent runs. */
  room: Limits;
  /** Time limit for one answer, and for the exit of the server process, as in a server sweep. */
  deadline?: Milliseconds | undefined;
  /** Called with the result of each finished point. */
  done?(result: InputResult): void;
  /** Called with each bad result before the point is repeated. */
  suspected?(result: InputResult): void;
}

/** The result of one point. */
export interface InputResult {
  point: InputCase;
  verdict: InputVerdict;
  /** Observation, with the arguments and the violated rule of the specification. */
  why?: string;
  /** The observation without names and values of single messages. */
  cause?: string;
  /** Smallest call found that leads to the verdict. Absent: no single call leads to the verdict. */
  call?: { arguments?: Arguments };
  duration: Milliseconds;
  /** Last part of the server's standard error. */
  stderrTail: string;
}

export interface InputSweep extends WithoutMisbehaviour {
  results: InputResult[];
}

/** Reason for points after a server over HTTP has stopped accepting connections. */
const GONE = 'nobody can connect to it any more';
/** Grace period for the exit of a process whose exit is not judged. */
const SHORT_GRACE: Milliseconds = 100;

/**
 * Plays the recorded client to a server, and calls its tools with arguments that it has not recorded. All calls of a
 * point are in one session. A point with a bad verdict is repeated alone, with fewer calls and smaller arguments.
 * @throws McpRecordError `SWEEP_BASELINE` if the server fails without these calls, or the error of a failed connection
 */
export function sweepInputs(options: SweepInputsOptions): Promise<InputSweep> {
  return new InputSweeper(options).run();
}

class InputSweeper {
  readonly #options: SweepInputsOptions;
  #deadline: Milliseconds;
  #ordinary!: PlayedSession;
  #baseline!: Baseline;
  /** Point → the call that probably led to its verdict. */
  readonly #suspects = new Map<InputCase, Input>();
  readonly #slow = new Map<ListedTool, Promise<boolean>>();
  /** Whether the server has stopped accepting connections. */
  #isGone = false;
  /** Point after which no session with a server over HTTP was as before. */
  #damagedAt: InputCase | undefined;
  /** Whether the server has accepted a call of a tool that may change something. */
  #mayHaveStored = false;

  constructor(options: SweepInputsOptions) {
    this.#options = { ...options, cassette: appendLastCall(options.cassette) };
    this.#deadline = options.deadline ?? BASELINE_DEADLINE;
  }

  async run(): Promise<InputSweep> {
    const { points, room, done, suspected, cassette, deadline, ignore = [] } = this.#options;
    const play = () => this.#play(cassette);
    const measured = await measureBaseline({ cassette, ignore, deadline, play });
    this.#deadline = measured.deadline;
    this.#ordinary = measured.session;
    this.#baseline = measured.baseline;
    const session = measured.session.run.duration;
    const times = points.map(({ inputs }) => 2 * session + inputs.length * measured.slowest);
    const usual = times.reduce((sum, time) => sum + time, 0) / Math.min(room.busy, points.length);
    this.#options.measured?.({ session, deadline: this.#deadline, usual });
    const results = await runAndConfirmPoints<InputCase, InputResult>({
      points,
      room,
      isBad: ({ verdict }) => !this.#isSerial && BAD_INPUT.has(verdict),
      attempt: (point) => this.#try(point),
      confirm: (result) => this.#confirm(result),
      done,
      suspected,
    });
    return { results, ...measured.without };
  }

  /** One server over HTTP serves all sessions, one after the other. */
  get #isSerial(): boolean {
    const { target, room, points } = this.#options;
    return target.transport === 'http' && (room.all === 1 || points.length === 1);
  }

  #unreached(point: InputCase): InputResult {
    const damage = this.#damagedAt && `not tested, because the server is damaged at ${this.#damagedAt.name}`;
    return { point, verdict: 'unreached', why: damage ?? GONE, duration: 0, stderrTail: '' };
  }

  async #try(point: InputCase): Promise<InputResult> {
    const { clock } = this.#options;
    const began = clock.now();
    if (this.#isGone || this.#damagedAt) return this.#unreached(point);
    const { inputs } = point;
    const { fresh, ...judgement } = await this.#judge(point, inputs);
    const suspect = inputs[judgement.input ?? -1];
    if (suspect) this.#suspects.set(point, suspect);
    this.#mayHaveStored ||= judgement.mayHaveStored === true;
    if (this.#isSerial && (await this.#isDamagedAt(point, fresh, judgement))) {
      return resultOf(point, { judgement: withLastingDamage(judgement), inputs }, clock.now() - began);
    }
    const result = resultOf(point, { judgement, inputs }, clock.now() - began);
    return this.#isSerial && BAD_INPUT.has(result.verdict) ? await this.#confirm(result) : result;
  }

  /**
   * Reports whether no session on a server over HTTP is as before a point. What a tool has stored that may do so is no
   * damage: the baseline is taken again. `fresh`: a session without inserted calls after the point.
   */
  async #isDamagedAt(
    point: InputCase,
    fresh: PlayedSession | undefined,
    { mayHaveStored }: Pick<Judged, 'mayHaveStored'>,
  ): Promise<boolean> {
    const baseline = this.#baseline;
    if (this.#options.target.transport !== 'http' || fresh === undefined) return false;
    if (damageOf(fresh, baseline) === undefined) return false;
    const second = await this.#tryPlay(this.#options.cassette);
    const damage = second && damageOf(second, baseline);
    if (second === undefined || damage === undefined) return false;
    if (mayHaveStored && damage.unanswered.size === 0) {
      this.#ordinary = second;
      this.#baseline = baselineOf([fresh, second], { ...baseline, answers: new Map() });
      return false;
    }
    this.#damagedAt = point;
    return true;
  }

  /** Judges a failed point again, without concurrent runs, and finds the smallest call that leads to the verdict. */
  async #confirm(before: InputResult): Promise<InputResult> {
    const { point, verdict } = before;
    const { clock, cassette } = this.#options;
    if (this.#damagedAt) return this.#unreached(point);
    if (this.#isGone) return before;
    const began = clock.now();
    // Calls of other points may have created state.
    const ordinary = await this.#tryPlay(cassette);
    if (ordinary === undefined) return before;
    const stored = { ...(this.#mayHaveStored && { mayHaveStored: true as const }) };
    if (!this.#isSerial && (await this.#isDamagedAt(point, ordinary, stored))) return withLastingDamage(before);
    this.#ordinary = ordinary;
    this.#baseline = baselineOf([ordinary], this.#baseline);
    if (verdict === 'hung' && (await this.#isSlow(point))) return this.#resultOfSlow(before);
    const found = await findInput({
      point,
      suspect: this.#suspects.get(point),
      judge: (inputs) => this.#judge(point, inputs),
      fails: (wanted, args) => this.#fails(point, wanted, args),
    });
    const duration = before.duration + clock.now() - began;
    const isSeveral = found.inputs.length > 1 && CAUSED_BY_INPUT.has(found.judgement.verdict) && !this.#isGone;
    const result = (isSeveral ? resultOfSeveral : resultOf)(point, found, duration);
    if (BAD_INPUT.has(result.verdict)) return result;
    if (this.#isGone) return before;
    return { ...result, why: `${verdict} among other runs, and not alone: ${before.why}` };
  }

  /** Reports whether a call leads to a verdict. No session follows it. */
  async #fails(point: InputCase, verdict: InputVerdict, args: Arguments): Promise<boolean> {
    if (verdict !== 'hung') return (await this.#judge(point, [{ args }], this.#ordinary)).verdict === verdict;
    // The session ends with the inserted call: only that answer can be missing.
    const { cassette, at } = insertCalls(this.#options.cassette, [{ tool: point.tool.name, args }]);
    const session = await this.#tryPlay({ ...cassette, events: cassette.events.slice(0, at + 2) }, SHORT_GRACE);
    return session !== undefined && callOutcome(session, 0) === 'unanswered';
  }

  /** Reports whether a tool even leaves a valid call unanswered. */
  #isSlow(point: InputCase): Promise<boolean> {
    const { tool, smallest } = point;
    const known = this.#slow.get(tool) ?? this.#fails(point, 'hung', smallest);
    this.#slow.set(tool, known);
    return known;
  }

  #resultOfSlow(before: InputResult): InputResult {
    const shown = shownArguments(before.point.smallest);
    const why = `the tool does not answer ${shown} within ${Math.round(this.#deadline)} ms either: give it more with --deadline`;
    return { ...before, verdict: 'unreached', why };
  }

  async #judge(
    point: InputCase,
    inputs: readonly Input[],
    fresh?: PlayedSession,
  ): Promise<Judged & { fresh?: PlayedSession | undefined }> {
    if (this.#isGone) return { verdict: 'unreached', why: GONE, stderrTail: '' };
    const { kind, tool } = point;
    const calls = inputs.map(({ args }) => ({ tool: tool.name, args }));
    const { cassette, at } = insertCalls(this.#options.cassette, calls);
    const played = await this.#tryPlay(cassette);
    if (played === undefined) return { verdict: 'unreached', why: GONE, stderrTail: '' };
    const [ordinary, baseline] = [this.#ordinary, this.#baseline];
    const faulty = withoutCalls(played, { at, count: calls.length, plan: ordinary.run.plan });
    const next = fresh ?? (await this.#tryPlay(this.#options.cassette));
    const attempt = { faulty, fresh: next };
    const judgement = judgeInputs({ point: { kind, tool }, baseline, ordinary, attempt, count: calls.length });
    const stderrTail = standardErrorOf(faulty, fresh === undefined ? next : undefined);
    return { ...judgement, stderrTail, fresh: next };
  }

  /** Plays a session. Undefined: the server accepts no connection any more. */
  async #tryPlay(cassette: Cassette, grace?: Milliseconds): Promise<PlayedSession | undefined> {
    try {
      return await this.#play(cassette, grace);
    } catch {
      this.#isGone = true;
      return undefined;
    }
  }

  #play(cassette: Cassette, grace?: Milliseconds): Promise<PlayedSession> {
    const { target, clock, ignore = [] } = this.#options;
    const limits = { deadline: this.#deadline, ...(grace && { grace }) };
    // An inserted call may lead to the recorded question, whose answer the recorded call needs, too.
    return playSession({ cassette, target, clock, ignore, ...limits, repeat: 'last' });
  }
}

function resultOf(point: InputCase, { judgement, inputs }: FoundInput, duration: Milliseconds): InputResult {
  const { verdict, stderrTail, cause = judgement.why } = judgement;
  const reason = reasonText({ ...judgement, verdict: 'passed' });
  const input = inputs.length === 1 ? inputs[0] : inputs[judgement.input ?? -1];
  const why = reason && `with ${input ? shownArguments(input.args) : `${inputs.length} calls`}: ${reason}`;
  const call = input && { call: input.args === undefined ? {} : { arguments: input.args } };
  const told = { ...(why !== undefined && { why }), ...(cause !== undefined && { cause }) };
  return { point, verdict, ...told, ...call, duration, stderrTail };
}

/** Returns the result of calls of which none leads to the verdict alone. */
function resultOfSeveral(point: InputCase, { judgement, inputs }: FoundInput, duration: Milliseconds): InputResult {
  const { input, ...rest } = judgement;
  const last = inputs[input ?? -1];
  const result = resultOf(point, { judgement: rest, inputs }, duration);
  const which = last ? `, of which ${shownArguments(last.args)} has no answer` : '';
  return {
    ...result,
    why: `none of ${inputs.length} calls does it alone${which}: ${reasonText({ ...rest, verdict: 'passed' }) ?? ''}`,
  };
}
