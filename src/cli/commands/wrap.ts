import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { McpRecordError } from '../../kernel/errors.ts';
import { PROGRAM, packageVersion } from '../../kernel/installed-package.ts';
import { PROJECT_RULES } from '../../record/redact-file/redaction-rules-file.ts';
import { printable } from '../../text-report/printable-text.ts';
import { coloursFor, EXIT, outcomePaint, printLines } from '../io/output.ts';
import { namesRules, type RedactionOptions, redactionWords, rulesFrom } from '../options/redaction-options.ts';
import { readConfiguration, replaceConfiguration } from '../wrap/configuration-file.ts';
import { findConfiguration } from '../wrap/find-configuration.ts';
import { serversIn } from '../wrap/find-servers-in-configuration.ts';
import { unwrap, type WrapResult, wrap } from '../wrap/wrap.ts';
import { headerValues } from '../wrap/wrap-url.ts';

interface Options extends RedactionOptions {
  client?: string;
  output: string;
  server: string[];
  undo?: boolean;
  dryRun?: boolean;
  local?: boolean;
}

/** Runs `mcp-record wrap`: adds a recorder to the servers of a client's configuration, or removes it. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { client, output, server: names, undo = false, dryRun = false, local = false } = options;
  if (namesRules(options)) await rulesFrom(options);
  const { file, lines: found } = configurationOf(command.args[0], client);
  const before = readConfiguration(file);
  const folder = resolve(output);
  const result = undo
    ? unwrap(before, { file, names })
    : wrap(before, { file, names, folder, program: program(local), redaction: redactionWords(options) });
  const isChanged = result.text !== before;
  const backup = isChanged && !dryRun ? replaceConfiguration(file, before, result.text) : undefined;
  const lines = [...found, ...summaryOf(result)];
  if (backup !== undefined) lines.push('', `The file as it was: ${printable(backup)}`);
  if (isChanged && dryRun)
    lines.push(
      '',
      ...(await drawn(await withoutTokens([before, result.text], file), file)),
      '',
      'Nothing was written.',
    );
  else if (isChanged && !undo)
    lines.push(`Cassettes go to ${folder}. Restart the client; take it out with: --undo.`, ...rulesNote());
  await printLines(lines);
  return EXIT.ok;
}

/**
 * Returns the configuration that the user means, and for `--client` the lines that say which one that is.
 * @throws McpRecordError USAGE_ONE_CONFIGURATION, or as {@link findConfiguration}
 */
function configurationOf(file: string | undefined, client: string | undefined): { file: string; lines: string[] } {
  if (file !== undefined && client === undefined) return { file, lines: [] };
  if (file !== undefined || client === undefined) throw notOne(file);
  const surroundings = { platform: process.platform, home: homedir(), env: process.env };
  const { taken, others } = findConfiguration(client, surroundings, { exists: existsSync, read: readConfiguration });
  const { dim } = coloursFor(process.stdout);
  const lines = [`${taken.file} (${taken.scope} configuration of ${client})`];
  for (const other of others) {
    lines.push(`${other.file} (${other.scope}) is left as it is. To change it, name it in place of --client.`);
  }
  return { file: taken.file, lines: [...lines.map((line) => dim(printable(line))), ''] };
}

/** Returns how the recorders get the rules that the shell exports: clients pass few variables on. */
function rulesNote(): string[] {
  const { [PROJECT_RULES]: rules } = process.env;
  if (!rules) return [];
  const member = `"${PROJECT_RULES}": ${JSON.stringify(resolve(rules))}`;
  return [`note: the client may not pass ${PROJECT_RULES} on to the recorder. Add to "env" of each server: ${member}`];
}

function notOne(file: string | undefined): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_ONE_CONFIGURATION',
    what: 'Cannot tell which configuration to change',
    why: file === undefined ? 'neither a file nor --client is given' : 'both a file and --client are given',
    next: 'Give one of them: mcp-record wrap FILE, or mcp-record wrap --client NAME.',
  });
}

/** Returns the words that start mcp-record: this version by npx, or this installation by its path. */
function program(local: boolean): string[] {
  return local ? [process.execPath, PROGRAM] : ['npx', '-y', `mcp-record@${packageVersion()}`];
}

function summaryOf({ servers }: WrapResult): string[] {
  const { green, dim } = coloursFor(process.stdout);
  if (servers.length === 0) return ['There is no server.'];
  return servers.map(({ name, what, isChanged }) => (isChanged ? green : dim)(printable(`${name} ${what}`)));
}

/** Replaces header values in configuration texts, because most of them are credentials, and other secrets. */
async function withoutTokens(texts: readonly [string, string], file: string): Promise<[string, string]> {
  const { createRedactor } = await import('../../redact/redactor.ts');
  const { text: redacted } = createRedactor({ env: {} });
  const values = texts.flatMap((text) =>
    headerValues(
      text,
      serversIn(text, file).map(({ node }) => node),
    ),
  );
  // The original server is stored in a string, as JSON in JSON.
  const spellings = values
    .filter(({ length }) => length >= HIDDEN_LENGTH_MIN)
    .flatMap((value) => [quoted(quoted(value)), quoted(value), value])
    // A short value may be a part of a longer one.
    .sort((a, b) => b.length - a.length);
  const hide = (text: string) => redacted(spellings.reduce((shown, spelling) => shown.replaceAll(spelling, '…'), text));
  return [hide(texts[0]), hide(texts[1])];
}

/** Minimum length of a hidden value. A shorter one is no credential, and is found everywhere. */
const HIDDEN_LENGTH_MIN = 4;

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

async function drawn([before, after]: readonly [string, string], file: string): Promise<string[]> {
  const { differenceText, paintDifference } = await import('../../text-report/difference-text.ts');
  const paint = outcomePaint(process.stdout);
  const lines = differenceText(before, after, { recorded: file, live: `${file}, then` });
  return lines.map((line) => paintDifference(line, paint));
}
