import type { Cassette } from '../../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../../kernel/clock.ts';
import type { Ignore } from '../../../match/ignore-rules.ts';
import type { Limits } from '../../concurrency-limiter.ts';
import { type Announcing, timeOfRuns } from '../../expected-duration.ts';
import { confirmedOrders } from '../../orders/confirmed-orders.ts';
import type { OrderedMessage } from '../../orders/ordered-message.ts';
import { appendLastCall } from '../append-last-call.ts';
import { type Baseline, baselineOf } from '../judge/baseline.ts';
import { changedAnswers } from '../judge/changed-answers.ts';
import type { Attempt } from '../judge/evidence-types.ts';
import { judgeServer } from '../judge/judge-server.ts';
import { damageOf, judgeLastingDamage } from '../judge/lasting-damage.ts';
import { reasonText } from '../judge/server-verdict-kinds.ts';
import { BASELINE_DEADLINE, measureBaseline, type WithoutMisbehaviour } from '../measure-baseline.ts';
import { type PlayedSession, standardErrorOf } from '../play-session.ts';
import { runAndConfirmPoints } from '../run-and-confirm-points.ts';
import type { ServerUnderTest } from '../server-under-test-types.ts';
import {
  judgeChangedAnswers,
  MAY_TAKE_ANY_ORDER,
  OF_ORDER,
  type OrderJudgement,
  orderProgress,
} from './judge-order.ts';
import { OrderControls } from './order-controls.ts';
import { OrderPlayer } from './order-player.ts';
import { type OrderTiming, orderTiming } from './order-timing.ts';
import { ordersOneByOne } from './orders-one-by-one.ts';
import type { ServerOrderCase } from './server-order-cases.ts';
import { SERVER_ORDER_VERDICTS, type ServerOrderVerdict } from './server-order-verdicts.ts';

export interface SweepServerOrdersOptions extends Announcing {
  cassette: Cassette;
  target: ServerUnderTest;
  points: readonly ServerOrderCase[];
  /** All messages of the client that have an order. */
  messages: readonly OrderedMessage[];
  /** Places of answers that are not compared. */
  ignore?: readonly Ignore[];
  clock: Clock;
  /** Maximum number of concurrent runs. A server over HTTP serves all sessions, so there is one at a time. */
  room: Limits;
  /** Time limit for one answer, and for the exit of the server process, as in a server sweep. */
  deadline?: Milliseconds | undefined;
  /** Whether to accept a failure after one run, unexplained. A later run has to confirm it. */
  isOnceEnough?: boolean;
  /** Called with the result of each finished point. */
  done?(result: ServerOrderResult): void;
  /** Called with each bad result before the point is repeated. */
  suspected?(result: ServerOrderResult): void;
}

/** The result of one order. */
export interface ServerOrderResult {
  point: ServerOrderCase;
  verdict: ServerOrderVerdict;
  /** Observation, with the violated rule of the specification. */
  why?: string;
  /** The observation without names and values of single messages. */
  cause?: string;
  duration: Milliseconds;
  /** Last part of the server's standard error. */
  stderrTail: string;
}

export interface ServerOrderSweep extends WithoutMisbehaviour {
  /** From the smallest difference to the largest. */
  results: ServerOrderResult[];
}

/** Gives the orders on which the answer to one request depends one reason, the first. */
function withOneReason(results: readonly ServerOrderResult[]): ServerOrderResult[] {
  const reasons = new Map<string, string>();
  return results.map((result) => {
    const { verdict, why, cause } = result;
    if (verdict !== 'depends' || why === undefined || cause === undefined) return result;
    const reason = reasons.get(cause) ?? why;
    reasons.set(cause, reason);
    return { ...result, why: reason };
  });
}

/** Reason for points after a server over HTTP has stopped accepting connections. */
const GONE = 'nobody can connect to it any more';
/** Number of sessions that have to pass, unless the messages surely arrive in their order. */
const SESSIONS = 3;
const ONE_AT_A_TIME: Limits = { busy: 1, all: 1 };

/**
 * Plays the recorded client to a server, with its messages in other orders. Each failure has come twice.
 * @throws McpRecordError `SWEEP_BASELINE` if the server fails in the recorded order, or the error of a failed connection
 */
export function sweepServerOrders(options: SweepServerOrdersOptions): Promise<ServerOrderSweep> {
  return new OrderSweeper(options).run();
}

interface JudgedOrder {
  judgement: OrderJudgement;
  stderrTail: string;
}

