import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER_ONLY, writeNew } from '../../cassette/write/atomic-write.ts';
import { systemClock as clock, type Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';
import type { BudgetLimit } from '../../sweep/shrink/shrink-budget.ts';
import { type Shrunk, shrinkFailure } from '../../sweep/shrink/shrink-failure.ts';
import {
  changingCallsBefore,
  type WrongAnswer,
  wrongAnswerProgram,
  wrongAnswersOf,
} from '../../sweep/shrink/wrong-answer.ts';
import type { Outcome } from '../../text-report/outcome-model.ts';
import { failedSteps } from '../../text-report/outcome-model.ts';
import { printable } from '../../text-report/printable-text.ts';
import { compareSession } from '../../verify/compare/compare-session.ts';
import { liveRedaction } from '../../verify/compare/equal-placeholders.ts';
import { playToLiveServer } from '../../verify/run/play-to-live-server.ts';
import { EXIT, printLines, say } from '../io/output.ts';
import { endBySignal } from '../io/signals.ts';
import { liveServerConnector } from '../options/connect-live-server.ts';
import { faultLayerFor } from '../options/fault-layer.ts';
import { givenHeaders } from '../options/header-options.ts';
import { givenIgnores } from '../options/ignore-options.ts';
import { type RedactionOptions, redactionWords } from '../options/redaction-options.ts';
import { secretsFromEnv } from '../options/restore-secrets-from-env.ts';
import { outputRedactor } from '../reports/output-redactor.ts';
import { commandLine, programUnderTest } from '../sweep/again-command.ts';
import { givenSecrets, loadRecordedClient } from '../sweep/load-recorded-client.ts';
import { badSweep, type SweepCommandOptions } from '../sweep/sweep-options.ts';
import { ShrinkProgress } from '../terminal/shrink-progress.ts';
import { runnableCommand } from './runnable-command.ts';

export interface WrongAnswerRequest {
  /** The cassette. */
  file: string;
  /** Name of the check, such as `verify@55`. Absent: the first one that fails. */
  name: string | undefined;
  /** The command of the server, or its URL. */
  words: readonly string[];
  /** Maximum time of an answer. */
  deadline: Milliseconds | undefined;
  /** New folder. */
  folder: string;
  budget: BudgetLimit;
  options: Omit<SweepCommandOptions, 'point'> & RedactionOptions;
}

/** Time of an answer, as in `verify`. */
const PATIENCE: Milliseconds = 10_000;
const CHECK = /^verify@(\d+)$/;

/** Reports whether a point is a check of `verify`: `verify@55`, or the first one that fails. */
export function isCheck(name: string | undefined): boolean {
  return name === undefined || CHECK.test(name);
}

/**
 * Finds the smallest cassette to which a server gives the same wrong answer, with which `verify` fails.
 * @throws McpRecordError SHRINK_NO_FAILURE, SHRINK_NOT_REPEATED, USAGE_BAD_SWEEP, and those of `verify`
 */
export async function shrinkWrongAnswer(request: WrongAnswerRequest): Promise<number> {
  const { file, words, folder, budget, options, deadline: patience = PATIENCE } = request;
  const cassette = loadRecordedClient(file, options);
  for (const warning of cassette.warnings) say(warning);
  const { ignore } = givenIgnores(options);
  const given = await givenHeaders(options.http, options.header, process.env);
  const [redactor, secrets] = [await outputRedactor(options, given), await secretsFromEnv(options.secretsFromEnv)];
  const redaction = liveRedaction(redactor, secrets, () => '', { env: process.env, ...given });
  const url = options.http ? words.join(' ') : undefined;
  const at = { command: 'verify', headers: given.headers, ...(url !== undefined && { http: url }) };
  const start = liveServerConnector(url === undefined ? words : [], at, await faultLayerFor(undefined));
  const play = async (some: typeof cassette): Promise<Outcome> => {
    const played = await givenSecrets(some, options);
    const driven = await playToLiveServer({ start, cassette: played, clock, patience, ignore, redaction });
    return compareSession({ file, driven, ignore, redaction });
  };
  const step = chosen(await play(cassette), request);
  const progress = new ShrinkProgress(process.stderr, say);
  let best: Shrunk | undefined;
  endBySignal((signal) => {
    progress.finish();
    if (best === undefined) say(`interrupted by ${signal} before a smaller cassette was found: nothing is written`);
    else say(`interrupted by ${signal}: ${write(folder, best)} is the smallest so far, which one run has confirmed`);
  });
  const found = await shrinkFailure({
    cassette,
    lines: [step.line],
    program: wrongAnswerProgram(play),
    budget,
    clock,
    running: (runs, messages) => progress.running(runs, messages),
    expected: (time) => progress.expected(time),
    found(smaller) {
      best = smaller;
      progress.found(smaller);
    },
  }).finally(() => progress.finish());
  best = undefined;
  const written = write(folder, found);
  const gone =
    changingCallsBefore(cassette, step.line) - changingCallsBefore(found.cassette, found.lines[0]!, cassette);
  const lines = reportOf(found, { written, gone, again: runnableCommand(againWords(request, written), redactor.text) });
  await printLines(lines.map((line) => printable(redactor.text(line))));
  // Child processes of a server under test may keep its streams open, and must not keep this process running.
  process.exit(EXIT.ok);
}

/** Returns the wrong answer that is to be shrunk. */
function chosen(outcome: Outcome, { file, name }: WrongAnswerRequest): WrongAnswer {
  const wrong = wrongAnswersOf(outcome);
  const [, line] = CHECK.exec(name ?? '') ?? [];
  const step = line === undefined ? wrong[0] : wrong.find((one) => one.line === Number(line));
  if (step !== undefined) return step;
  const such = wrong.map((one) => `verify@${one.line}`).join(', ');
  if (wrong.length > 0) {
    const why = 'no wrong answer is at this line';
    throw badSweep({ option: '--point', text: String(name), why, next: `There are: ${such}.` });
  }
  const [other] = failedSteps(outcome);
  throw new McpRecordError({
    code: 'SHRINK_NO_FAILURE',
    what: `Cannot shrink ${file}`,
    why: other
      ? `verify fails, and not with a wrong answer: ${other.title}: ${other.headline}`
      : 'the server answers as recorded',
    next: 'Name the point of a sweep with --point: mcp-record sweep --server with the same cassette and command lists them.',
  });
}

/** Writes the small cassette, and returns its path. */
function write(folder: string, { text }: Shrunk): string {
  const path = join(folder, 'cassette.yaml');
  try {
    mkdirSync(folder, { recursive: true });
    writeNew(path, text, OWNER_ONLY);
  } catch (error) {
    throw new McpRecordError({
      code: 'USAGE_CANNOT_WRITE',
      what: `Cannot write to ${folder}`,
      why: messageOf(error),
      next: 'Name a folder that may be written to.',
      cause: error,
    });
  }
  return path;
}

/** Returns the command that fails with the small cassette. Values of headers are left out. */
function againWords({ words, deadline, options }: WrongAnswerRequest, cassette: string): string {
  const { http, ignore, ignorePattern, header, otherRequests, secretsFromEnv: names } = options;
  return commandLine([
    'verify',
    ...(deadline === undefined ? [] : ['--timeout', String(deadline)]),
    ...(otherRequests ? ['--other-requests'] : []),
    ...(names === undefined ? [] : ['--secrets-from-env', names]),
    ...redactionWords(options),
    ...ignore.flatMap((pointer) => ['--ignore', pointer]),
    ...ignorePattern.flatMap((pattern) => ['--ignore-pattern', pattern]),
    ...header.flatMap((field) => ['--header', `${field.split(':', 1)[0]}: …`]),
    cassette,
    ...(http ? ['--http', ...words] : programUnderTest(words, options)),
  ]);
}

interface Reported {
  /** Path of the small cassette. */
  written: string;
  again: string;
  /** Number of earlier calls that are gone, and may change what the server answers. */
  gone: number;
}

function reportOf({ observation, lines, ...shrunk }: Shrunk, { written, again, gone }: Reported): string[] {
  const { messages, messagesBefore, runs, isCutShort } = shrunk;
  return [
    `wrong ${observation.title}  (${written}:${lines[0]})`,
    `    ${observation.why}`,
    `    again: ${again}`,
    '',
    `${messages} of ${formatCount(messagesBefore, 'message')} left after ${formatCount(runs, 'run')}, of which the last three failed in this way`,
    ...(gone > 0
      ? [
          `${formatCount(gone, 'call')} before it ${gone === 1 ? 'is' : 'are'} gone that may change what the server answers. If the recorded answer depends on one, a right server fails, too.`,
        ]
      : []),
    ...(isCutShort ? ['the budget ended the search: a larger --budget may find less'] : []),
    `written: ${written}`,
  ];
}
