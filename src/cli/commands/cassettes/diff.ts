import type { Command } from 'commander';
import { diffSessions, type SessionDiff } from '../../../diff/diff-sessions.ts';
import { loadCassetteRevision } from '../../git/load-cassette-revision.ts';
import { EXIT, outcomePaint, printJson, printLines, say } from '../../io/output.ts';
import { type IgnoreOptions, givenIgnores, seeRecorded } from '../../options/ignore-options.ts';

interface Options extends IgnoreOptions {
  json?: boolean;
}

/**
 * Runs `mcp-record diff A B`: prints the differences of two sessions, aligned by meaning. Exits with 1 if there are
 * any, also if only settings differ, such as rules of `match`.
 */
export async function run(command: Command): Promise<number> {
  const { json = false, ...options } = command.opts<Options>();
  const given = givenIgnores(options);
  const [a, b] = [loadCassetteRevision(command.args[0]!), loadCassetteRevision(command.args[1]!)];
  for (const warning of [...a.warnings, ...b.warnings]) say(warning);
  seeRecorded(given, [a, b]);
  const compared = diffSessions(a, b, given.ignore);
  const diff = { ...compared, notes: [...compared.notes, ...given.usage.notes()] };
  await (json ? printJson(diff) : printLines(await linesOf(diff)));
  return diff.entries.length > 0 || diff.otherSettings > 0 ? EXIT.fellShort : EXIT.ok;
}

async function linesOf(diff: SessionDiff): Promise<string[]> {
  const { diffText } = await import('../../../diff/format-session-diff.ts');
  return diffText(diff, outcomePaint(process.stdout));
}
