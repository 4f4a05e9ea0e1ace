import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { ClientBehind } from '../../fork/fork-session.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { titleOf } from '../../replay/findings/finding.ts';
import { printable } from '../../text-report/printable-text.ts';

const LISTED_MAX = 5;

/** Returns lines that say that the live client has reached the line of the fork, and which recorded messages it did not send. */
export function arrivalLines(place: string, file: string, unused: readonly SessionEntry[]): string[] {
  const arrived = `The client has come to ${place}. The live server goes on.`;
  return unused.length === 0 ? [arrived] : [arrived, `note: it did not send ${listed(unused, file)}`];
}

/** Returns the error for a live client that never reached the line of the fork. */
export function clientBehind(place: string, file: string, { why, owed }: ClientBehind): McpRecordError {
  const missing = owed.length === 0 ? '' : ` It has not sent ${listed(owed, file)}.`;
  const whys = {
    'other call': `the client has made a call that is not recorded before this line.${missing}`,
    'client ended': `the client ended before this line.${missing}`,
    'server ended': `the server ended before the client came to this line.${missing}`,
  };
  const nexts = {
    'other call':
      'The call is above. Leave out what changes in each run with --ignore, or let the live server answer from such a call on with --on-difference report. If your client begins after the line, leave --with-client out.',
    'client ended': 'Name an earlier line, or let the client make the recorded calls first.',
    'server ended': 'Its last lines on standard error are above.',
  };
  return new McpRecordError({
    code: 'FORK_CLIENT_BEHIND',
    what: `Cannot go on from ${place}`,
    why: whys[why].replace(/\.$/, ''),
    next: nexts[why],
  });
}

function listed(entries: readonly SessionEntry[], file: string): string {
  const shown = entries.slice(0, LISTED_MAX).map(({ message, line }) => `${titleOf(message)} (${file}:${line})`);
  const more = entries.length - shown.length;
  return printable(shown.join(', ') + (more > 0 ? ` and ${more} more` : ''));
}
