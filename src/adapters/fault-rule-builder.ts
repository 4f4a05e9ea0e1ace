import type { FaultKind } from '../faults/fault.ts';
import type { Params, Written } from '../faults/rules/fault-params.ts';
import type { Rule } from '../faults/rules/fault-rule.ts';
import { parseFaultRules } from '../faults/rules/parse-fault-rules.ts';
import type { When } from '../faults/rules/when.ts';

/** When a fault happens, beside its parameters. What is left out is as the table of faults says. */
export interface RuleOptions {
  /** Method of the message, or of the request that it answers: short for `when: { method }`. */
  on?: string;
  /** Only the n-th such message, counted from 1: `when: { nth }` in short. */
  nth?: number;
  /** All that can be said of a message. */
  when?: When;
  /** How often it happens at most. */
  times?: number;
  /** Probability of firing on a match, from 0 to 1. */
  probability?: number;
}

type Flat<T> = { [Key in keyof T]: T[Key] };
type Options<P extends Params> = Flat<Written<P> & RuleOptions>;

/**
 * Makes rules of one fault: `cut({ on: 'tools/call', nth: 2 })` is `{ do: cut, when: { method: tools/call, nth: 2 } }`.
 * @throws McpRecordError FAULT_BAD_RULE, as for what is written in YAML
 */
export type FaultFunction<P extends Params> =
  Record<never, never> extends Written<P> ? (options?: Options<P>) => Rule : (options: Options<P>) => Rule;

/** The function of a kind of fault. */
export type FunctionOf<Kind> = Kind extends { params: infer P extends Params } ? FaultFunction<P> : never;

/** Makes the function of a kind of fault, of yours too. */
export function faultFunction<Kind extends Pick<FaultKind, 'name'> & { params: Params }>(kind: Kind): FunctionOf<Kind> {
  const known = kind as unknown as FaultKind;
  const source = {
    name: `${kind.name}()`,
    // The transport is checked on use.
    ground: known.grounds[0]!,
    kinds: new Map([[kind.name, known]]),
  };
  const make = ({ on, nth, when, times, probability, ...values }: RuleOptions = {}): Rule => {
    const selected = { ...when, ...defined({ method: on, nth }) };
    const written = {
      do: kind.name,
      ...defined(asWritten(values)),
      ...defined({ times, probability }),
      ...(Object.keys(selected).length > 0 && { when: selected }),
    };
    return parseFaultRules({ faults: [written] }, source).rules[0]!;
  };
  return make as FunctionOf<Kind>;
}

/** In YAML, a time without an end is a word. */
function asWritten(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === Number.POSITIVE_INFINITY ? 'forever' : value]),
  );
}

function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
