import type { Cassette } from '../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { countMessages, type SmallerCassette, smallerCassettes } from './build-smaller-cassette.ts';
import { type CassettePart, type CassetteParts, cassetteParts } from './cassette-parts.ts';
import { minimizeList } from './minimize-list.ts';
import { minimizeValue } from './minimize-value.ts';
import { type FailingProgram, isFailure, isSameFailure, type Observation } from './same-failure.ts';
import { type BudgetLimit, ShrinkBudget } from './shrink-budget.ts';
import { notRepeatedError } from './shrink-errors.ts';
import { type Payload, shrinkablePayloads } from './shrinkable-payloads.ts';

export interface ShrinkOptions {
  cassette: Cassette;
  /** Lines of the messages with the faults. */
  lines: readonly number[];
  /** It ends well with the whole cassette without the fault, and so it does with each smaller one. */
  program: FailingProgram;
  budget: BudgetLimit;
  clock: Clock;
  /** Called with each smaller cassette that reproduces the failure. */
  found?(shrunk: Shrunk): void;
  /** Called before each run, with the number of runs so far and the smallest number of messages so far. */
  running?(runs: number, messages: number): void;
  /** Called when the search begins, with about the time that the rest takes if the budget ends it. */
  expected?(time: Milliseconds): void;
}

/** The smallest cassette found. */
export interface Shrunk extends SmallerCassette {
  observation: Observation;
  /** Number of messages of the whole cassette. */
  messagesBefore: number;
  /** Number of messages with less in them than in the whole cassette. */
  smallerMessages: number;
  /** Number of runs of the program under test. */
  runs: number;
  /** Whether the budget ended the search. */
  isCutShort: boolean;
}

const REPEATS_FIRST = 2;
const REPEATS_LAST = 3;

/**
 * Finds the smallest cassette with which a program fails in the same way: first with fewer messages, then with smaller
 * ones. Each cassette is confirmed by a run of the program, and the last one by three more.
 * @throws McpRecordError SHRINK_NO_FAILURE, SHRINK_NOT_REPEATED, and the errors of a program that cannot be run
 */
export function shrinkFailure(options: ShrinkOptions): Promise<Shrunk> {
  return new Shrinker(options).run();
}

class Shrinker {
  readonly #options: ShrinkOptions;
  #budget: ShrinkBudget;
  readonly #targets: readonly number[];
  #parts!: CassetteParts;
  #smaller!: ReturnType<typeof smallerCassettes>;
  #payloads!: readonly Payload[];
  readonly #messagesBefore: number;
  /** Text of a cassette → the result with this cassette. Undefined: the cassette does not reproduce the failure. */
  readonly #known = new Map<string, Shrunk | undefined>();
  #failure!: Observation;
  #runs = 0;
  #best: Shrunk | undefined;
  /** Parts that remain of the cassette. */
  #kept: readonly CassettePart[] = [];
  #changed: ReadonlyMap<number, JsonText> = new Map();

  constructor(options: ShrinkOptions) {
    const { cassette, lines, budget, clock } = options;
    this.#options = options;
    this.#budget = new ShrinkBudget(budget, clock);
    this.#targets = lines.map((line) => cassette.events.findIndex((event) => event.line === line));
    this.#messagesBefore = countMessages(cassette);
  }

