import type { Side, WireFrame } from '../../channel/frame.ts';
import type { Rule } from '../rules/fault-rule.ts';
import { FaultInjector, type FaultInjectorOptions, type Fired } from './fault-injector.ts';

export interface SwitchableFaultInjectorOptions extends Omit<FaultInjectorOptions, 'rules' | 'fired'> {
  /** Called at once for every rule that fires, with the active rules. */
  fired?(fired: Fired, rules: readonly Rule[]): void;
}

/** Traffic of two sides that misbehaves as it was last told; before it was told anything, all passes. */
export class SwitchableFaultInjector {
  readonly #options: SwitchableFaultInjectorOptions;
  readonly #begun: { rules: readonly Rule[]; traffic: FaultInjector }[] = [];
  #seed: number;
  #now: FaultInjector | undefined;
  #rules: readonly Rule[] = [];
  /** Of how many sets nobody asks any more whether they have fired. */
  #forgotten = 0;
  #isThere = false;

  constructor(options: SwitchableFaultInjectorOptions) {
    this.#options = options;
    this.#seed = options.seed;
  }

  /**
   * These rules hold from now on, in place of those before; they count messages from here. None: all passes. Their chance
   * draws from `seed`, if not from the one before.
   */
  use(rules: readonly Rule[], seed: number = this.#seed): void {
    this.#seed = seed;
    this.#now = undefined;
    this.#rules = rules;
    if (rules.length === 0) return;
    const { fired, ...options } = this.#options;
    this.#now = new FaultInjector({ ...options, seed, rules, fired: (one) => fired?.(one, rules) });
    this.#begun.push({ rules, traffic: this.#now });
    if (this.#isThere) this.#now.begin();
  }

  /** Forgets which rules have not fired, and begins anew with `rules`, or with those that hold now. */
  restart(rules: readonly Rule[] = this.#rules, seed: number = this.#seed): void {
    this.#forgotten = this.#begun.length;
    this.use(rules, seed);
  }

  /** As {@link FaultInjector.begin}. */
  begin(): void {
    this.#isThere = true;
    this.#now?.begin();
  }

  /** Takes what a side said. */
  push(frame: WireFrame): void {
    if (this.#now) this.#now.push(frame);
    else this.#options.send(frame);
  }

  /** As {@link FaultInjector.passesOver}. */
  passesOver(from: Side, message: unknown, stream?: number): boolean {
    return this.#now === undefined || this.#now.passesOver(from, message, stream);
  }

  /** As {@link FaultInjector.forget}. */
  forget(stream: number): void {
    for (const { traffic } of this.#begun) traffic.forget(stream);
  }

  /** Calls back when nothing is held for a time, by rules of before either. */
  whenIdle(task: () => void): void {
    const wait = (n: number): void => {
      const next = this.#begun[n];
      if (next) next.traffic.whenIdle(() => wait(n + 1));
      else task();
    };
    wait(0);
  }

  /** Positions, from 1, of the rules that hold now and have not fired. */
  get unfired(): readonly number[] {
    return this.#now?.unfired ?? [];
  }

  /** Which of all rules that ever held have not fired, in words. */
  get everUnfired(): string[] {
    return this.#begun
      .slice(this.#forgotten)
      .flatMap(({ rules, traffic }) => traffic.unfired.map((number) => unfiredText(rules, number)));
  }

  /** Drops what is held. Nothing that a rule takes passes after this. */
  stop(): void {
    for (const { traffic } of this.#begun) traffic.stop();
  }
}

/** Returns the message about a rule that has not fired; `number` counts from 1. */
export function unfiredText(rules: readonly Rule[], number: number): string {
  return `Rule ${number} (${rules[number - 1]!.fault.kind.name}) never fired.`;
}
