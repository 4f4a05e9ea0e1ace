import { readdirSync } from 'node:fs';
import type { Command } from 'commander';
import { McpRecordError } from '../../kernel/errors.ts';
import { shellWord } from '../../text-report/shell-word.ts';
import { DISK } from './find-cassette-files.ts';

/**
 * Adds advice to an error about a folder, for a command that takes several cassettes. The advice is the same command
 * with a pattern for the cassettes in the folder. Returns other errors unchanged.
 */
export function withFolderAdvice(error: unknown, { command, file }: { command: Command; file: string }): unknown {
  if (!(error instanceof McpRecordError) || error.code !== 'CASSETTE_IS_DIRECTORY') return error;
  const folder = file.replace(/(?<=.)\/+$/, '');
  const pattern = patternIn(folder);
  const next =
    pattern === undefined
      ? 'It has no cassette. Check its name, or name the cassettes themselves.'
      : `Name the cassettes in it: ${[...wordsOf(command), `${shellWord(folder)}/${pattern}`].join(' ')}`;
  return new McpRecordError({ ...error.problem, next });
}

/**
 * Returns the pattern of the cassettes in a folder or, if there are none, in its direct subfolders, where tests often
 * keep cassettes.
 */
function patternIn(folder: string): string | undefined {
  if (hasCassette(folder)) return '*.yaml';
  return foldersIn(folder).some((name) => hasCassette(`${folder}/${name}`)) ? '*/*.yaml' : undefined;
}

function hasCassette(folder: string): boolean {
  // As in a shell, `*` does not match hidden files.
  const files = entriesOf(folder).filter((entry) => !entry.isDirectory());
  return files.some(
    ({ name }) => name.endsWith('.yaml') && !name.startsWith('.') && !DISK.isOther(`${folder}/${name}`),
  );
}

function foldersIn(folder: string): string[] {
  const folders = entriesOf(folder).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return folders.map(({ name }) => name);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Returns a command with the options that the command line gives, as a shell reads it. */
function wordsOf(command: Command): string[] {
  const given = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli');
  const options = given.flatMap((option) => {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (typeof value === 'boolean') return [option.long!];
    return [value].flat().flatMap((one) => [option.long!, shellWord(String(one))]);
  });
  return ['mcp-record', command.name(), ...options];
}
