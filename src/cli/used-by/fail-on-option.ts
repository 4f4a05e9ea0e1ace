import { McpRecordError } from '../../kernel/errors.ts';
import { FAIL_ON, type FailOn } from '../../match/contract-change-types.ts';

/** Options of a comparison that say which differences fail. */
export interface FailOnOptions {
  failOn: string;
  usedBy: readonly string[];
}

/**
 * Returns the value of `--fail-on`.
 * @throws McpRecordError USAGE_BAD_FAIL_ON, and USAGE_OPTION_WITHOUT_MEANING if nobody can be known to use anything
 */
export function failOnOf({ failOn, usedBy }: FailOnOptions): FailOn {
  const value = FAIL_ON.find((one) => one === failOn);
  if (value === undefined) throw badFailOn(failOn);
  if (value === 'used' && usedBy.length === 0) throw usedByNobody();
  return value;
}

function badFailOn(text: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_FAIL_ON',
    what: `Cannot use --fail-on ${text}`,
    why: `it is none of ${FAIL_ON.join(', ')}`,
    next: 'Write --fail-on breaking to let compatible and cosmetic changes pass, or leave it out to fail on any difference.',
  });
}

function usedByNobody(): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_OPTION_WITHOUT_MEANING',
    what: 'Cannot use --fail-on used',
    why: 'it has a meaning only with --used-by',
    next: "Name the cassettes of all clients: --used-by 'cassettes/**'.",
  });
}
