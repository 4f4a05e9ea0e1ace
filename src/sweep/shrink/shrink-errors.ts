import { McpRecordError } from '../../kernel/errors.ts';
import type { Observation } from './same-failure.ts';

/** Returns the error for a failure that a second run does not reproduce. */
export function notRepeatedError(first: Observation, when: string, again?: Observation): McpRecordError {
  const { point, verdict, cause } = first;
  const before = `${verdict} (${cause})`;
  const now = again === undefined ? 'nothing of that kind' : `${again.verdict} (${again.cause})`;
  return new McpRecordError({
    code: 'SHRINK_NOT_REPEATED',
    what: `Cannot shrink ${point}`,
    why: `it was ${before}, and ${when} it is ${now}`,
    next: 'Find out what differs between two runs: a file or database that stays, a short timeout on a busy machine, or chance. Give each run a place of its own, and more time with --deadline.',
  });
}
