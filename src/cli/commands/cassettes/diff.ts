import type { Command } from 'commander';
import { diffOutcome } from '../../../diff/diff-outcome.ts';
import { diffSessions, type SessionDiff } from '../../../diff/diff-sessions.ts';
import { failedSteps, type Outcome } from '../../../text-report/outcome-model.ts';
import { toleratedOutcome } from '../../../text-report/tolerated-step.ts';
import { loadCassetteRevision } from '../../git/load-cassette-revision.ts';
import { EXIT, outcomePaint, printJson, printLines, say } from '../../io/output.ts';
import { type FailOnOptions, failOnOf } from '../../used-by/fail-on-option.ts';
import { givenIgnores, type IgnoreOptions, seeRecorded } from '../../options/ignore-options.ts';
import { writeReport } from '../../reports/write-report.ts';
import { usersNotes, usersOf, withChangeUsers } from '../../used-by/used-by-option.ts';

interface Options extends IgnoreOptions, FailOnOptions {
  json?: boolean;
  junit?: string;
}

/**
 * Runs `mcp-record diff A B`: prints the differences of two sessions, aligned by meaning. Exits with 1 if there are
 * any that `--fail-on` names, also if only settings differ, such as rules of `match`.
 */
export async function run(command: Command): Promise<number> {
  const { json = false, junit, ...options } = command.opts<Options>();
  const failOn = failOnOf(options);
  const given = givenIgnores(options);
  const [a, b] = [loadCassetteRevision(command.args[0]!), loadCassetteRevision(command.args[1]!)];
  for (const warning of [...a.warnings, ...b.warnings]) say(warning);
  seeRecorded(given, [a, b]);
  const users = usersOf(options.usedBy);
  const compared = diffSessions(a, b, given.ignore);
  const entries = compared.entries.map((entry) => withChangeUsers(entry, users));
  const used = usersNotes(users, { changes: entries.flatMap(({ changes }) => changes), contract: a });
  const diff = { ...compared, entries, notes: [...compared.notes, ...given.usage.notes(), ...used] };
  const outcome = toleratedOutcome(diffOutcome(diff), failOn);
  if (junit !== undefined) writeReport(junit, (await import('../../../text-report/junit.ts')).junitXml(outcome));
  const notes = [...outcome.notes];
  await (json ? printJson(jsonOf({ ...diff, notes }, outcome)) : printLines(await linesOf({ ...diff, notes })));
  return failedSteps(outcome).length > 0 ? EXIT.fellShort : EXIT.ok;
}

/** Returns what `--json` prints: the differences, those marked that `--fail-on` lets pass. */
function jsonOf({ entries, ...diff }: SessionDiff, { steps }: Outcome): object {
  const marked = entries.map((entry, n) => (steps[n]?.status === 'passed' ? { ...entry, passes: true } : entry));
  const { notes, ...rest } = diff;
  return { ...rest, entries: marked, notes };
}

async function linesOf(diff: SessionDiff): Promise<string[]> {
  const { diffText } = await import('../../../diff/format-session-diff.ts');
  return diffText(diff, outcomePaint(process.stdout));
}
