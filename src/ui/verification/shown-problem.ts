import type { ShownProblem } from '../../html-report/data/live-page-protocol.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { brokenBy } from '../../verify/compare/session-end-steps.ts';
import type { ServerRun } from '../../verify/run/run-recorded-client.ts';

/** Returns an error as a page shows it. */
export function shownProblem(error: unknown): ShownProblem {
  if (!(error instanceof McpRecordError))
    return { code: 'UI_INTERNAL', message: messageOf(error), next: 'Please report this: it is a bug of mcp-record.' };
  const { code, what, why, next, place } = error.problem;
  const at = place ? ` (${place.file}:${place.line})` : '';
  return { code, message: `${what}${at}: ${why}.`, next };
}

/** Returns why a run says little about the server, for a page. Undefined: the run is whole. */
export function brokenRunProblem(run: ServerRun, server: string): ShownProblem | undefined {
  if (run.isAborted) return undefined;
  const broken = brokenBy(run);
  const next = `Start it by itself to see what is wrong: ${server}`;
  if (broken !== undefined) {
    const code = run.died ? 'UI_SERVER_ENDED' : 'UI_SERVER_SILENT';
    return { code, message: `Cannot verify ${server} to the end: ${broken}.`, next };
  }
  if (run.exchanges.length > 0 || run.unanswered.length === 0) return undefined;
  const why = `it answered none of the requests in time`;
  return { code: 'UI_SERVER_SILENT', message: `Cannot verify ${server}: ${why}.`, next };
}
