import { McpRecordError } from '../../kernel/errors.ts';
import type { DelayPrecision } from '../../record/writer/event-delays.ts';

/**
 * Parses `--timing` of a recording: the precision of its delays.
 * @throws McpRecordError USAGE_BAD_TIMING
 */
export function parseTiming(timing: string): DelayPrecision {
  if (timing === 'coarse' || timing === 'exact' || timing === 'none') return timing;
  throw new McpRecordError({
    code: 'USAGE_BAD_TIMING',
    what: `Cannot record timing "${timing}"`,
    why: 'it is not one of coarse, exact and none',
    next: 'Leave --timing out for coarse gaps.',
  });
}
