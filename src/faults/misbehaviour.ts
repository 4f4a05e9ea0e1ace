import { type Frame, otherSide, type Side, type WireFrame } from '../channel/frame.ts';
import type { Cancel, Clock, Milliseconds } from '../kernel/clock.ts';
import { type Random, seededRandom } from '../kernel/random.ts';
import type { Segment, Tools } from './fault.ts';
import type { Rule } from './rule.ts';
import { type Subject, Subjects } from './subjects.ts';
import { selects, type When } from './when.ts';

/** A rule that fired. */
export interface Fired {
  /** Position among the rules, from 1. */
  rule: number;
  fault: string;
  from: Side;
  /** Position among the messages of that side, from 1. */
  message: number;
  method?: string;
}

export interface MisbehaviourOptions {
  rules: readonly Rule[];
  /** Same seed, same faults. */
  seed: number;
  clock: Clock;
  /** The bytes of a frame as the transport writes them; empty for a frame that has none. */
  encode(frame: Frame): Uint8Array;
  /** Says a frame to the side that it is not from. */
  send(frame: WireFrame): void;
  /** Stops reading one side, or reads on. */
  pause?(side: Side, paused: boolean): void;
  /** Told at once of every rule that fires. */
  fired?(fired: Fired): void;
}

/**
 * Traffic of two sides that misbehaves as the rules say: frames go in as they were said, and come out as they shall
 * arrive. Every frame passes every rule of its side in their order, as the rules before have left it.
 */
export class Misbehaviour {
  readonly #options: MisbehaviourOptions;
  readonly #subjects = new Subjects();
  readonly #links: Record<Side, Link[]> = { client: [], server: [] };
  readonly #journal: Fired[] = [];
  readonly #messages: Record<Side, number> = { client: 0, server: 0 };
  readonly #timers = new Set<Cancel>();
  readonly #idle: (() => void)[] = [];
  #stopped = false;

  constructor(options: MisbehaviourOptions) {
    this.#options = options;
    for (const [index, rule] of options.rules.entries()) {
      const when = { ...rule.fault.kind.when, ...rule.when };
      const from = when.from ?? 'server';
      const links = this.#links[from];
      const position = links.length + 1;
      const next = (frame: WireFrame) => this.#take(from, position, frame);
      const random = seededRandom(options.seed, 2 * index + 1);
      const segment = rule.fault.kind.start(rule.fault.values, this.#tools(from, random, next));
      const chance = seededRandom(options.seed, 2 * index);
      links.push({ rule, when, number: index + 1, segment, chance, matches: 0, fires: 0, next });
    }
  }

  /** All that was done, in order. */
  get journal(): readonly Fired[] {
    return this.#journal;
  }

  /** Positions, from 1, of the rules that have not fired. */
  get unfired(): number[] {
    return [...this.#links.client, ...this.#links.server]
      .filter(({ fires }) => fires === 0)
      .map(({ number }) => number)
      .sort((a, b) => a - b);
  }

  /** Takes what a side said. */
  push(frame: Frame): void {
    if (this.#stopped) return;
    if (frame.kind === 'message') this.#messages[frame.from]++;
    this.#subjects.of(frame);
    this.#take(frame.from, 0, frame);
    for (const { segment } of this.#links[otherSide(frame.from)]) segment.other?.(frame);
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

  #take(from: Side, position: number, frame: WireFrame): void {
    const link = this.#links[from][position];
    if (link === undefined) return this.#options.send(frame);
    if (frame.kind !== 'bytes' && this.#fires(link, frame)) link.segment.hit(frame);
    else if (link.segment.pass) link.segment.pass(frame);
    else link.next(frame);
  }

  #fires(link: Link, frame: Frame): boolean {
    const { when, rule } = link;
    const subject = this.#subjects.of(frame);
    if (!selects(when, frame, subject)) return false;
    if (when.after !== undefined && this.#messages[frame.from] <= when.after) return false;
    link.matches++;
    if (when.nth !== undefined && link.matches !== when.nth) return false;
    if (link.fires >= (rule.times ?? Number.POSITIVE_INFINITY)) return false;
    if (link.chance() >= (rule.probability ?? 1)) return false;
    link.fires++;
    this.#log(link, frame, subject);
    return true;
  }

  #log({ number, rule }: Link, { from }: Frame, { method }: Subject): void {
    const fault = rule.fault.kind.name;
    const message = this.#messages[from];
    const fired: Fired = { rule: number, fault, from, message, ...(method !== undefined && { method }) };
    this.#journal.push(fired);
    this.#options.fired?.(fired);
  }

  #tools(from: Side, random: Random, next: (frame: WireFrame) => void): Tools {
    const { clock, encode, send, pause } = this.#options;
    return {
      clock,
      random,
      from,
      encode,
      next,
      write: (data) => next({ kind: 'bytes', at: clock.now(), from, on: 'protocol', data }),
      back: send,
      later: (delay, task) => this.#later(delay, task),
      pause: (paused) => pause?.(from, paused),
    };
  }

  #later(delay: Milliseconds, task: () => void): void {
    if (this.#stopped) return;
    const stop = this.#options.clock.after(delay, () => {
      this.#timers.delete(stop);
      task();
      if (this.#timers.size === 0) for (const idle of this.#idle.splice(0)) idle();
    });
    this.#timers.add(stop);
  }
}

/** A rule at its place in the way of one side's frames. */
interface Link {
  rule: Rule;
  when: When;
  number: number;
  segment: Segment;
  /** Decides by the rule's probability. */
  chance: Random;
  matches: number;
  fires: number;
  next(frame: WireFrame): void;
}
