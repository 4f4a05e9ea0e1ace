import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { readCassette } from '../../../cassette/read/load-cassette.ts';
import { parseCassette } from '../../../cassette/read/parse-cassette.ts';
import { OWNER_ONLY, replaceFile, writeWhole } from '../../../cassette/write/atomic-write.ts';
import { McpRecordError, type Problem } from '../../../kernel/errors.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { packageVersion } from '../../../kernel/installed-package.ts';
import { type MissingRules, missingRules } from '../../../record/redact-file/missing-rules.ts';
import { missingRulesError } from '../../../record/redact-file/missing-rules-error.ts';
import { type CassetteSecret, redactCassette } from '../../../record/redact-file/redact-cassette.ts';
import { scenarioIn, searchScenario } from '../../../record/redact-file/search-scenario.ts';
import { type UnredactableValue, unredactableWarning } from '../../../record/summary/unredactable-values.ts';
import { allPlaceholdersIn } from '../../../redact/decode/find-encoded-placeholders.ts';
import { createRedactor, type RedactionRules, type Redactor } from '../../../redact/redactor.ts';
import { wasRedacted } from '../../../redact/replace/mask-for-compare.ts';
import { variablesIn } from '../../../redact/replace/placeholders.ts';
import type { Outcome, Step } from '../../../text-report/outcome-model.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { cassettesNamed, otherFilesIn } from '../../cassette-files/find-cassette-files.ts';
import { withFolderAdvice } from '../../cassette-files/folder-instead-of-cassette.ts';
import { isOtherFile } from '../../cassette-files/skip-non-cassettes.ts';
import { coloursFor, EXIT, fail, printJson, printLines, say } from '../../io/output.ts';
import { type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';
import type { CheckedFile, Finding, UncheckedFile } from '../../reports/checked-files-junit.ts';
import { errorStep, jsonError } from '../../reports/error-in-reports.ts';
import {
  commonPasswordHints,
  compressedBodyHints,
  otherFileHints,
  unsearchedVariableHints,
  unsetVariableHints,
  unusedRuleHints,
} from '../../reports/redact-check-hints.ts';
import { attempt } from '../../reports/wrap-thrown-error.ts';
import { removeLink, writeReport } from '../../reports/write-report-file.ts';

interface Options extends RedactionOptions {
  check?: boolean;
  output?: string;
  json?: boolean;
  junit?: string;
  sarif?: string;
}

/** Secrets found in a file. */
interface Result {
  file: string;
  secrets: CassetteSecret[];
  unredactable: UnredactableValue[];
}

/** Runs `mcp-record redact FILE…`: redacts secrets in existing cassettes, or lists them with `--check`. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { check = false, output, json = false, junit, sarif: sarifPath } = options;
  const files = cassettesNamed(command.args);
  if (output !== undefined && files.length > 1) throw notOneOutput();
  const written = await rulesFrom(options);
  const results: Result[] = [];
  const redactors: Redactor[] = [];
  /** Names of placeholders that the files had. */
  const placeholderNames = new Set<string>();
  /** Each file as `--json` prints it, in order. */
  const inJson: object[] = [];
  const unset = new Set<string>();
  const inJunit: (CheckedFile | UncheckedFile)[] = [];
  const unreadable: UncheckedFile[] = [];
  /** Files that were read, as they are once redacted. */
  const searched: { file: string; text: string }[] = [];
  /** Files with placeholders of rules that were not given. */
  const blind: { file: string; names: string[] }[] = [];
  for (const file of files) {
    try {
      const before = Buffer.from(readCassette(file)).toString('utf8');
      const scenario = check ? scenarioIn(before, file) : undefined;
      const lacking = scenario ? NONE_MISSING : missingRulesIn(before, file, written);
      const rules = [...written.rules, ...(check ? lacking.ofVariables : [])];
      const redactor = createRedactor({ env: process.env, ...written, rules });
      const { text, linesAdded, warnings, ...found } = scenario
        ? searchScenario(before, scenario, redactor)
        : redactCassette(before, file, redactor);
      const after = <T extends { line: number }>(value: T) =>
        check ? value : { ...value, line: value.line + linesAdded };
      const [secrets, unredactable] = [found.secrets.map(after), found.unredactable.map(after)];
      redactors.push(redactor);
      if (check) searched.push({ file, text });
      for (const warning of warnings) say(warning);
      for (const { name } of allPlaceholdersIn(before)) placeholderNames.add(name);
      for (const name of variablesIn(text)) if (!process.env[name]) unset.add(name);
      if (output !== undefined) writeRedacted(output, text);
      else if (!check && secrets.length > 0) attempt(() => replaceFile(file, text), notWritten(file));
      if (!check) await warnOfNumbers(output ?? file, secrets, redactor);
      const left = unredactableWarning(file, unredactable);
      if (left) say(left.message);
      const isBlind = check && lacking.names.length > 0;
      if (isBlind) blind.push({ file, names: lacking.names });
      // Secrets found without the missing rules are still shown.
      if (isBlind && secrets.length + unredactable.length === 0) continue;
      results.push({ file, secrets, unredactable });
      inJson.push(jsonOf({ file, secrets, unredactable }));
      inJunit.push(checkedFile({ file, secrets, unredactable }));
    } catch (caught) {
      // An unreadable file does not hide secrets in other files.
      const error = withFolderAdvice(caught, { command, file });
      fail(error);
      if (!json && junit === undefined && sarifPath === undefined) continue;
      const unread = { file, error: await jsonError(error, options) };
      inJson.push(unread);
      inJunit.push(unread);
      unreadable.push(unread);
    }
  }
  // The error says what to do about a name, so that no hint has to.
  const isBlindTo = (name: string) => blind.some(({ names }) => names.includes(name));
  if (blind.length > 0) {
    const names = new Set(blind.flatMap((one) => one.names));
    const error = missingRulesError(
      [...names],
      blind.map(({ file }) => file),
    );
    fail(error);
    for (const one of blind) {
      const unread = { file: one.file, error: await jsonError(missingRulesError(one.names, [one.file]), options) };
      inJson.push(unread);
      inJunit.push(unread);
      unreadable.push(unread);
    }
  }
  if (junit !== undefined) {
    const { checkedFilesJunit } = await import('../../reports/checked-files-junit.ts');
    writeReport(junit, checkedFilesJunit({ name: 'redact', noun: 'value', files: inJunit }));
  }
  if (sarifPath !== undefined) {
    const { sarif } = await import('../../../text-report/sarif.ts');
    writeReport(sarifPath, sarif(outcomeOf(command.args, results, unreadable), packageVersion()));
  }
  const broken = files.filter((file) => !results.some((result) => result.file === file)).length;
  const isUnreadable = broken + blind.length > 0;
  // An unread file may contain a match for a seemingly unused rule.
  const hints = check && !isUnreadable ? unusedRuleHints(redactors, placeholderNames) : [];
  const unsearched = [...unset].filter((name) => !isBlindTo(name));
  if (check) hints.push(...unsetVariableHints(unsearched, written));
  if (check) hints.push(...unsearchedVariableHints(written), ...otherFileHints(otherFilesIn(command.args, files)));
  hints.push(
    ...commonPasswordHints(searched),
    ...compressedBodyHints(
      results.flatMap(({ secrets }) => secrets),
      check,
    ),
  );
  await (json ? printJson(inJson) : printLines([...linesOf(results, { isCheck: check, broken }), ...hints]));
  if (json) for (const hint of hints) say(hint);
  if (isUnreadable) return EXIT.usage;
  return check && results.some(({ secrets, unredactable }) => secrets.length + unredactable.length > 0)
    ? EXIT.fellShort
    : EXIT.ok;
}

