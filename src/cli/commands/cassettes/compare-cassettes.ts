import type { Cassette } from '../../../cassette/cassette.ts';
import { requireTimes } from '../../../contract/slower-answer.ts';
import { diffSessions, type SessionDiff } from '../../../diff/diff-sessions.ts';
import { diffOutcome } from '../../../diff/diff-to-outcome.ts';
import type { FailOn } from '../../../match/contract-change-types.ts';
import type { Outcome } from '../../../text-report/outcome-model.ts';
import { toleratedOutcome } from '../../../text-report/pass-tolerated-steps.ts';
import { loadCassetteRevision } from '../../git/load-cassette-revision.ts';
import { outcomePaint, say } from '../../io/output.ts';
import { type GivenIgnores, seeRecorded } from '../../options/ignore-options.ts';
import { type Users, usersNotes, withChangeUsers } from '../../used-by/consumer-cassettes-option.ts';

/** Options of a comparison: which differences fail, and which additional information is reported. */
export interface CompareRules {
  failOn: FailOn;
  given: GivenIgnores;
  users: Users | undefined;
  /** How many times as long an answer may take. */
  slower?: number | undefined;
}

/** Two cassettes that were compared. */
export interface ComparedCassettes {
  /** Differences, with the notes of the outcome. */
  diff: SessionDiff;
  outcome: Outcome;
  /** The second cassette. */
  newer: Cassette;
}

/** Result of the command, in each of its forms. `notes` come last. */
export interface DiffResult {
  outcome: Outcome;
  compared: readonly ComparedCassettes[];
  json(notes: readonly string[]): object;
  lines(notes: readonly string[], diffText: DiffText): string[];
}

export type DiffText = (diff: SessionDiff, paint: ReturnType<typeof outcomePaint>) => string[];

/** Compares two cassettes, each a file or `REVISION:FILE`. */
export function compareCassettes(
  names: readonly [string, string],
  { failOn, given, users, slower }: CompareRules,
): ComparedCassettes {
  const [a, b] = [loadCassetteRevision(names[0]), loadCassetteRevision(names[1])];
  for (const warning of [...a.warnings, ...b.warnings]) say(warning);
  seeRecorded(given, [a, b]);
  if (slower !== undefined) [a, b].forEach(requireTimes);
  const compared = diffSessions(a, b, given.ignore, slower);
  const entries = compared.entries.map((entry) => withChangeUsers(entry, users));
  const used = usersNotes(users, { changes: entries.flatMap(({ changes }) => changes), contract: a });
  const diff = { ...compared, entries, notes: [...compared.notes, ...used] };
  const outcome = toleratedOutcome(diffOutcome(diff), failOn);
  // The first steps are those of the entries.
  const judged = entries.map((entry, n) =>
    outcome.steps[n]?.status === 'passed' ? { ...entry, passes: true } : entry,
  );
  return { diff: { ...diff, entries: judged, notes: [...outcome.notes] }, outcome, newer: b };
}

/** Returns what the command says about two cassettes. */
export function resultOf(compared: ComparedCassettes): DiffResult {
  const { diff, outcome } = compared;
  const noted = (notes: readonly string[]) => ({ ...diff, notes: [...diff.notes, ...notes] });
  return {
    outcome,
    compared: [compared],
    json: (notes) => diffJson(noted(notes)),
    lines: (notes, diffText) => diffText(noted(notes), outcomePaint(process.stdout)),
  };
}

/** Returns what `--json` prints: the differences, with all notes in one list. */
export function diffJson({ a, b, same, otherSettings, entries, notes }: SessionDiff): object {
  return { a, b, same, otherSettings, entries, notes };
}
