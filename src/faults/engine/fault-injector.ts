import { isBareRefusal } from '../../channel/error-response-without-id.ts';
import { type Frame, type MessageFrame, otherSide, type Side, type WireFrame } from '../../channel/frame.ts';
import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { Random } from '../../kernel/random.ts';
import { isNotification, paramsOf } from '../../protocol/message.ts';
import type { FaultContext, FaultInstance, FaultTransport } from '../fault.ts';
import type { Rule } from '../rules/fault-rule.ts';
import { ActiveRule } from './active-rule.ts';
import { type Fired, firedOf, idOf, type Noted, type Unchanged } from './fired-fault.ts';
import { guardFault } from './guard-fault.ts';
import { MatchCounter } from './match-counter.ts';
import { OriginalFrame } from './original-frame.ts';
import { type FrameContext, RequestTracker } from './request-tracker.ts';
import type { Unfired } from './unfired-rule.ts';

export type { Fired, Unchanged } from './fired-fault.ts';

/** Counters by rule. The key is the rule object, so a new object starts a new count. */
export type Counters = Pick<ReadonlyMap<Rule, MatchCounter>, 'get'>;

export interface FaultInjectorOptions {
  rules: readonly Rule[];
  /** Seed of all random choices. The same seed gives the same faults. */
  seed: number;
  /**
   * Counters of rules whose matches other injectors count, too. Matches of all other rules count in this injector only.
   */
  counters?: Counters;
  clock: Clock;
  /** Transport of the session. Default: stdio. */
  transport?: FaultTransport;
  /** HTTP: the path of the MCP endpoint. */
  path?: string;
  /** Encodes a frame as the transport does. Frames without bytes give an empty array. */
  encode(frame: Frame): Uint8Array;
  /** Returns the number of bytes of a frame, without any effect. Absent: the length of what `encode` returns. */
  measure?(frame: Frame): number;
  /** Returns the line of the cassette that a mock server plays a message from. Absent, or undefined: from none. */
  lineOf?(frame: Frame): number | undefined;
  /** Sends a frame to the other side. */
  send(frame: WireFrame): void;
  /** Pauses or resumes reading a side, or a single stream. */
  pause?(side: Side, paused: boolean, stream?: number): void;
  /** Closes every connection, and refuses new ones for `time`. HTTP only. */
  down?(time: Milliseconds): void;
  /** Called immediately when a rule fires. */
  fired?(fired: Fired): void;
  /** Called for the first match of each rule whose fault changed nothing. */
  unchanged?(one: Unchanged): void;
  /** Called with the error of a fault that threw. Absent: the error is thrown. */
  failed?(error: McpRecordError): void;
}

/**
 * Applies fault rules to the traffic of two sides. Each pushed frame passes the rules of its side in order, and each
 * rule sees the previous rule's result.
 */
export class FaultInjector {
  readonly #options: FaultInjectorOptions;
  readonly #subjects = new RequestTracker();
  readonly #links: Record<Side, ActiveRule[]> = { client: [], server: [] };
  readonly #messages: Record<Side, number> = { client: 0, server: 0 };
  /** Position of a server message → line of the cassette. */
  readonly #lines = new Map<number, number>();
  /** Frames that passed an earlier rule, each with its original. */
  readonly #originals = new WeakMap<WireFrame, OriginalFrame>();
  /** Original of the current frame. Frames that a fault creates from it have the same original. */
  #original = new OriginalFrame(0);
  readonly #timers = new Set<Cancel>();
  /** Subset of `#timers` that delay a frame. */
  readonly #holding = new Set<Cancel>();
  readonly #idle: (() => void)[] = [];
  #stopped = false;

  constructor(options: FaultInjectorOptions) {
    this.#options = options;
    const { rules, seed, counters } = options;
    for (const [index, rule] of rules.entries()) {
      const from = rule.when?.from ?? rule.fault.kind.when?.from ?? 'server';
      const links = this.#links[from];
      const position = links.length + 1;
      const next = (frame: WireFrame) => this.#take(from, position, frame);
      const { failed } = options;
      const start = (random: Random, stream: number | undefined) => {
        const tools = this.#tools(link, { from, random, next, stream });
        return failed ? guardFault(rule, tools, failed) : rule.fault.kind.start(rule.fault.values, tools);
      };
      const number = index + 1;
      const counter = counters?.get(rule) ?? new MatchCounter({ rule, number, seed });
      const link = new ActiveRule({ rule, number, seed, counter, next, start });
      links.push(link);
    }
  }

