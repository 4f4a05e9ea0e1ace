import type { Cassette } from '../../../cassette/cassette.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { lastLines } from '../../../text-report/last-lines.ts';
import { recordedFailure } from '../../failure-in-recording.ts';
import type { PlayedSession } from '../play-session.ts';

/**
 * Returns the error `SWEEP_BASELINE` if the server ends, refuses every request or stops answering without any
 * misbehaviour.
 */
export function baselineError({ run, stderr }: PlayedSession, { file, events }: Cassette): McpRecordError | undefined {
  const why = troubleOf(run);
  if (why === undefined) return undefined;
  const failure = recordedFailure(events);
  const said = lastLines(stderr).join('\n    ');
  return new McpRecordError({
    code: 'SWEEP_BASELINE',
    what: `Cannot sweep the server with ${file}`,
    why: `${why} without any misbehaviour${said && `:\n    ${said}`}`,
    next: `${failure === undefined ? '' : `${failure}: record a session that succeeds. `}See what it says to the recorded client: mcp-record verify ${file}, with the same server.`,
  });
}

function troubleOf({ died, exit, exchanges, unanswered, stopped }: PlayedSession['run']): string | undefined {
  if (died) return exit === undefined ? 'it closes its output' : `it ends with ${exit.status}`;
  const answered = exchanges.filter(({ refusal }) => refusal === undefined);
  const [refusal] = exchanges.flatMap(({ refusal }) => refusal ?? []);
  if (answered.length > 0 && stopped === undefined) return undefined;
  if (refusal !== undefined && answered.length === 0) return `it refuses every request (${refusal.words})`;
  if (unanswered.length > 0) return answered.length === 0 ? 'it answers nothing' : 'it stops answering';
  return 'it answers nothing';
}
