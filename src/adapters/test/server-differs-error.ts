import { McpRecordError } from '../../kernel/errors.ts';
import { failedSteps, type Outcome, placeOfStep, type Step } from '../../text-report/outcome-model.ts';
import { newInEachRunHint } from '../../verify/propose/propose-patterns.ts';
import {
  areUpdatable,
  proposeCommand,
  type ServerCheck,
  updateCommand,
} from '../../verify/update/advised-verify-command.ts';

const LISTED_MAX = 10;

/** Where a test finds how to record a server that no command starts. */
const OWN_SERVER = '"Record a server in this process" in docs/sdk-transports.md';

/**
 * Loads the cassette of a server under test.
 * @throws McpRecordError those of `load`. For a missing cassette, the error explains how to record a server.
 */
export function loadOfTestedServer<Loaded>(load: () => Loaded): Loaded {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof McpRecordError && error.code === 'CASSETTE_NOT_FOUND')) throw error;
    const next = `${error.problem.next} For a server in the test's process, see ${OWN_SERVER}.`;
    throw new McpRecordError({ ...error.problem, next });
  }
}

/**
 * Returns the error for a server whose answers differ from the cassette. Runners show the first difference. `check`
 * describes the test's comparison, for the advised command.
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
      ...(looks ? [`${looks} ${ignoreAdvice(checked)}`] : []),
      ...adviceOn([...failed, ...failedSteps(outcome)], checked),
    ].join('\n  '),
    ...(hasDifference && { expected: first.recorded, actual: first.live }),
  });
}

/** Returns how to find what to ignore. A command line cannot start a function of the test. */
function ignoreAdvice(check: ServerCheck): string {
  if (typeof check.server === 'function') return 'Name their form or their place in "ignore": see docs/test-server.md.';
  return `This proposes what to name in "ignore": ${proposeCommand(check)}`;
}

/** Returns the next step. An update is advised where it makes the test pass. */
function adviceOn(failed: readonly Step[], check: ServerCheck): string[] {
  const isOfTest = typeof check.server === 'function';
  const how = isOfTest ? `: see ${OWN_SERVER}` : '';
  if (!areUpdatable(failed)) return [`Mend the server. If it is right, record the session again${how}.`];
  if (isOfTest)
    return ['Mend the server, or take its answers over: run this test with MCP_RECORD=record, or with vitest -u.'];
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