  /** Rules that have not fired yet, in rule order. */
  get unfired(): Unfired[] {
    return [...this.#links.client, ...this.#links.server]
      .flatMap(({ unfired }) => unfired ?? [])
      .sort((a, b) => a.rule - b.rule);
  }

  /** Starts the session: fires the rules of `kind: start`. Called once, before any frame. */
  begin(): void {
    for (const link of [...this.#links.client, ...this.#links.server]) {
      if (!link.takesStart()) continue;
      this.#fired(link, { from: 'server', message: 0 });
      link.segment(undefined).begin?.();
    }
  }

  /**
   * Takes a frame of either side. No rule matches raw bytes, but they pass the same faults as the frames before them.
   */
  push(frame: WireFrame): void {
    if (this.#stopped) return;
    if (frame.kind === 'bytes') return this.#take(frame.from, 0, frame);
    const subject = this.#subjects.of(frame);
    const { kind } = subject;
    if (frame.kind === 'message' && kind !== 'authorization' && (kind !== 'response' || !isRefusal(frame)))
      this.#messages[frame.from]++;
    const message = this.#messages[frame.from];
    const line = frame.kind === 'message' && frame.from === 'server' ? this.#options.lineOf?.(frame) : undefined;
    if (line !== undefined) this.#lines.set(message, line);
    const opposite = this.#links[otherSide(frame.from)];
    const original = new OriginalFrame(message);
    original.decide(this.#links[frame.from], frame, { message, subject, line });
    if (opposite.length === 0) return this.#take(frame.from, 0, frame, { original, subject });
    const others = opposite.map((link) => link.segment(frame.stream));
    const keepers = others.filter((segment) => segment.intercept?.(frame));
    if (keepers.length === 0) this.#take(frame.from, 0, frame, { original, subject });
    for (const segment of others) segment.other?.(frame);
  }

  /**
   * Counts a message that no rule or fault needs to see; the caller then forwards it unchanged. False: the message was
   * not counted and has to be pushed. That applies to all requests, responses and progress notifications.
   */
  passesOver(from: Side, message: unknown, stream?: number): boolean {
    if (!isNotification(message) || paramsOf(message).progressToken !== undefined) return false;
    if (this.#stopped) return false;
    for (const link of this.#links[from]) if (!link.letsPass(message.method, stream)) return false;
    for (const link of this.#links[otherSide(from)]) {
      const { other, intercept } = link.segment(stream);
      if (other || intercept) return false;
    }
    this.#messages[from]++;
    return true;
  }

  /** Releases the state of a stream that has ended. HTTP only. */
  forget(stream: number): void {
    for (const link of [...this.#links.client, ...this.#links.server]) link.forget(stream);
  }

  /** Calls `task` when no frame is held by a timer. */
  whenIdle(task: () => void): void {
    if (this.#holding.size === 0) return task();
    this.#idle.push(task);
  }

  /** Drops all held frames. Later frames are dropped, too. */
  stop(): void {
    this.#stopped = true;
    for (const link of [...this.#links.client, ...this.#links.server]) {
      const { waiting, lacking, unfired } = link;
      const why = unfired?.why;
      if (why === undefined) continue;
      if (waiting) this.#unchanged(link, waiting, why);
      else if (lacking && why === link.rule.fault.kind.lacking)
        this.#options.unchanged?.({ ...firedOf(link, lacking), unchanged: why });
    }
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#holding.clear();
  }

  #take(from: Side, position: number, frame: WireFrame, known?: Known): void {
    const links = this.#links[from];
    const link = links[position];
    if (link === undefined) return this.#options.send(frame);
    const original = known?.original ?? this.#originals.get(frame) ?? this.#original;
    if (position + 1 < links.length) this.#originals.set(frame, original);
    const segment = link.segment(frame.stream);
    const subject = known?.subject;
    const outer = this.#original;
    this.#original = original;
    if (frame.kind !== 'bytes' && !segment.isOver && this.#takes(link, segment, frame, { original, subject })) {
      segment.hit(frame);
    } else if (segment.pass) segment.pass(frame);
    else link.next(frame);
    this.#original = outer;
  }

  /** Reports whether the fault takes a frame. Notes that the rule fired, unless the fault awaits something else. */
  #takes(
    link: ActiveRule,
    segment: FaultInstance,
    frame: Frame,
    { original, subject = this.#subjects.of(frame) }: Known,
  ): boolean {
    const { from, stream } = frame;
    const { message } = original;
    const at = { message, line: from === 'server' ? this.#lines.get(message) : undefined };
    if (!link.matches(frame, subject, at) || !original.fires(link)) return false;
    const noted: Noted = { from, ...at, method: subject.method, id: idOf(frame), stream };
    const why = link.whyUnchanged(segment, frame);
    if (why !== undefined) this.#unchanged(link, noted, why);
    else if (link.rule.fault.kind.awaits === undefined) this.#fired(link, noted);
    else link.wait(frame, noted);
    return why === undefined;
  }

  #fired(link: ActiveRule, noted: Noted): void {
    link.fire();
    this.#options.fired?.(firedOf(link, noted));
  }

  #unchanged(link: ActiveRule, noted: Noted, why: string): void {
    if (link.takeBack(why)) this.#options.unchanged?.({ ...firedOf(link, noted), unchanged: why });
  }

  #tools(
    link: ActiveRule,
    { from, random, next, stream }: Pick<FaultContext, 'from' | 'random' | 'next'> & Streamed,
  ): FaultContext {
    const { clock, transport = 'stdio', path, encode, measure, send, pause, down } = this.#options;
    // A frame that a fault sends later belongs to the fault's stream.
    const here = <Said extends WireFrame>(frame: Said): Said =>
      stream === undefined || frame.stream !== undefined ? frame : { ...frame, stream };
    const pass = (frame: WireFrame) => next(here(frame));
    return {
      clock,
      random,
      from,
      transport,
      ...(path !== undefined && { path }),
      encode,
      measure: measure ?? ((frame) => encode(frame).length),
      line: () => this.#lines.get(this.#original.message),
      next: pass,
      write: (data) => pass({ kind: 'bytes', at: clock.now(), from, on: 'protocol', data }),
      back: (frame) => send(here(frame)),
      later: (delay, task, options) => this.#later(delay, task, options),
      pause: (paused) => pause?.(from, paused, stream),
      down: (time) => down?.(time),
      happened: (frame) => {
        const noted = link.settle(frame);
        if (noted) this.#fired(link, noted);
      },
      cameToNothing: (frame, why) => {
        const noted = link.settle(frame);
        if (noted) this.#unchanged(link, noted, why);
      },
    };
  }

  #later(delay: Milliseconds, task: () => void, { holdsNoFrame = false } = {}): Cancel {
    if (this.#stopped) return () => {};
    const original = this.#original;
    const forget = () => this.#timers.delete(stop) && this.#holding.delete(stop);
    const goOn = () => {
      if (this.#holding.size === 0) for (const idle of this.#idle.splice(0)) idle();
    };
    const stop = this.#options.clock.after(delay, () => {
      forget();
      const outer = this.#original;
      this.#original = original;
      task();
      this.#original = outer;
      goOn();
    });
    this.#timers.add(stop);
    if (!holdsNoFrame) this.#holding.add(stop);
    return () => {
      stop();
      if (forget()) goOn();
    };
  }
}

/**
 * Reports whether a response only refuses an HTTP request. Neither rules nor cassettes count such a response as a
 * message.
 */
function isRefusal(frame: MessageFrame): boolean {
  return frame.stream !== undefined && frame.from === 'server' && isBareRefusal(frame);
}

/** Known details of a frame. */
interface Known {
  original: OriginalFrame;
  /** Absent: to be computed from the frame. */
  subject?: FrameContext | undefined;
}

interface Streamed {
  stream: number | undefined;
}