class OrderSweeper {
  readonly #options: SweepServerOrdersOptions;
  readonly #player: OrderPlayer;
  #baseline!: Baseline;
  readonly #controls: OrderControls;
  /** Order after which no session with a server over HTTP was as before. */
  #damagedAt: ServerOrderCase | undefined;
  /** Sessions with one request after the other, by their orders. */
  readonly #oneByOne = new Map<string, Promise<PlayedSession | undefined>>();
  /** The server accepts no connections any more. */
  #isGone = false;

  constructor(options: SweepServerOrdersOptions) {
    this.#options = options;
    const { target, messages, ignore = [], clock, deadline = BASELINE_DEADLINE } = options;
    const cassette = appendLastCall(options.cassette);
    this.#player = new OrderPlayer({ cassette, target, messages, ignore, clock, deadline });
    this.#controls = new OrderControls({
      messages,
      playOneByOne: (order) => this.#unlessGone(() => this.#player.playOneByOne(order)),
      playRecorded: () => this.#unlessGone(() => this.#player.playRecorded()),
    });
  }

  /** One server serves all sessions. */
  get #isShared(): boolean {
    return this.#options.target.transport === 'http';
  }

  async run(): Promise<ServerOrderSweep> {
    const { points, messages, cassette, deadline, ignore = [], done, suspected } = this.#options;
    const room = this.#isShared ? ONE_AT_A_TIME : this.#options.room;
    const player = this.#player;
    const measured = await measureBaseline({ cassette, ignore, deadline, play: () => player.playRecorded() });
    player.deadline = measured.deadline;
    this.#baseline = measured.baseline;
    const session = measured.session.run.duration;
    const usual = timeOfRuns(points.length, (this.#isShared ? 4 : 2) * session, room);
    this.#options.measured?.({ session, deadline: measured.deadline, usual });
    const isBad = ({ verdict }: ServerOrderResult) => SERVER_ORDER_VERDICTS.bad.has(verdict);
    const found = await runAndConfirmPoints<ServerOrderCase, ServerOrderResult>({
      points,
      room,
      isBad: () => false,
      attempt: (point) => this.#try(point),
      confirm: async (result) => result,
      done: (result) => (isBad(result) ? suspected?.(result) : done?.(result)),
    });
    if (this.#options.isOnceEnough) return { results: found, ...measured.without };
    const known = new Map(found.map((result) => [result.point.name, result]));
    const results = await confirmedOrders<ServerOrderVerdict, ServerOrderResult>(found, {
      messages,
      verdicts: SERVER_ORDER_VERDICTS,
      movedLines: ({ point }) => point.order.map(({ line }) => line),
      failureOf: ({ verdict, cause }) => `${verdict} ${cause}`,
      // Which answer is wrong, and how, may depend on the moment.
      confirms: (first, second) => first.verdict === 'corrupted' && second.verdict === 'corrupted',
      unhurried: (point) => ({ ...point, isUnhurried: true }),
      again: async (point) => (await this.#tryAlone(point)) ?? known.get(point.name)!,
    });
    for (const result of results) if (isBad(known.get(result.point.name)!)) done?.(result);
    return { results: withOneReason(results), ...measured.without };
  }

  /** Judges a point while nothing else runs. Undefined: the server accepts no connection any more, or is damaged. */
  async #tryAlone(point: ServerOrderCase): Promise<ServerOrderResult | undefined> {
    if (this.#damagedAt) return undefined;
    // Other sessions may have created state.
    const recorded = await this.#unlessGone(() => this.#player.playRecorded());
    if (recorded === undefined) return undefined;
    this.#baseline = baselineOf([recorded], this.#baseline);
    this.#oneByOne.clear();
    return await this.#try(point);
  }

  async #try(point: ServerOrderCase): Promise<ServerOrderResult> {
    const { clock } = this.#options;
    const began = clock.now();
    const { judgement, stderrTail } = await this.#judgeUndamaged(point);
    const { verdict, cause = judgement.why } = judgement;
    const isRuled = SERVER_ORDER_VERDICTS.bad.has(verdict);
    const why = isRuled ? reasonText({ ...judgement, verdict: 'passed' }) : judgement.why;
    const told = { ...(why !== undefined && { why }), ...(cause !== undefined && { cause }) };
    return { point, verdict, ...told, duration: clock.now() - began, stderrTail };
  }

  async #judgeUndamaged(point: ServerOrderCase): Promise<JudgedOrder> {
    const damaged = this.#damagedAt && `not tested, because the server is damaged at ${this.#damagedAt.name}`;
    if (damaged) return { judgement: { verdict: 'unreached', why: damaged }, stderrTail: '' };
    if (!this.#isShared) return await this.#judge(point);
    const { baseline, stored, damaging } = await this.#controls.before(point.order, this.#baseline);
    this.#baseline = baseline;
    if (damaging) return this.#judgeDamage(point, damaging);
    const judged = await this.#judge(point);
    if (judged.judgement.verdict !== 'passed' || stored === undefined) return judged;
    const why = `${stored}, as when the requests are made one after the other. ${MAY_TAKE_ANY_ORDER}`;
    return { ...judged, judgement: { verdict: 'depends', why, cause: 'later answers depend on the order' } };
  }

  #judgeDamage(point: ServerOrderCase, attempt: Attempt): JudgedOrder {
    this.#damagedAt = point;
    const judgement = judgeLastingDamage({ points: [OF_ORDER], baseline: this.#baseline, attempt }) as OrderJudgement;
    return { judgement, stderrTail: standardErrorOf(attempt.faulty, attempt.fresh) };
  }

  /** Reports whether no later session on a server over HTTP is as before. `fresh`: the first one after the order. */
  async #isDamagedAfter(fresh: PlayedSession | undefined): Promise<boolean> {
    if (!this.#isShared || fresh === undefined || damageOf(fresh, this.#baseline) === undefined) return false;
    const second = await this.#unlessGone(() => this.#player.playRecorded());
    return second !== undefined && damageOf(second, this.#baseline) !== undefined;
  }

  /**
   * Judges an order. If it passes over HTTP, it is played again until its requests were in flight at once, and several times
   * unless they surely arrived in their order.
   */
  async #judge(point: ServerOrderCase): Promise<JudgedOrder> {
    let [passes, apart] = [0, 0];
    for (;;) {
      const { timing, ...judged } = await this.#judgeSession(point);
      if (judged.judgement.verdict !== 'passed' || timing === undefined || !this.#isShared) return judged;
      if (timing.apart === undefined) passes += timing.isSurelyOrdered ? SESSIONS : 1;
      else if (++apart === SESSIONS) return { ...judged, judgement: { verdict: 'unreached', why: timing.apart } };
      if (passes >= SESSIONS) return judged;
    }
  }

  async #judgeSession(point: ServerOrderCase): Promise<JudgedOrder & { timing?: OrderTiming }> {
    const played = await this.#unlessGone(() => this.#player.playOrder(point));
    if (played === undefined) return { judgement: { verdict: 'unreached', why: GONE }, stderrTail: '' };
    const { hasBegun, hasWaitedInVain, why } = orderProgress(played.played, played.reordered);
    const timing = orderTiming(played.played, played.reordered);
    const fresh = await this.#unlessGone(() => this.#player.playRecorded());
    const faulty = { ...played.session, hasFired: hasBegun };
    if (await this.#isDamagedAfter(fresh)) return this.#judgeDamage(point, { faulty, fresh });
    const stderrTail = standardErrorOf(faulty, fresh);
    const unreached: OrderJudgement = { verdict: 'unreached', ...(why !== undefined && { why }) };
    if (hasWaitedInVain) return { judgement: unreached, stderrTail };
    const baseline = this.#baseline;
    const evidence = { points: [OF_ORDER], baseline, attempt: { faulty, fresh } };
    const judgement = judgeServer(evidence) as OrderJudgement;
    const isIncomplete = judgement.verdict === 'passed' || judgement.verdict === 'unreached';
    if (isIncomplete && why !== undefined) return { judgement: unreached, stderrTail };
    if (judgement.verdict !== 'corrupted') return { judgement, stderrTail, timing };
    const explained = await judgeChangedAnswers(changedAnswers(evidence), {
      baseline,
      oneByOne: this.#oneByOneIn(point),
      afterOneByOne: () => this.#afterOneByOne(point),
      session: faulty,
      fresh,
    });
    return { judgement: explained, stderrTail };
  }

  async *#oneByOneIn({ order }: ServerOrderCase): AsyncGenerator<PlayedSession> {
    for (const other of ordersOneByOne(this.#options.messages, order)) {
      const name = other.map(({ message }) => message).join();
      const session = this.#oneByOne.get(name) ?? this.#unlessGone(() => this.#player.playOneByOne(other));
      this.#oneByOne.set(name, session);
      const played = await session;
      if (played) yield played;
    }
  }

  async #afterOneByOne({ order }: ServerOrderCase): Promise<PlayedSession | undefined> {
    return await this.#unlessGone(async () => {
      await this.#player.playOneByOne(order);
      return await this.#player.playRecorded();
    });
  }

  /** Plays a session. Undefined: the server accepts no connection any more. */
  async #unlessGone<Played>(play: () => Promise<Played>): Promise<Played | undefined> {
    if (this.#isGone) return undefined;
    try {
      return await play();
    } catch {
      this.#isGone = true;
      return undefined;
    }
  }
}
