import type { Command } from 'commander';
import { systemClock as clock, type Milliseconds } from '../../../kernel/clock.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { readNamedText } from '../../../kernel/read-regular-file.ts';
import { loadScenario } from '../../../scenario/scenario-file.ts';
import { DEFAULTS } from '../../../scenario/scenario-reader.ts';
import { measureClient } from '../../../sweep/client/client-baseline.ts';
import { mayReorder } from '../../../sweep/orders/concurrent-messages.ts';
import type { BudgetLimit } from '../../../sweep/shrink/shrink-budget.ts';
import { type Shrunk, shrinkFailure } from '../../../sweep/shrink/shrink-failure.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { EXIT, printLines, say } from '../../io/output.ts';
import { endBySignal } from '../../io/signals.ts';
import { type RedactionOptions, redactionWords } from '../../options/redaction-options.ts';
import { requireNewFolder } from '../../options/require-new-folder.ts';
import { seedFrom } from '../../options/seed-option.ts';
import {
  type FoundSweepPoint,
  findSweepPoint,
  type PointRequest,
  type ProgramLimits,
} from '../../sweep/find-sweep-point.ts';
import { CUT_BY_HAND, pointOfScenario } from '../../sweep/point-of-scenario.ts';
import { type ShrunkFiles, writeShrunkFiles } from '../../sweep/shrunk-files.ts';
import { badSweep, noPoints, positiveNumber, type SweepCommandOptions } from '../../sweep/sweep-options.ts';
import { ShrinkProgress } from '../../terminal/shrink-progress.ts';
import { isCheck, shrinkWrongAnswer } from '../../verify/shrink-wrong-answer.ts';

interface Options extends Omit<SweepCommandOptions, 'point'>, RedactionOptions {
  point?: string;
  budget: string;
  output: string;
}

/** Equal seeds try equal arguments, as in `sweep --server --inputs`. */
const SEED = 1;

/**
 * `mcp-record shrink FILE --point POINT -o FOLDER -- COMMAND…`: finds the smallest cassette with which a client, or a
 * server, fails in the same way as in a sweep. With `--server` and no point: the smallest one with which `verify` fails.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { output: folder } = options;
  const [file = '', ...rest] = command.args;
  const words = rest[0] === '--' ? rest.slice(1) : rest;
  const budget = budgetFrom(options.budget);
  const isNew = () =>
    requireNewFolder(folder, { what: `Cannot write to ${folder}`, next: 'Name a folder that does not exist with -o.' });
  if (options.server && !options.inputs && !isScenario(file) && isCheck(options.point)) {
    isNew();
    const deadline = positiveNumber('--deadline', options.deadline);
    return await shrinkWrongAnswer({ file, name: options.point, words, deadline, folder, budget, options });
  }
  const [rule] = redactionWords(options);
  if (rule !== undefined) throw rulesOfPoint(rule.split('=', 1)[0]!);
  const given = requestFrom(file, words, options);
  isNew();
  const found = await findSweepPoint(given);
  const progress = new ShrinkProgress(process.stderr, say);
  let best: Shrunk | undefined;
  endBySignal((signal) => {
    progress.finish();
    if (best === undefined) say(`interrupted by ${signal} before a smaller cassette was found: nothing is written`);
    else {
      const { cassette } = writeShrunkFiles({ folder, shrunk: best, found, request: given });
      say(`interrupted by ${signal}: ${cassette} is the smallest so far, which one run has confirmed`);
    }
    found.remove();
  });
  try {
    const limits = await limitsOf(found, given);
    const { deadline } = limits;
    const request = isTooLongForRun(deadline) ? { ...given, deadline } : given;
    const shrunk = await shrinkFailure({
      cassette: found.cassette,
      lines: (await found.narrow?.(deadline)) ?? found.lines,
      program: found.program(limits),
      budget,
      clock,
      running: (runs, messages) => progress.running(runs, messages),
      expected: (time) => progress.expected(time),
      found(smaller) {
        best = smaller;
        progress.found(smaller);
      },
    });
    progress.finish();
    best = undefined;
    const files = writeShrunkFiles({ folder, shrunk, found, request });
    await printLines(reportOf(shrunk, { files, asked: found.point.name }));
  } finally {
    progress.finish();
    found.remove();
  }
  // Child processes of a server under test may keep its streams open, and must not keep this process running.
  process.exit(EXIT.ok);
}

function rulesOfPoint(option: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_OPTION_WITHOUT_MEANING',
    what: `Cannot use ${option}`,
    why: 'it has a meaning only for a wrong answer: a sweep compares the server with itself',
    next: `Leave ${option} out, or name a check of verify, such as --point verify@55. For a client: name the file of the rules in the variable MCP_RECORD_REDACT_RULES.`,
  });
}

/** Returns the point to shrink, from a scenario or from `--point`. */
function requestFrom(file: string, words: readonly string[], options: Options): PointRequest {
  const { point: name, server, http, faults, inputs, seed } = options;
  if (isScenario(file)) {
    const other = Object.entries({ point: name, server, http, faults, inputs, seed }).find(([, value]) => value);
    if (other) {
      const next = `Leave --${other[0]} out.`;
      throw new McpRecordError({
        code: 'USAGE_OPTION_WITHOUT_MEANING',
        what: `Cannot use --${other[0]}`,
        why: `${file} is a scenario, which says that itself`,
        next,
      });
    }
    const request = pointOfScenario(loadScenario(file), words);
    const deadline = positiveNumber('--deadline', options.deadline) ?? request.deadline;
    return { ...request, deadline };
  }
  if (name === undefined) {
    throw new McpRecordError({
      code: 'USAGE_BAD_SWEEP',
      what: `Cannot shrink ${file}`,
      why: 'no option names the point that fails',
      next: `Add --point with a name that mcp-record sweep prints, such as --point stall@3. For a wrong answer of a server: --server. ${CUT_BY_HAND}`,
    });
  }
  const deadline = positiveNumber('--deadline', options.deadline);
  return { file, name, words, seed: seedFrom(seed) ?? SEED, deadline, options };
}

