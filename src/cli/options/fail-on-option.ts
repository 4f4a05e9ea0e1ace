import { McpRecordError } from '../../kernel/errors.ts';
import { FAIL_ON, type FailOn } from '../../match/change-severity.ts';

/**
 * Returns the value of `--fail-on`.
 * @throws McpRecordError USAGE_BAD_FAIL_ON
 */
export function failOnOf(text: string): FailOn {
  const value = FAIL_ON.find((one) => one === text);
  if (value !== undefined) return value;
  throw new McpRecordError({
    code: 'USAGE_BAD_FAIL_ON',
    what: `Cannot use --fail-on ${text}`,
    why: `it is none of ${FAIL_ON.join(', ')}`,
    next: 'Write --fail-on breaking to let compatible and cosmetic changes pass, or leave it out to fail on any difference.',
  });
}
