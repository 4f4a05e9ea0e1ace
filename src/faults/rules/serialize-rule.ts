import { McpRecordError } from '../../kernel/errors.ts';
import { FAULTS } from '../fault-table.ts';
import type { Rule } from './fault-rule.ts';

/** Rule in the form of scenario files. */
interface SerializedRule {
  do: string;
  [member: string]: unknown;
}

/**
 * Serializes a rule for another process.
 * @throws McpRecordError FAULT_NO_MEANING for a user-defined fault
 */
export function serializeRule(rule: Rule): SerializedRule {
  const { kind } = rule.fault;
  if (FAULTS.get(kind.name) !== kind) throw ownFault(kind.name);
  return ruleAsData(rule);
}

/** Converts a rule to the form of scenario files. Its fault must be in the table. */
export function ruleAsData({ fault: { kind, values }, ...rest }: Rule): SerializedRule {
  const written = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value === Number.POSITIVE_INFINITY ? 'forever' : value]],
  );
  return { do: kind.name, ...Object.fromEntries(written), ...rest };
}

function ownFault(name: string): McpRecordError {
  return new McpRecordError({
    code: 'FAULT_NO_MEANING',
    what: `Cannot use the fault "${name}" in a process that a client starts`,
    why: 'it is one of your own, and a function cannot be said on a command line',
    next: 'Use it in this process or over HTTP: mcp.server(cassette, { over: "http" }).',
  });
}
