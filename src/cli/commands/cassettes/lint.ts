import type { Command } from 'commander';
import { formatCount } from '../../../kernel/format-count.ts';
import { packageVersion } from '../../../kernel/installed-package.ts';
import { lint, type Violation } from '../../../lint/lint.ts';
import type { LintRule } from '../../../lint/lint-rule.ts';
import type { Outcome, Step } from '../../../text-report/outcome-model.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { cassettesNamed } from '../../cassette-files/find-cassette-files.ts';
import { withFolderAdvice } from '../../cassette-files/folder-instead-of-cassette.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { coloursFor, EXIT, fail, printJson, printLines, say } from '../../io/output.ts';
import type { Finding } from '../../reports/checked-files-junit.ts';
import { errorStep, type JsonError, jsonError, type ReportOptions } from '../../reports/error-in-reports.ts';
import { writeReport } from '../../reports/write-report-file.ts';

/** Violations in a file. */
interface Result {
  file: string;
  violations: Violation[];
}

/** A file that cannot be read. */
interface Unreadable {
  file: string;
  error: JsonError;
}

/** Runs `mcp-record lint FILE…`: prints the protocol violations of sessions, with side and line. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<ReportOptions>();
  const { json = false, junit, sarif: path } = options;
  const { EVERY_RULE: rules } = await import('../../../lint/every-rule.ts');
  const files = cassettesNamed(command.args);
  const results: Result[] = [];
  const unreadable: Unreadable[] = [];
  for (const file of files) {
    try {
      results.push(resultOf(file, rules));
    } catch (caught) {
      const error = withFolderAdvice(caught, { command, file });
      // For a single file, the command fails with the file's error. For several files, an unreadable file must not hide
      // violations in other files.
      if (files.length === 1) throw error;
      fail(error);
      unreadable.push({ file, error: await jsonError(error, options) });
    }
  }
  if (path !== undefined) {
    const { sarif } = await import('../../../text-report/sarif.ts');
    writeReport(path, sarif(outcomeOf(command.args, results, unreadable), packageVersion()));
  }
  if (junit !== undefined) writeReport(junit, await junitOf(results, unreadable));
  await (json ? printJson(jsonOf(results, unreadable)) : printLines(linesOf(results, unreadable)));
  if (unreadable.length > 0) return EXIT.usage;
  return violationsOf(results).some(({ severity }) => severity === 'error') ? EXIT.fellShort : EXIT.ok;
}

function resultOf(file: string, rules: readonly LintRule[]): Result {
  const cassette = loadWithProgress(file);
  for (const warning of cassette.warnings) say(warning);
  return { file: cassette.file, violations: lint(cassette, rules) };
}

function violationsOf(results: readonly Result[]): Violation[] {
  return results.flatMap(({ violations }) => violations);
}

/** Returns what `--json` prints. Each violation names its file; `file` is that of a single one. */
function jsonOf(results: readonly Result[], unreadable: readonly Unreadable[]): object {
  const [first, ...others] = results;
  const isSingle = first !== undefined && others.length === 0 && unreadable.length === 0;
  return {
    ...(isSingle && { file: first.file }),
    files: results.map(({ file }) => file),
    ...(unreadable.length > 0 && { unreadable }),
    violations: violationsOf(results),
  };
}

function linesOf(results: readonly Result[], unreadable: readonly Unreadable[]): string[] {
  const broken = results.filter(({ violations }) => violations.length > 0);
  const count = (severity: Violation['severity']) =>
    formatCount(violationsOf(results).filter((violation) => violation.severity === severity).length, severity);
  const sum = `${count('error')}, ${count('warning')}`;
  const files = formatCount(results.length, 'file');
  const among = broken.length > 0 ? `${broken.length} of ${files}` : files;
  const isSingle = results.length + unreadable.length === 1;
  return [
    ...broken.flatMap(({ violations }) => [...violations.flatMap(violationLines), '']),
    isSingle ? sum : `${sum} in ${among}${unreadable.length > 0 ? `, ${unreadable.length} with an error` : ''}`,
  ];
}

function violationLines({ file, line, severity, who, rule, why, sentence, source }: Violation): string[] {
  const { red, yellow, dim } = coloursFor(process.stdout);
  const paint = severity === 'error' ? red : yellow;
  return [
    `${printable(file)}:${line} ${paint(severity)} ${who}: ${printable(why)}  ${dim(`[${rule}]`)}`,
    dim(`    ${sentence} (${source})`),
  ];
}

/** Formats one JUnit case for each file. Errors fail the case; warnings only add text. */
async function junitOf(results: readonly Result[], unreadable: readonly Unreadable[]): Promise<string> {
  const { checkedFilesJunit } = await import('../../reports/checked-files-junit.ts');
  const checked = results.map(({ file, violations }) => {
    const of = (wanted: Violation['severity']) => violations.filter(({ severity }) => severity === wanted).map(finding);
    return { file, failures: of('error'), notes: of('warning') };
  });
  return checkedFilesJunit({ name: 'lint', noun: 'error', files: [...checked, ...unreadable] });
}

function finding({ file, line, severity, who, rule, why, sentence, source }: Violation): Finding {
  return [`${file}:${line} ${severity} ${who}: ${why} [${rule}]`, `    ${sentence} (${source})`];
}

function outcomeOf(named: readonly string[], results: readonly Result[], unreadable: readonly Unreadable[]): Outcome {
  const steps = [
    ...violationsOf(results).map(violationStep),
    ...unreadable.map(({ file, error }) => errorStep(error, { name: 'lint', file })),
  ];
  return { title: 'lint', file: results[0]?.file ?? 'mcp-record', named, steps, notes: [], duration: 0 };
}

function violationStep({ file, rule, sentence, severity, who, line, why }: Violation): Step {
  return {
    title: rule,
    rule: { id: rule, sentence },
    status: 'failed',
    file,
    line,
    headline: `${who}: ${why}`,
    changes: [{ severity: severity === 'error' ? 'breaking' : 'compatible', path: '', reason: why }],
  };
}
