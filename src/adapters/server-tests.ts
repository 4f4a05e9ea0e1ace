import { loadCassette } from '../cassette/load.ts';
import { movesOf } from '../cassette/moves.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { isRequest } from '../protocol/message.ts';
import { subjectOf } from '../protocol/methods.ts';
import { type Outcome, placeOfStep, type Step } from '../report/outcome.ts';
import { playClient, type TestedServer, type VerifyOptions } from './verify-server.ts';

/** A test for any runner: `for (const { title, run } of serverTests(tape, server)) it(title, run)`. */
export interface ServerTest {
  /** What is checked, different from all others. */
  title: string;
  /** The first that runs plays the whole session; each fails where its own part differs. */
  run(): Promise<void>;
}

/**
 * A test for each recorded interaction, and one for what else the server did.
 * @throws McpRecordError those of `loadCassette`
 */
export function serverTests(
  file: string,
  startServer: () => TestedServer | Promise<TestedServer>,
  options: VerifyOptions = {},
): ServerTest[] {
  let playing: Promise<Outcome> | undefined;
  const play = () => {
    playing ??= Promise.resolve()
      .then(startServer)
      .then((server) => playClient(file, server, options));
    return playing;
  };
  const interactions = interactionsOf(file);
  const lines = new Set(interactions.map(({ line }) => line));
  const check = async (isOurs: (step: Step) => boolean) => {
    const outcome = await play();
    const failed = outcome.steps.filter((step) => step.status === 'failed' && isOurs(step));
    if (failed.length > 0) throw stepsFailed(outcome, failed);
  };
  return [
    ...interactions.map(({ title, line }) => ({ title, run: () => check((step) => step.line === line) })),
    { title: 'nothing else', run: () => check(({ line }) => line === undefined || !lines.has(line)) },
  ];
}

/** The requests of the recorded client. Of pages of a list, which are compared as one, only the first has what fails. */
function interactionsOf(file: string): { title: string; line: number }[] {
  return movesOf(loadCassette(file).events).flatMap(({ from, message, line }) =>
    from === 'client' && isRequest(message)
      ? [{ title: `${subjectOf(message.method, message.params)} (line ${line})`, line }]
      : [],
  );
}

function stepsFailed(outcome: Outcome, failed: readonly Step[]): McpRecordError {
  const [first] = failed;
  const said = failed.map((step) => {
    const details = [
      ...(step.changes ?? []).map(({ severity, reason }) => `${severity}: ${reason}`),
      ...(step.details ?? []),
    ];
    return [`${step.title}: ${step.headline ?? 'failed'}`, ...details].join('\n    ');
  });
  const hasDifference = first!.recorded !== undefined || first!.live !== undefined;
  return new McpRecordError({
    code: 'SESSION_DIFFERS',
    what: `The server is not that of ${placeOfStep(first!, outcome.file)}`,
    why: said.join('\n  '),
    next: `Mend the server, or take its answers over: npx mcp-record verify --update ${outcome.file} -- COMMAND`,
    ...(hasDifference && { expected: first!.recorded, actual: first!.live }),
  });
}