/** Prints a warning about numbers that were redacted where clients may require a number. */
async function warnOfNumbers(
  file: string,
  secrets: readonly CassetteSecret[],
  { isOfNumber }: Redactor,
): Promise<void> {
  if (!secrets.some(({ placeholder }) => isOfNumber(placeholder))) return;
  const [{ redactedValues }, { redactedNumbersWarning }] = await Promise.all([
    import('../../../record/summary/redacted-values.ts'),
    import('../../../record/summary/redacted-numbers.ts'),
  ]);
  const warning = redactedNumbersWarning(file, redactedValues(file), isOfNumber);
  if (warning) say(warning);
}

const NONE_MISSING: MissingRules = { names: [], listed: [], ofVariables: [] };

/** Returns the rules that a cassette needs and that were not given. One without placeholders needs none. */
function missingRulesIn(text: string, file: string, rules: RedactionRules): MissingRules {
  if (!wasRedacted(text)) return NONE_MISSING;
  return missingRules({ text, header: parseCassette(text, file).header }, rules, process.env);
}

function jsonOf({ file, secrets, unredactable }: Result): object {
  return {
    file,
    secrets: secrets.map(({ line, kind }) => ({ line, kind })),
    ...(unredactable.length > 0 && { unredactable }),
  };
}

/** Returns the result of a check, with kind and place of each value that fails the file, and never the value. */
function checkedFile({ file, secrets, unredactable }: Result): CheckedFile {
  const failures: Finding[] = [
    ...secrets.map(({ line, kind }): Finding => [`${file}:${line} ${kind}`]),
    ...unredactable.map(({ line, kind, pointer }): Finding => [`${file}:${line} ${kind} at ${pointer}, which stays`]),
  ];
  return { file, failures };
}