/** Reports whether a file is a scenario. The reader of cassettes names the problem of a file that cannot be read. */
function isScenario(file: string): boolean {
  try {
    const text = readNamedText(file);
    return /^play:/m.test(text) && /^cassette:/m.test(text) && !/^format:/m.test(text);
  } catch {
    return false;
  }
}

const UNITS: Readonly<Record<string, Milliseconds>> = { s: 1_000, m: 60_000 };

/**
 * Parses `--budget`: a time such as 60s or 5m, or a number of runs.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
export function budgetFrom(text: string): BudgetLimit {
  const [, digits = '', unit = ''] = /^(\d{1,6})(s|m)?$/.exec(text) ?? [];
  const count = Number(digits);
  if (count > 0) return unit === '' ? { runs: count } : { time: count * UNITS[unit]! };
  const why = 'it is neither a time nor a number of runs';
  throw badSweep({ option: '--budget', text, why, next: 'Write, for example, --budget 60s, 5m, or 100 for 100 runs.' });
}

/**
 * Measures a run of the client without any fault, and returns the limits of the other runs.
 * @throws McpRecordError as `measureClient`; SWEEP_NO_POINTS if the client never receives the message
 */
async function limitsOf(
  found: FoundSweepPoint,
  { words: command, deadline, options }: PointRequest,
): Promise<ProgramLimits> {
  const { target, cassette, point, lines, baseline: first } = found;
  if (target === undefined) return { deadline: 0 };
  const transport = options.http ? 'http' : 'stdio';
  const client = {
    command,
    env: process.env,
    clock,
    deadline,
    mayReorder: first === undefined && mayReorder(cassette, transport),
  };
  const baseline = await measureClient({ ...client, point: first, target: () => target(cassette, first) });
  if (!lines.every((line) => baseline.lines.has(line))) {
    const why = `the client does not get the message of ${point.name}, without any fault`;
    throw noPoints({ file: cassette.file, shard: undefined, why, next: 'Name a point that mcp-record sweep lists.' });
  }
  return { deadline: Math.ceil(baseline.deadline), unserved: baseline.unserved };
}

/** Reports whether a scenario has to name a measured deadline, since its default is shorter. */
function isTooLongForRun(deadline: Milliseconds): boolean {
  return deadline > DEFAULTS.deadline;
}

interface ReportedFiles {
  files: ShrunkFiles;
  /** Name of the point that the user wanted to shrink. */
  asked: string;
}

/** Returns whether the search has come to its end, and what that says if no message was taken away. */
function searchEndOf({ messages, messagesBefore, smallerMessages, isCutShort }: Shrunk): string[] {
  const isWhole = messages === messagesBefore;
  const less = isWhole && smallerMessages > 0 ? [`less is left in ${formatCount(smallerMessages, 'message')}`] : [];
  if (isCutShort) {
    const so = isWhole ? 'before it could take a message away: try' : 'before it had tried all: it may find less with';
    return [`the budget ended the search ${so} a larger --budget, such as --budget 5m`, ...less];
  }
  if (!isWhole) return [];
  return [
    'no message can be taken away: without any, the failure is another one, or it fails without the fault, too',
    ...less,
  ];
}

/** Returns what the command prints about a smaller failure. */
export function reportOf(shrunk: Shrunk, { files, asked }: ReportedFiles): string[] {
  const { observation, messages, messagesBefore, runs } = shrunk;
  const { verdict, point, title } = observation;
  return [
    `${verdict} ${point}: ${printable(title)}`,
    ...(point === asked ? [] : [`    the point was ${asked}: messages before it are gone, so its number is another`]),
    `    ${printable(files.cause)}`,
    `    again: ${printable(files.again)}`,
    '',
    `${messages} of ${formatCount(messagesBefore, 'message')} left after ${formatCount(runs, 'run')}, of which the last three failed in this way`,
    ...searchEndOf(shrunk),
    `written: ${files.cassette}, ${files.scenario}`,
  ];
}
