import { McpRecordError } from '../../../kernel/errors.ts';
import type { Reaction } from '../../../replay/findings/failure-policy.ts';

/**
 * Parses the value of `--on-difference`, if given.
 * @throws McpRecordError USAGE_BAD_ON_DIFFERENCE
 */
export function parseReaction(text: string | undefined): Reaction | undefined {
  if (text === undefined || text === 'fail' || text === 'report') return text;
  throw new McpRecordError({
    code: 'USAGE_BAD_ON_DIFFERENCE',
    what: `Cannot use --on-difference ${text}`,
    why: 'it is neither fail nor report',
    next: 'Write --on-difference fail or --on-difference report, or leave it out.',
  });
}
