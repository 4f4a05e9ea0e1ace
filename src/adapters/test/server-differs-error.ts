import { McpRecordError } from '../../kernel/errors.ts';
import { failedSteps, type Outcome, placeOfStep, type Step } from '../../text-report/outcome-model.ts';
import { newInEachRunHint } from '../../verify/compare/propose-patterns.ts';
import {
  isUpdatable,
  proposeCommand,
  type ServerCheck,
  updateCommand,
} from '../../verify/update/advised-verify-command.ts';

const LISTED_MAX = 10;

/**
 * Returns the error for a server whose answers differ from the cassette. Runners show the first difference. `check` is
 * what the test has compared, for the command that it advises.
 */
export function serverDiffersError(
  outcome: Outcome,
  failed: readonly Step[],
  check: Omit<ServerCheck, 'file'>,
): McpRecordError {
  const [first] = failed;
  const hasDifference = first?.recorded !== undefined || first?.live !== undefined;
  const more = failed.length - LISTED_MAX;
  const said = [
    ...failed.slice(0, LISTED_MAX).flatMap((step) => linesOf(step, outcome)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  const checked = { ...check, file: outcome.file };
  const looks = newInEachRunHint(failed);
  return new McpRecordError({
    code: 'SESSION_DIFFERS',
    what: `The server is not that of ${outcome.file}`,
    why: failed.length === 1 ? 'one step differs' : `${failed.length} steps differ`,
    next: [
      ...said,
      ...(looks ? [`${looks} This proposes what to name in "ignore": ${proposeCommand(checked)}`] : []),
      ...adviceOn([...failed, ...failedSteps(outcome)], checked),
    ].join('\n  '),
    ...(hasDifference && { expected: first.recorded, actual: first.live }),
  });
}

/** Returns the next step. An update is advised where it makes the test pass, and writes no value that was redacted before. */
function adviceOn(failed: readonly Step[], check: ServerCheck): string[] {
  const hasNoAdvice = failed.every(({ details = [] }) => details.length === 0);
  if (!hasNoAdvice || !failed.every(isUpdatable)) return ['Mend the server. If it is right, record the session again.'];
  const [update, ...notes] = updateCommand(check);
  return [`Mend the server, or take its answers over: ${update}`, ...notes];
}

function linesOf(step: Step, { file }: Outcome): string[] {
  const { title, headline = 'failed', changes = [], details = [] } = step;
  return [
    `${title}: ${headline} (${placeOfStep(step, file)})`,
    // The headline already states a single change.
    ...(changes.length > 1 ? changes.map(({ severity, reason }) => `  ${severity}: ${reason}`) : []),
    ...details.map((line) => `  ${line}`),
  ];
}
