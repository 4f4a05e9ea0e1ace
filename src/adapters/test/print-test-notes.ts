import type { Cassette, CassetteSource } from '../../cassette/cassette.ts';
import { cassetteOf } from '../../cassette/read/load-cassette.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { printable } from '../../text-report/printable-text.ts';

/**
 * Prints notes about recordings, redactions and unplayable entries to standard error. Runners show them beside the
 * test.
 */
export function printRecordingNotes(notes: readonly string[]): void {
  const each = [...new Set(notes)];
  if (each.length > 0) console.warn(each.map((note) => `mcp-record: ${printable(note)}`).join('\n'));
}

/** Returns notes on findings that fail a test by default, and that its faults or options only report. */
export function notesOnToleratedFindings({
  cassette,
  findings,
}: {
  cassette: string;
  findings: readonly Finding[];
}): string[] {
  return findings.flatMap(({ kind, text }) => {
    const option = OPTION_OF_TOLERATED.get(kind);
    if (option === undefined) return [];
    const why = MAY_DO[kind] ?? `${option} is 'report', set by the test, or the default in a test with faults`;
    const said = text.replace(/\n\s*/g, ' ').replace(/\.$/, '');
    return [
      `${cassette || 'the mock server'}: ${said}. This does not fail the test: ${why}. If it has to: ${option}: 'fail', or an assertion.`,
    ];
  });
}

/** What a client may do, if the finding fails a test only on request. */
const MAY_DO: Readonly<Partial<Record<Finding['kind'], string>>> = {
  unauthorized: 'a client may give up',
  refused: 'a client may ask its user again',
};

/** Option that makes a reported finding fail a test. */
const OPTION_OF_TOLERATED: ReadonlyMap<Finding['kind'], string> = new Map([
  ['unused', 'onUnused'],
  ['uncalled', 'onUnused'],
  ['unretried', 'onUnused'],
  ['unauthorized', 'onUnused'],
  ['differs', 'onDifference'],
  ['unanswered', 'onDifference'],
  ['unrecorded', 'onDifference'],
  ['stray', 'onDifference'],
  ['refused', 'onDifference'],
]);

const OF_CASSETTES: ReadonlySet<Finding['kind']> = new Set(['unplayable', 'hollow']);

/** Returns the problems of cassettes and of the rules for them, whatever the test has played, without duplicates. */
export function notesOnCassettes(outcomes: readonly { findings: readonly Finding[] }[]): string[] {
  const findings = outcomes.flatMap((outcome) => outcome.findings);
  return [...new Set(findings.filter(({ kind }) => OF_CASSETTES.has(kind)).map(({ text }) => text))];
}

const printed = new Set<string>();

/**
 * Loads a cassette for a test, and warns of a truncated cassette.
 * @throws McpRecordError those of `loadCassette`
 */
export function loadAndWarn(source: CassetteSource): Cassette {
  const cassette = cassetteOf(source);
  // A cassette value that lacks its last answer has no warnings. Who plays it refuses it.
  const { warnings = [] }: Partial<Cassette> = cassette;
  warnOnce(warnings);
  return cassette;
}

/** Prints warnings about cassettes to standard error, each once in a process: many tests may play one cassette. */
export function warnOnce(warnings: readonly string[]): void {
  const others = warnings.filter((warning) => !printed.has(warning));
  for (const warning of others) printed.add(warning);
  printRecordingNotes(others);
}
