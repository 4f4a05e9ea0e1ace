import { type Frame, otherSide, type Side, type WireFrame } from '../../channel/frame.ts';
import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { Random } from '../../kernel/random.ts';
import { type Id, isNotification, isRequest, isResponse, paramsOf } from '../../protocol/message.ts';
import type { FaultContext, FaultTransport } from '../fault.ts';
import type { Rule } from '../rules/fault-rule.ts';
import { ActiveRule } from './active-rule.ts';
import { guardFault } from './guard-fault.ts';
import { MatchCounter } from './match-counter.ts';
import { type FrameContext, RequestTracker } from './request-tracker.ts';

/** A rule that fired. */
export interface Fired {
  /** Position among the rules, from 1. */
  rule: number;
  fault: string;
  from: Side;
  /** Position among the messages of that side, from 1. */
  message: number;
  method?: string;
  /** Of a request or an answer. */
  id?: Id;
  /** HTTP: the exchange, counted from 1. */
  stream?: number;
}

/** The counters of rules. Each rule object has its own, so one that is to count anew is a new object. */
export type Counters = Pick<ReadonlyMap<Rule, MatchCounter>, 'get'>;

export interface FaultInjectorOptions {
  rules: readonly Rule[];
  /** Same seed, same faults. */
  seed: number;
  /** Counters of rules whose matches count in other injectors, too. The others count here alone. */
  counters?: Counters;
  clock: Clock;
  /** Where it happens. Absent: over stdio. */
  ground?: FaultTransport;
  /** HTTP: the path of the MCP endpoint. */
  path?: string;
  /** The bytes of a frame as the transport writes them; empty for a frame that has none. */
  encode(frame: Frame): Uint8Array;
  /** Sends a frame to the other side. */
  send(frame: WireFrame): void;
  /** Stops reading one side, or one of its streams, or reads on. */
  pause?(side: Side, paused: boolean, stream?: number): void;
  /** HTTP: ends every connection, and takes none for so long. */
  down?(time: Milliseconds): void;
  /** Told at once of every rule that fires. */
  fired?(fired: Fired): void;
  /** Told of a fault that threw. Absent: it throws. */
  failed?(error: McpRecordError): void;
}

/**
 * Traffic of two sides that misbehaves as the rules say: frames go in as they were said, and come out as they shall
 * arrive. Every frame passes every rule of its side in their order, as the rules before have left it.
 */
