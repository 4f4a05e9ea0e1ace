import { FAULTS } from '../../faults/fault-table.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { WrittenRule } from '../../modes/channel-faults.ts';

/** Serializes a rule for another process. @throws McpRecordError FAULT_NO_MEANING for a fault of the test's own */
export function serializeRule({ fault: { kind, values }, ...rest }: Rule): WrittenRule {
  if (FAULTS.get(kind.name) !== kind) throw ownFault(kind.name);
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
