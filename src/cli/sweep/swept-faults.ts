import { FAULTS } from '../../faults/fault-table.ts';
import { shortParams } from '../../faults/rules/parse-fault-rules.ts';
import type { FaultCase, SweptFault } from '../../sweep/client/fault-cases.ts';
import { MISBEHAVIOURS } from '../../sweep/server/misbehaviour-table.ts';
import { badSweep, faultNames } from './sweep-options.ts';

export interface SweptFaultOptions {
  /** The value of `--faults`. */
  faults: string | undefined;
  /** The values of `--point`. */
  point: readonly string[];
  /** Faults of a sweep without `--faults`. */
  defaults: readonly string[];
}

/**
 * Returns the faults of a sweep of a client: those of `--faults`, and those of each `--point`. An item of `--faults` is
 * `fault` or `fault:name=value,name=value`. A plus in front keeps the default faults.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
export function sweptFaults({ faults, point, defaults }: SweptFaultOptions): SweptFault[] {
  const added = faults?.startsWith('+') ? faults.slice(1) : faults;
  const isAdded = added !== faults || faults === undefined;
  const written = added === undefined ? [] : itemsOf(added).map((item) => sweptFault(item, faults ?? ''));
  const known = new Map<string, SweptFault>(isAdded ? defaults.map((name) => [name, { name }]) : []);
  const named = new Set<string>();
  for (const fault of written) {
    if (named.has(fault.name)) throw twice(fault.name, faults ?? '');
    named.add(fault.name);
    known.set(fault.name, fault);
  }
  for (const name of point.map((one) => one.split('@', 1)[0]!)) {
    if (FAULTS.has(name) && !known.has(name)) known.set(name, { name });
  }
  return [...known.values()];
}

/** The faults of a client that a sweep of a server has. */
const SERVER_SWEEP: ReadonlySet<string> = new Set(MISBEHAVIOURS.keys());

/**
 * Returns why a fault that `--faults` names happens to no message, and what to do. Undefined: each one happens to some.
 * A default fault without a message is no problem, if others have one.
 */
export function withoutPoint(
  swept: readonly SweptFault[],
  points: readonly Pick<FaultCase, 'fault'>[],
  faults: string | undefined,
): { why: string; next: string } | undefined {
  const named = faults === undefined ? [] : itemsOf(faults.replace(/^\+/, '')).map((item) => item.split(':', 1)[0]!);
  const names = swept.flatMap(({ name }) => (named.includes(name) ? [name] : []));
  const name = faultWithoutPoint(names, points);
  if (name === undefined) return undefined;
  if (FAULTS.get(name)?.when?.from !== 'client') {
    const next = 'Record a session in which the server sends such messages: mcp-record record -o FILE -- COMMAND.';
    return { why: `no message of its server can have the fault ${name}`, next };
  }
  const why = `"${name}" is a fault of the messages of a client, and here a client is tested`;
  const forServer = SERVER_SWEEP.has(name)
    ? `To test a server, add --server: mcp-record sweep --server --faults ${name} FILE -- COMMAND. `
    : '';
  return { why, next: `${forServer}How a client gives up and cancels, --faults late tests.` };
}

/** Returns the first of these faults, or kinds of arguments, that has no point. */
export function faultWithoutPoint(names: readonly string[], points: readonly { fault: string }[]): string | undefined {
  return names.find((name) => !points.some(({ fault }) => fault === name));
}

/** Splits at commas, except at those between the parameters of one fault. */
function itemsOf(text: string): string[] {
  return text.split(/,(?![^,:]*=)/).map((item) => item.trim());
}

function sweptFault(item: string, text: string): SweptFault {
  const [name = '', ...rest] = item.split(':');
  const given = rest.join(':').replace(/^:/, '');
  if (rest.length === 0 || !FAULTS.has(name)) {
    const [known = ''] = faultNames(item, [...FAULTS.keys()], 'docs/sweep.md');
    return { name: known };
  }
  if (/^[^:=]+=/.test(given)) return { name, params: shortParams(given) };
  const why = `"${item}" has no parameter such as delay=3000`;
  const next = `A sweep chooses the messages itself. Write --faults ${name}, or ${name}:parameter=value.`;
  throw badSweep({ option: '--faults', text, why, next });
}

function twice(name: string, text: string): Error {
  const next = 'Name it once. For other parameters, run another sweep.';
  return badSweep({ option: '--faults', text, why: `it has the fault "${name}" twice`, next });
}
