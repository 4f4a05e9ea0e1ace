import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../src/faults/fault-table.ts';
import { parseFaultRules, parseShortRule } from '../../src/faults/rules/parse-fault-rules.ts';
import { McpRecordError } from '../../src/kernel/errors.ts';
import { fuzzed } from '../support/fuzz.ts';

const TRANSPORTS = ['stdio', 'http', 'memory'] as const;
const WHEN = ['from', 'kind', 'method', 'tool', 'prompt', 'resource', 'at', 'stream', 'nth', 'after', '__proto__'];

const value = fc.oneof(
  fc.constantFrom('client', 'server', 'response', 'start', 'end', 'open', 'forever', '', '/params/x', 'truncate'),
  fc.integer({ min: -1, max: 3 }),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined, Number.NaN, 1e300),
  fc.jsonValue({ maxDepth: 2 }),
);
const mapping = (keys: readonly string[]) =>
  fc.array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 4 }).map(Object.fromEntries);
/** Values of which each parameter takes some. */
const FITTING: readonly unknown[] = [
  0,
  1,
  5,
  0.5,
  'forever',
  'client',
  'server',
  'x',
  '/params/x',
  {},
  [],
  true,
  'json',
];

const oddRule = fc
  .record({ do: fc.oneof(fc.constantFrom(...FAULTS.keys()), value), when: value, nonsense: value })
  .map(({ nonsense, ...rest }) => (nonsense === 1 ? { ...rest, nonsense } : rest));
const seldom = <T>(odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: odd });
/** Parameters that the fault knows, those that it needs among them; most fit. */
const knownRule = fc.constantFrom(...FAULTS.values()).chain(({ name, params }) => {
  const values = Object.entries(params).map(([param, { read }]) => {
    const fitting = FITTING.filter((one) => read(one) !== undefined);
    const usual = 'fallback' in params[param]! ? [undefined, ...fitting] : fitting;
    const odd = { weight: 1, arbitrary: value };
    return [param, usual.length === 0 ? value : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...usual) }, odd)];
  });
  const more = { times: seldom(value), probability: seldom(value), when: seldom(mapping(WHEN)) };
  return fc.record({ do: fc.constant(name), ...more, ...Object.fromEntries(values) } as Record<
    string,
    fc.Arbitrary<unknown>
  >);
});
const rule = fc.oneof({ weight: 9, arbitrary: knownRule }, oddRule);

/** What `read` gives; undefined where it refuses, which has to be in words of ours. */
function given<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof McpRecordError)) throw error;
    expect(error.code).toMatch(/^FAULT_/);
    expect(error.message).toContain(' ');
    return undefined;
  }
}

describe('whatever is written as rules', () => {
  it.each([[{ do: { toString: false } }]])('found before: %j is refused', (found) => {
    expect(() => parseFaultRules({ faults: [found] }, { name: 'faults.yaml', transport: 'stdio' })).toThrow(
      McpRecordError,
    );
  });

  it('is rules, each with all that its fault needs, or is refused with a code', () => {
    let read = 0;
    const written = fc.oneof({ weight: 9, arbitrary: fc.record({ faults: fc.array(rule, { maxLength: 2 }) }) }, value);
    fc.assert(
      fc.property(written, fc.constantFrom(...TRANSPORTS), (text, transport) => {
        const faults = given(() => parseFaultRules(text, { name: 'faults.yaml', transport }));
        for (const { fault, times, probability } of faults?.rules ?? []) {
          read++;
          expect(Object.keys(fault.values)).toEqual(Object.keys(fault.kind.params));
          expect(fault.kind.transports).toContain(transport);
          expect(times === undefined || (Number.isSafeInteger(times) && times >= 0)).toBe(true);
          expect(probability === undefined || (probability >= 0 && probability <= 1)).toBe(true);
        }
      }),
      fuzzed(2_000),
    );
    expect(read).toBeGreaterThan(100);
  });

  it('means the same once more, read from what was read', () => {
    fc.assert(
      fc.property(rule, fc.constantFrom(...TRANSPORTS), (one, transport) => {
        const source = { name: 'faults.yaml', transport };
        const first = given(() => parseFaultRules({ faults: [one] }, source))?.rules[0];
        if (first === undefined) return;
        const { fault, ...rest } = first;
        const values = Object.entries(fault.values).map(([name, it]) => [name, it === Infinity ? 'forever' : it]);
        const again = { do: fault.kind.name, ...Object.fromEntries(values), ...rest };
        expect(parseFaultRules({ faults: [again] }, source).rules).toEqual([first]);
      }),
      fuzzed(2_000),
    );
  });

  it('in short is a rule, or is refused with a code', () => {
    const part = fc.oneof(
      fc.constantFrom(...FAULTS.keys()),
      fc.constantFrom('tools/call', ':', '=', ',', '', 'delay=5', 'for=forever', '__proto__=1', 'when=x'),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.constantFrom(':', ',', ''), (parts, between) => {
        given(() => parseShortRule(parts.join(between), 'stdio'));
      }),
      fuzzed(2_000),
    );
  });
});