/** Converts the result of a check into an outcome for SARIF, with one step for each value. */
function outcomeOf(
  named: readonly string[],
  results: readonly Result[],
  unreadable: readonly UncheckedFile[],
): Outcome {
  const rule = { id: 'secret', sentence: 'A cassette contains no secret.' };
  const step = { title: 'redact', rule, status: 'failed' } as const;
  const steps = results.flatMap(({ file, secrets, unredactable }): Step[] => [
    ...secrets.map(({ line, kind }) => ({ ...step, file, line, headline: `It contains a secret: ${kind}` })),
    ...unredactable.map(({ line, kind, pointer }) => {
      return { ...step, file, line, headline: `It contains a secret that stays: ${kind} at ${pointer}` };
    }),
  ]);
  const errors = unreadable.map(({ file, error }) => errorStep(error, { name: 'redact', file }));
  return {
    title: 'redact',
    file: results[0]?.file ?? 'mcp-record',
    named,
    steps: [...steps, ...errors],
    notes: [],
    duration: 0,
  };
}

interface Printed {
  isCheck: boolean;
  /** Number of unreadable or unwritable files. */
  broken: number;
}

function linesOf(results: readonly Result[], { isCheck, broken }: Printed): string[] {
  const { red, dim } = coloursFor(process.stdout);
  const lines = results.flatMap(({ file, secrets, unredactable }) => [
    ...secrets.map(
      ({ line, kind }) => `${printable(file)}:${line} ${isCheck ? red(kind) : `${kind} ${dim('redacted')}`}`,
    ),
    ...unredactable.map(
      ({ line, kind, pointer }) => `${printable(file)}:${line} ${red(kind)} at ${pointer}, which stays`,
    ),
  ]);
  const summary = `${summaryOf(results, isCheck)}${broken > 0 ? `, ${broken} with an error` : ''}`;
  return [...lines, ...(lines.length > 0 ? [''] : []), summary];
}

/** Summarizes in the words of `record`: `2 values redacted in 3 places, in 1 of 2 files`. */
function summaryOf(results: readonly Result[], isCheck: boolean): string {
  const placesOf = ({ secrets, unredactable }: Result) => secrets.length + (isCheck ? unredactable.length : 0);
  const places = results.reduce((sum, result) => sum + placesOf(result), 0);
  const done = isCheck ? 'to redact' : 'redacted';
  if (places === 0) return `nothing ${done} in ${formatCount(results.length, 'file')}`;
  const values = results.reduce((sum, result) => sum + valuesOf(result, isCheck), 0);
  const where = places > values ? ` in ${formatCount(places, 'place')},` : '';
  const files = results.filter((result) => placesOf(result) > 0).length;
  return `${formatCount(values, 'value')} ${done}${where} in ${files} of ${formatCount(results.length, 'file')}`;
}

/** Counts the distinct values of a file. */
function valuesOf({ secrets, unredactable }: Result, isCheck: boolean): number {
  const known = new Set(secrets.map(({ placeholder }) => placeholder));
  return known.size + (isCheck ? unredactable.length : 0);
}

/**
 * Writes a redacted cassette to a new file, or in place of an earlier cassette. A link is replaced, and not followed.
 * @throws McpRecordError USAGE_CANNOT_WRITE
 */
function writeRedacted(file: string, text: string): void {
  const failure = notWritten(file);
  attempt(() => {
    removeLink(file);
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    if (isFile && isOtherFile('.yaml', readFileSync(file)))
      throw new McpRecordError({
        ...failure,
        why: 'there is such a file, and it is no cassette',
        next: 'Name another file.',
      });
    writeWhole(file, text, OWNER_ONLY);
  }, failure);
}

function notWritten(file: string): Pick<Problem, 'code' | 'what' | 'next'> {
  return {
    code: 'USAGE_CANNOT_WRITE',
    what: `Cannot write ${file}`,
    next: 'Name a file in a folder that exists and may be written to.',
  };
}

function notOneOutput(): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_ONE_OUTPUT',
    what: 'Cannot write to -o',
    why: 'there are several files, but only one output file',
    next: 'Leave -o out: each file is replaced then.',
  });
}
