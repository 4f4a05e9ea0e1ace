import type { FaultKind } from '../faults/fault.ts';
import type { Params, Written } from '../faults/rules/declare-fault-params.ts';
import type { Rule } from '../faults/rules/fault-rule.ts';
import { parseFaultRules } from '../faults/rules/parse-fault-rules.ts';
import { parseOnAnyTransport } from '../faults/rules/parse-on-any-transport.ts';
import { anyMethod } from '../faults/rules/unknown-rule-method.ts';
import type { When } from '../faults/rules/when.ts';

/** Conditions of a fault, beside the fault's parameters. Defaults are those of the fault table. */
export interface RuleOptions {
  /** Method of the message, or of the answered request. Short for `when: { method }`. */
  on?: string;
  /** Number of the matching message, counted from 1. Short for `when: { nth }`. */
  nth?: number;
  /** All conditions on the message. */
  when?: When;
  /** Maximum number of times that the fault fires. */
  times?: number;
  /** Probability of firing on a match, from 0 to 1. */
  probability?: number;
}

type Flat<T> = { [Key in keyof T]: T[Key] };

/** Parameters of a fault, and its conditions. */
export type FaultOptions<P extends Params> = Flat<Written<P> & RuleOptions>;

/**
 * Creates a rule for one fault: `cut({ on: 'tools/call', nth: 2 })` is `{ do: cut, when: { method: tools/call, nth: 2 }
 * }`.
 * @throws McpRecordError FAULT_BAD_RULE, as for rules in YAML
 */
export type FaultFunction<P extends Params> =
  Record<never, never> extends Written<P> ? (options?: FaultOptions<P>) => Rule : (options: FaultOptions<P>) => Rule;

/** The rule function for a kind of fault. */
export type FunctionOf<Kind> = Kind extends { params: infer P extends Params } ? FaultFunction<P> : never;

/** Returns the rule function for a kind of fault, built-in or user-defined. */
export function faultFunction<Kind extends Pick<FaultKind, 'name'> & { params: Params }>(kind: Kind): FunctionOf<Kind> {
  const known = kind as unknown as FaultKind;
  const source = {
    name: `${kind.name}()`,
    kinds: new Map([[kind.name, known]]),
    usesMethod: anyMethod,
  };
  const make = ({ on, nth, when, times, probability, ...values }: RuleOptions = {}): Rule => {
    const selected = { ...when, ...defined({ method: on, nth }) };
    const written = {
      do: kind.name,
      ...defined(asWritten(values)),
      ...defined({ times, probability }),
      ...(Object.keys(selected).length > 0 && { when: selected }),
    };
    // A session that uses the rule checks it again, for its transport and for the methods of its cassette.
    return parseOnAnyTransport(
      known.transports,
      (transport) => parseFaultRules({ faults: [written] }, { ...source, transport }).rules[0]!,
    );
  };
  return make as FunctionOf<Kind>;
}

/** Returns parameters in their YAML form: an infinite duration is written as a word. */
function asWritten(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === Number.POSITIVE_INFINITY ? 'forever' : value]),
  );
}

function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