export class FaultInjector {
  readonly #options: FaultInjectorOptions;
  readonly #subjects = new RequestTracker();
  readonly #links: Record<Side, ActiveRule[]> = { client: [], server: [] };
  readonly #messages: Record<Side, number> = { client: 0, server: 0 };
  /** Frames that passed an earlier rule, with the position of their original message. */
  readonly #positions = new WeakMap<WireFrame, number>();
  /** Position of the frame in progress. Frames that it produces inherit it. */
  #position = 0;
  readonly #timers = new Set<Cancel>();
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
        const tools = this.#tools({ from, random, next, stream });
        return failed ? guardFault(rule, tools, failed) : rule.fault.kind.start(rule.fault.values, tools);
      };
      const number = index + 1;
      const counter = counters?.get(rule) ?? new MatchCounter({ rule, number, seed });
      links.push(new ActiveRule({ rule, number, seed, counter, next, start }));
    }
  }

  /** Returns the positions, from 1, of rules that have not fired. */
  get unfired(): number[] {
    return [...this.#links.client, ...this.#links.server]
      .filter(({ fires }) => fires === 0)
      .map(({ number }) => number)
      .sort((a, b) => a - b);
  }

  /** The server is there. Called once, before anything is said. */
  begin(): void {
    for (const link of [...this.#links.client, ...this.#links.server]) {
      if (!link.fireAtStart()) continue;
      this.#log(link, { from: 'server', message: 0 });
      link.segment(undefined).begin?.();
    }
  }

  /** Takes what a side said; of bytes no rule is, and they go where what was said before them goes. */
  push(frame: WireFrame): void {
    if (this.#stopped) return;
    if (frame.kind === 'bytes') return this.#take(frame.from, 0, frame);
    const subject = this.#subjects.of(frame);
    if (frame.kind === 'message' && subject.kind !== 'authorization') this.#messages[frame.from]++;
    const message = this.#messages[frame.from];
    const opposite = this.#links[otherSide(frame.from)];
    if (opposite.length === 0) return this.#take(frame.from, 0, frame, { message, subject });
    const others = opposite.map((link) => link.segment(frame.stream));
    const keepers = others.filter((segment) => segment.intercept?.(frame));
    if (keepers.length === 0) this.#take(frame.from, 0, frame, { message, subject });
    for (const segment of others) segment.other?.(frame);
  }

  /**
   * Counts a message that no rule waits for, and no fault wants to see: it shall go on as it is, and need not be pushed.
   * False: it is none of those, and was not counted. Answers, requests and reports on them are always pushed.
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

  /** HTTP: nothing more comes of this stream. */
  forget(stream: number): void {
    for (const link of [...this.#links.client, ...this.#links.server]) link.forget(stream);
  }

  /** Calls back when nothing is held for a time. */
  whenIdle(task: () => void): void {
    if (this.#timers.size === 0) return task();
    this.#idle.push(task);
  }

  /** Drops what is held. Nothing passes after this. */
  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #take(from: Side, position: number, frame: WireFrame, known?: Known): void {
    const links = this.#links[from];
    const link = links[position];
    if (link === undefined) return this.#options.send(frame);
    const message = known?.message ?? this.#positions.get(frame) ?? this.#position;
    if (position + 1 < links.length) this.#positions.set(frame, message);
    const segment = link.segment(frame.stream);
    const subject = known?.subject;
    const outer = this.#position;
    this.#position = message;
    if (frame.kind !== 'bytes' && !segment.isOver && this.#fires(link, frame, { message, subject })) {
      segment.hit(frame);
    } else if (segment.pass) segment.pass(frame);
    else link.next(frame);
    this.#position = outer;
  }

  #fires(link: ActiveRule, frame: Frame, { message, subject = this.#subjects.of(frame) }: Known): boolean {
    const { from, stream } = frame;
    if (!link.fire(frame, subject, message)) return false;
    this.#log(link, { from, message, method: subject.method, id: idOf(frame), stream });
    return true;
  }

  #log({ number, rule }: ActiveRule, { from, message, method, id, stream }: Noted): void {
    const { fired } = this.#options;
    if (fired === undefined) return;
    const one: Fired = { rule: number, fault: rule.fault.kind.name, from, message };
    if (method !== undefined) one.method = method;
    if (id !== undefined) one.id = id;
    if (stream !== undefined) one.stream = stream;
    fired(one);
  }

  #tools({ from, random, next, stream }: Pick<FaultContext, 'from' | 'random' | 'next'> & Streamed): FaultContext {
    const { clock, ground = 'stdio', path, encode, send, pause, down } = this.#options;
    // A frame that a fault produces later belongs to the fault's stream.
    const here = <Said extends WireFrame>(frame: Said): Said =>
      stream === undefined || frame.stream !== undefined ? frame : { ...frame, stream };
    const pass = (frame: WireFrame) => next(here(frame));
    return {
      clock,
      random,
      from,
      ground,
      ...(path !== undefined && { path }),
      encode,
      next: pass,
      write: (data) => pass({ kind: 'bytes', at: clock.now(), from, on: 'protocol', data }),
      back: (frame) => send(here(frame)),
      later: (delay, task) => this.#later(delay, task),
      pause: (paused) => pause?.(from, paused, stream),
      down: (time) => down?.(time),
    };
  }

  #later(delay: Milliseconds, task: () => void): void {
    if (this.#stopped) return;
    const position = this.#position;
    const stop = this.#options.clock.after(delay, () => {
      this.#timers.delete(stop);
      const outer = this.#position;
      this.#position = position;
      task();
      this.#position = outer;
      if (this.#timers.size === 0) for (const idle of this.#idle.splice(0)) idle();
    });
    this.#timers.add(stop);
  }
}

/** What is known of a frame. */
interface Known {
  /** Position of the message, or of the message that it was made from. */
  message: number;
  /** Absent: it has to be looked at. */
  subject?: FrameContext | undefined;
}

/** What a rule fired on. */
interface Noted extends Pick<Fired, 'from' | 'message'> {
  method?: string | undefined;
  id?: Id | undefined;
  stream?: number | undefined;
}

interface Streamed {
  stream: number | undefined;
}

function idOf(frame: Frame): Id | undefined {
  const message = frame.kind === 'message' ? frame.json.value : undefined;
  return isRequest(message) || isResponse(message) ? (message.id ?? undefined) : undefined;
}