  async run(): Promise<Shrunk> {
    const { cassette, clock, budget } = this.#options;
    const began = clock.now();
    this.#failure = await this.#firstFailure();
    const each = (clock.now() - began) / REPEATS_FIRST;
    this.#parts = cassetteParts(cassette, this.#targets);
    this.#kept = this.#parts.parts;
    this.#smaller = smallerCassettes(cassette);
    this.#payloads = shrinkablePayloads(cassette);
    // The last run of the search may begin just before its end.
    const searched = 'runs' in budget ? budget.runs * each : budget.time + each;
    this.#options.expected?.(searched + REPEATS_LAST * each);
    this.#budget = new ShrinkBudget(budget, clock);
    for (let before: string | undefined = ''; before !== this.#best?.text && !this.#budget.isSpent(); ) {
      before = this.#best?.text;
      await this.#dropMessages();
      await this.#shrinkMessages();
    }
    const isCutShort = this.#budget.isSpent();
    const best = this.#best ?? this.#unchanged();
    for (let repeat = 0; repeat < REPEATS_LAST; repeat++) {
      const again = await this.#attempt(best.cassette, best.lines, false);
      if (!isSameFailure(this.#failure, again)) throw notRepeatedError(this.#failure, 'at the end', again);
    }
    return { ...best, runs: this.#runs, isCutShort };
  }

  /** Returns the whole cassette as it would be written. Nothing smaller fails in the same way. */
  #unchanged(): Shrunk {
    const made = this.#make(this.#kept, this.#changed);
    if (made === undefined) throw notRepeatedError(this.#failure, 'without times and comments');
    const [messagesBefore, smallerMessages] = [this.#messagesBefore, this.#changed.size];
    return { ...made, observation: this.#failure, messagesBefore, smallerMessages, runs: 0, isCutShort: true };
  }

  /** Returns the failure with the whole cassette, if it repeats. */
  async #firstFailure(): Promise<Observation> {
    const { cassette, lines } = this.#options;
    const first = await this.#attempt(cassette, lines, false);
    if (!isFailure(first)) throw noFailureError(first, cassette.file);
    for (let repeat = 1; repeat < REPEATS_FIRST; repeat++) {
      const again = await this.#attempt(cassette, lines, true);
      if (!isSameFailure(first, again)) throw notRepeatedError(first, 'with the same cassette', again);
    }
    return first;
  }

  async #dropMessages(): Promise<void> {
    const holds = (kept: readonly CassettePart[]) => this.#fails(kept);
    // Many clients need exactly their requests before the fault.
    if (this.#options.program.failureWithoutFaults) {
      await holds(this.#kept.filter(({ isAfterTarget }) => !isAfterTarget));
      await holds(this.#kept.filter(({ isUnasked }) => !isUnasked));
    }
    await minimizeList(this.#kept, holds);
  }

  async #shrinkMessages(): Promise<void> {
    if (this.#options.program.keepsMessages) return;
    const isKept = new Set(this.#events(this.#kept));
    const payloads = this.#payloads.filter(({ event }) => isKept.has(event));
    const smallest = new Map<number, JsonText>();
    for (const payload of payloads) {
      const found = await this.#smallestAllowed(payload, smallest);
      if (found) smallest.set(payload.event, found);
    }
    // Finds the messages that must stay unchanged while all other messages are as small as their schemas allow.
    const large = payloads.filter(({ event }) => smallest.has(event));
    const without = (whole: readonly Payload[]) => {
      const isWhole = new Set(whole.map(({ event }) => event));
      return new Map([...smallest].filter(([event]) => !isWhole.has(event)));
    };
    const whole = await minimizeList(large, (some) => this.#fails(this.#kept, without(some)));
    for (const payload of whole) {
      await minimizeValue(payload.value, async (value) => {
        const json = payload.withValue(value);
        return (
          json !== undefined && (await this.#fails(this.#kept, new Map([...this.#changed, [payload.event, json]])))
        );
      });
    }
  }

  /**
   * Returns the smallest message that the schemas allow, without a run of the program. Undefined: the message cannot
   * get smaller.
   */
  async #smallestAllowed(
    { event, value, withValue }: Payload,
    others: ReadonlyMap<number, JsonText>,
  ): Promise<JsonText | undefined> {
    const kept = this.#events(this.#kept);
    let smallest: JsonText | undefined;
    await minimizeValue(value, async (smaller) => {
      const json = withValue(smaller);
      if (json === undefined || this.#budget.isSpent()) return false;
      const payloads = new Map([...others, [event, json]]);
      const isAllowed = this.#smaller({ kept, payloads, targets: this.#targets }) !== undefined;
      if (isAllowed) smallest = json;
      return isAllowed;
    });
    return smallest;
  }

  #events(kept: readonly CassettePart[]): number[] {
    const isKept = new Set(kept);
    return this.#parts.without(this.#parts.parts.filter((part) => !isKept.has(part)));
  }

  #make(kept: readonly CassettePart[], payloads: ReadonlyMap<number, JsonText>): SmallerCassette | undefined {
    return this.#smaller({ kept: this.#events(kept), payloads, targets: this.#targets });
  }

  /**
   * Reports whether the program fails in the same way with some parts. If so, records these parts as the best result so
   * far.
   */
  async #fails(
    kept: readonly CassettePart[],
    changed: ReadonlyMap<number, JsonText> = this.#changed,
  ): Promise<boolean> {
    const made = this.#make(kept, changed);
    if (made === undefined) return false;
    if (!this.#known.has(made.text)) {
      if (this.#budget.isSpent()) return false;
      this.#known.set(made.text, await this.#tryOut(made, kept, changed));
    }
    const found = this.#known.get(made.text);
    if (found === undefined) return false;
    this.#kept = kept;
    this.#changed = changed;
    if (this.#best === undefined || isSmaller(found, this.#best)) {
      this.#best = found;
      this.#options.found?.(found);
    }
    return true;
  }

  async #tryOut(
    made: SmallerCassette,
    kept: readonly CassettePart[],
    changed: ReadonlyMap<number, JsonText>,
  ): Promise<Shrunk | undefined> {
    // A run that hangs takes its whole deadline, and most others take less.
    const isSlow = this.#failure.verdict === 'hung';
    if (isSlow && !(await this.#endsWell(made, kept, changed))) return undefined;
    const observation = await this.#attempt(made.cassette, made.lines, true);
    if (observation === undefined || !isSameFailure(this.#failure, observation)) return undefined;
    if (!isSlow && !(await this.#endsWell(made, kept, changed))) return undefined;
    const [runs, messagesBefore, smallerMessages] = [this.#runs, this.#messagesBefore, changed.size];
    return { ...made, observation, messagesBefore, smallerMessages, runs, isCutShort: true };
  }

  /**
   * Reports whether the program succeeds with a smaller cassette without the fault. A mended program does not stop at the
   * fault, and then needs all that the failing one needs without it.
   */
  async #endsWell(
    { cassette, lines }: SmallerCassette,
    kept: readonly CassettePart[],
    changed: ReadonlyMap<number, JsonText>,
  ): Promise<boolean> {
    const { program } = this.#options;
    if (program.failureWithoutFaults === undefined) return true;
    // With the complete cassette, the program is known to succeed.
    if (changed.size === 0 && kept.length === this.#parts.parts.length) return true;
    this.#count();
    return (await program.failureWithoutFaults(cassette, lines)) === undefined;
  }

  #attempt(cassette: Cassette, lines: readonly number[], isSearch: boolean): Promise<Observation | undefined> {
    this.#count();
    return this.#options.program.attempt(cassette, lines, isSearch);
  }

  #count(): void {
    this.#options.running?.(this.#runs, this.#best?.messages ?? this.#messagesBefore);
    this.#runs++;
    this.#budget.runs++;
  }
}

function isSmaller(one: SmallerCassette, other: SmallerCassette): boolean {
  if (one.messages !== other.messages) return one.messages < other.messages;
  return one.text.length < other.text.length;
}

function noFailureError(observation: Observation | undefined, file: string): McpRecordError {
  const { point = 'the point', verdict = 'unreached', why } = observation ?? {};
  return new McpRecordError({
    code: 'SHRINK_NO_FAILURE',
    what: `Cannot shrink ${point} of ${file}`,
    why: `it does not fail: its verdict is ${verdict}${why === undefined ? '' : `, since ${why}`}`,
    next: 'Name a point with a bad verdict: mcp-record sweep with the same cassette and command lists them.',
  });
}
