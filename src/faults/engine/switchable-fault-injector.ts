import type { Side, WireFrame } from '../../channel/frame.ts';
import type { Rule } from '../rules/fault-rule.ts';
import { FaultInjector, type FaultInjectorOptions } from './fault-injector.ts';
import type { Fired, Unchanged } from './fired-fault.ts';
import { type Unfired, unfiredText } from './unfired-rule.ts';

export interface SwitchableFaultInjectorOptions extends Omit<FaultInjectorOptions, 'rules' | 'fired' | 'unchanged'> {
  /** Called at once for every rule that fires, with the active rules. */
  fired?(fired: Fired, rules: readonly Rule[]): void;
  /** Called for the first match of each rule whose fault changed nothing, with the active rules. */
  unchanged?(one: Unchanged, rules: readonly Rule[]): void;
}

/** Fault injector with replaceable rules. Before the first `use`, all frames pass. */
export class SwitchableFaultInjector {
  readonly #options: SwitchableFaultInjectorOptions;
  readonly #begun: { rules: readonly Rule[]; traffic: FaultInjector }[] = [];
  #seed: number;
  #now: FaultInjector | undefined;
  #rules: readonly Rule[] = [];
  /** Number of rule sets from before the last restart. `everUnfired` skips them. */
  #forgotten = 0;
  #isThere = false;

  constructor(options: SwitchableFaultInjectorOptions) {
    this.#options = options;
    this.#seed = options.seed;
  }

  /**
   * Replaces the rules. They count messages from now on. No rules: all frames pass. Random choices draw from `seed`;
   * default: the previous seed.
   */
  use(rules: readonly Rule[], seed: number = this.#seed): void {
    this.#seed = seed;
    this.#now = undefined;
    this.#rules = rules;
    if (rules.length === 0) return;
    const { fired, unchanged, ...options } = this.#options;
    this.#now = new FaultInjector({
      ...options,
      seed,
      rules,
      fired: (one) => fired?.(one, rules),
      unchanged: (one) => unchanged?.(one, rules),
    });
    this.#begun.push({ rules, traffic: this.#now });
    if (this.#isThere) this.#now.begin();
  }

  /** Forgets all unfired rules of the past, and restarts with `rules`. Default: the present rules. */
  restart(rules: readonly Rule[] = this.#rules, seed: number = this.#seed): void {
    this.#forgotten = this.#begun.length;
    this.use(rules, seed);
  }

  /** Starts the session, as {@link FaultInjector.begin}. */
  begin(): void {
    this.#isThere = true;
    this.#now?.begin();
  }

  /** Takes a frame of either side. */
  push(frame: WireFrame): void {
    if (this.#now) this.#now.push(frame);
    else this.#options.send(frame);
  }

  /** Counts a message without pushing it, as {@link FaultInjector.passesOver}. */
  passesOver(from: Side, message: unknown, stream?: number): boolean {
    return this.#now === undefined || this.#now.passesOver(from, message, stream);
  }

  /** Releases the state of a stream, as {@link FaultInjector.forget}. */
  forget(stream: number): void {
    for (const { traffic } of this.#begun) traffic.forget(stream);
  }

  /** Calls `task` when no frame is held by a timer, including those of replaced rules. */
  whenIdle(task: () => void): void {
    const wait = (n: number): void => {
      const next = this.#begun[n];
      if (next) next.traffic.whenIdle(() => wait(n + 1));
      else task();
    };
    wait(0);
  }

  /** The present rules that have not fired. */
  get unfired(): readonly Unfired[] {
    return this.#now?.unfired ?? [];
  }

  /** Messages about all rules that have not fired, including replaced rules. */
  get everUnfired(): string[] {
    return this.#begun
      .slice(this.#forgotten)
      .flatMap(({ rules, traffic }) => traffic.unfired.map((one) => unfiredText(rules, one)));
  }

  /** Drops all held frames. Frames under rules are dropped from now on. */
  stop(): void {
    for (const { traffic } of this.#begun) traffic.stop();
  }
}
