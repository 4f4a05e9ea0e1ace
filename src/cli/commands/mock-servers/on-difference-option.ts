import { McpRecordError } from '../../../kernel/errors.ts';
import { type Expectations, isFailure, type Reaction } from '../../../replay/findings/failure-policy.ts';
import type { Finding } from '../../../replay/findings/finding.ts';

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

/** Returns the text of a finding, with the options that make a refused client fail the run, if it does not yet. */
export function withFailingOption(
  { kind, text }: Finding,
  options: string,
  expectations: Required<Expectations>,
): string {
  if (kind !== 'unauthorized' || isFailure(kind, expectations)) return text;
  return `${text}\n  This does not fail the run, because a client may give up. With ${options} it fails.`;
}

/** Options of `replay` with which a client fails that was refused for its token, and never came back. */
export const REPLAY_FAILS = '--strict or --on-difference fail';

/** As {@link REPLAY_FAILS}, of `mock`. */
export const MOCK_FAILS = '--on-difference fail';
