import type { Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';

/**
 * Returns the value of an option for a duration.
 * @throws McpRecordError USAGE_BAD_TIME
 */
export function millisecondsOf(option: string, text: string): Milliseconds {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value > 0) return value;
  throw new McpRecordError({
    code: 'USAGE_BAD_TIME',
    what: `Cannot use ${option} ${text}`,
    why: 'it is not a whole number of milliseconds above 0',
    next: `Write, for example, ${option} 5000.`,
  });
}
