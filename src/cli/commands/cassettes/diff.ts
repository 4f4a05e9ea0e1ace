import type { Command } from 'commander';
import { McpRecordError } from '../../../kernel/errors.ts';
import { failedSteps, type Outcome, type Step } from '../../../text-report/outcome-model.ts';
import { pathInRevision } from '../../git/load-cassette-revision.ts';
import { EXIT, printJson, printLines } from '../../io/output.ts';
import { givenIgnores, type IgnoreOptions } from '../../options/ignore-options.ts';
import { writeOutcomeReports } from '../../reports/write-outcome-reports.ts';
import { usersOf } from '../../used-by/consumer-cassettes-option.ts';
import { type FailOnOptions, failOnOf } from '../../used-by/fail-on-option.ts';
import { slowerFactorOf } from '../../verify/slower-option.ts';
import { compareCassettes, type DiffResult, resultOf } from './compare-cassettes.ts';

interface Options extends IgnoreOptions, FailOnOptions {
  json?: boolean;
  junit?: string;
  sarif?: string;
  slower?: string;
}

/**
 * Runs `mcp-record diff A B`: prints the differences of two sessions, aligned by meaning. Exits with 1 if there are
 * any that `--fail-on` names, also if only settings differ, such as rules of `match`. `diff REVISION: PATTERN` compares
 * all cassettes of a folder or pattern.
 */
export async function run(command: Command): Promise<number> {
  const { json = false, junit, sarif, ...options } = command.opts<Options>();
  const [a, b] = twoIn(command.args);
  const failOn = failOnOf(options);
  const given = givenIgnores(options);
  const at = pathInRevision(a);
  const slower = slowerFactorOf(options.slower);
  const rules = { failOn, given, slower, users: usersOf(options.usedBy, at?.revision) };
  const result =
    at?.path === ''
      ? (await import('./diff-revision.ts')).diffRevision(at.revision, b, (...two) => compareCassettes(two, rules))
      : resultOf(compareCassettes([a, b], rules));
  const unused = given.usage.notes();
  const { outcome } = result;
  await writeOutcomeReports(outcome, { ...(junit !== undefined && { junit }) });
  if (sarif !== undefined) await writeOutcomeReports(await atChangedLines(result), { sarif });
  if (json) await printJson(result.json(unused));
  else await printLines(result.lines(unused, (await import('../../../diff/format-session-diff.ts')).diffText));
  return failedSteps(outcome).length > 0 ? EXIT.fellShort : EXIT.ok;
}

/** Returns the outcome of a comparison with its failures at the lines that a pull request shows. */
async function atChangedLines({ outcome, compared }: DiffResult): Promise<Outcome> {
  const { stepsAtChangedLines } = await import('../../reports/steps-at-changed-lines.ts');
  const onDisk = compared.map(({ newer }) => newer).filter(({ file }) => pathInRevision(file) === undefined);
  return { ...outcome, steps: onDisk.reduce<readonly Step[]>(stepsAtChangedLines, outcome.steps) };
}

/** Returns the two arguments. A shell makes more of a pattern without quotes. */
function twoIn([a = '', b = '', ...more]: readonly string[]): [string, string] {
  if (more.length === 0) return [a, b];
  throw new McpRecordError({
    code: 'USAGE_EXCESS_ARGUMENTS',
    what: 'Cannot tell what to compare',
    why: `diff takes two arguments, and got ${more.length + 2}`,
    next: "A shell replaces a pattern by its files. Quote it, or name the folder: mcp-record diff main: 'cassettes/**'",
  });
}
