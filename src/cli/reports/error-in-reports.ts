import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { packageVersion } from '../../kernel/installed-package.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { createRedactor, type Redactor } from '../../redact/redactor.ts';
import { junitXml } from '../../text-report/junit.ts';
import type { Outcome, Step } from '../../text-report/outcome-model.ts';
import { printableJson } from '../../text-report/printable-text.ts';
import { sarif } from '../../text-report/sarif.ts';
import { fail, hasPrinted, print, say } from '../io/output.ts';
import type { RedactionOptions } from '../options/redaction-options.ts';
import { outputRedactor } from './output-redactor.ts';
import { writeReport } from './write-report-file.ts';

/** Options of a command that ask for a result that programs read. */
export interface ReportOptions extends Partial<RedactionOptions> {
  json?: boolean;
  junit?: string;
  sarif?: string;
  header?: readonly string[];
}

/** Command whose result programs read. */
export interface ReportingCommand {
  /** Name of the command, e.g. `verify`. */
  name: string;
  /** First argument, usually the cassette. */
  file: string | undefined;
  options: ReportOptions;
}

/** An error as `--json` prints it. */
export interface JsonError {
  code?: string;
  message: string;
  what?: string;
  why?: string;
  next?: string;
  place?: { file: string; line: number; column?: number };
}

/**
 * Removes the reports of an earlier run, so that they are not taken for those of this one however it ends. Other files
 * stay.
 * @throws McpRecordError USAGE_CANNOT_WRITE if the report would replace a cassette
 */
export function removeOldReports(options: ReportOptions): void {
  const files = reportsOf(options).filter(({ path }) => isFile(path));
  const old = files.filter(({ path, isReport }) => isReport(beginningOf(path)));
  const cassette = files.find((file) => !old.includes(file) && isCassette(beginningOf(file.path, HEAD_BYTES)));
  if (cassette) throw overCassette(cassette.path, cassette.option);
  for (const { path } of old) rmSync(path, { force: true });
}

/** Prints an error without secrets, and writes it to the reports of its command. Returns the exit status. */
export async function printFailure(error: unknown, command: ReportingCommand | undefined): Promise<number> {
  const status = fail(error, (await redactorOfErrors(command?.options ?? {})).text);
  if (command) await reportError(error, command);
  return status;
}

/** Writes an error, without secrets, to the reports of a command: JUnit, SARIF, and JSON on standard output unless a result is there. */
async function reportError(error: unknown, command: ReportingCommand): Promise<void> {
  const { options } = command;
  if (!options.json && reportsOf(options).length === 0) return;
  const safe = await jsonError(error, options);
  for (const { path, isReport, format } of reportsOf(options)) {
    try {
      // The path may be a cassette, if the option was given without a file and took the next argument.
      if (isFile(path) && !isReport(beginningOf(path)))
        say(`${path} exists and is no report, so that this error is not written to it`);
      else writeReport(path, format(outcomeOf(safe, command)));
    } catch (failure) {
      // The original error may have the same cause: an unwritable path.
      if (!(error instanceof McpRecordError && error.code === 'USAGE_CANNOT_WRITE')) say(messageOf(failure));
    }
  }
  if (options.json && !hasPrinted()) await print(printableJson(`${JSON.stringify({ error: safe })}\n`));
}

/** Returns an error as data, without secrets: it may quote a line of a cassette. The rules of `options` apply unless they cannot be read. */
export async function jsonError(error: unknown, options: ReportOptions): Promise<JsonError> {
  const redactor = await redactorOfErrors(options);
  return JSON.parse(redactor.json(new JsonText(JSON.stringify(dataOf(error)))).text) as JsonError;
}

/** Returns the redactor for error messages, which may quote a cassette, a server, or the command line. */
async function redactorOfErrors({ header = [], ...options }: ReportOptions): Promise<Redactor> {
  const given = { headers: writtenHeaders(header), headerSecrets: variablesIn(header) };
  return await outputRedactor(options, given).catch(() => createRedactor({ env: process.env, ...given }));
}

/**
 * Returns headers whose complete value is on the command line. Other values come from the environment or from a
 * command.
 */
function writtenHeaders(texts: readonly string[]): Record<string, string> {
  const written = texts.filter((text) => text.includes(':') && !/\b(?:cmd|env):/.test(text));
  return Object.fromEntries(
    written.map((text) => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1).trim()]),
  );
}

/** Returns the values of variables in headers. What a command prints is known only where it ran. */
function variablesIn(texts: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(
    texts.map((text) => [
      text.split(':', 1)[0]!,
      [...text.matchAll(/\benv:(\w+)/g)].flatMap(([, name]) => process.env[name!]?.trim() || []),
    ]),
  );
}

function dataOf(error: unknown): JsonError {
  if (!(error instanceof McpRecordError)) return { message: messageOf(error) };
  const { code, what, why, next, place } = error.problem;
  const { file, line, column } = place ?? {};
  const at = file !== undefined &&
    line !== undefined && { place: { file, line, ...(column !== undefined && { column }) } };
  return { code, message: error.message, what, why, next, ...at };
}

/** Returns the error for `--junit a.yaml b.yaml`, where the option has taken the first cassette as its value. */
function overCassette(path: string, option: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_CANNOT_WRITE',
    what: `Cannot write the report ${path}`,
    why: 'it is a cassette',
    next: `Name a file for the report after ${option}, before the cassettes.`,
  });
}

interface ReportFile {
  path: string;
  /** Option that names the path. */
  option: '--junit' | '--sarif';
  /** Reports whether a text is the beginning of such a report. */
  isReport(beginning: string): boolean;
  format(outcome: Outcome): string;
}

function reportsOf({ junit, sarif: sarifPath }: ReportOptions): ReportFile[] {
  return [
    ...(junit === undefined ? [] : [{ path: junit, option: '--junit' as const, isReport: isJunit, format: junitXml }]),
    ...(sarifPath === undefined
      ? []
      : [
          {
            path: sarifPath,
            option: '--sarif' as const,
            isReport: isSarif,
            format: (outcome: Outcome) => sarif(outcome, packageVersion()),
          },
        ]),
  ];
}

const isJunit = (text: string): boolean => text === '' || /<testsuites?[\s>]/.test(text);
const isSarif = (text: string): boolean => text === '' || (/^\s*\{/.test(text) && /sarif|"runs"/.test(text));

/** Maximum length of the comments before the `format` line of a cassette. */
const HEAD_BYTES = 10_000;

const isCassette = (text: string): boolean => /^format: *["']?mcp-record\//m.test(text);

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function beginningOf(path: string, length = 500): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

function outcomeOf(error: JsonError, { name, file = 'mcp-record' }: ReportingCommand): Outcome {
  return { title: name, file, steps: [errorStep(error, { name, file })], notes: [], duration: 0 };
}

/** Converts an error into a step of a report. The step's place is that of the error, or else `file`. */
export function errorStep(
  { code, message, what, place }: JsonError,
  { name, file }: { name: string; file: string },
): Step {
  const [headline = '', ...details] = message.split('\n');
  const rule = { id: code ?? 'INTERNAL', sentence: what ?? 'mcp-record failed' };
  const at = { file: place?.file ?? file, ...(place && { line: place.line }) };
  return { title: name, status: 'error', rule, ...at, headline, details };
}
