import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { McpRecordError } from '../../kernel/errors.ts';
import { readNamedText } from '../../kernel/read-regular-file.ts';
import { say } from '../io/output.ts';

/** File that a command is about to write. */
export interface WrittenFile {
  /** Option that names the file. */
  option: string;
  /** Noun for the file in messages. */
  kind: 'report' | 'script';
}

/** Marks by which an earlier file of each kind is recognized, and example file names. */
const KINDS = {
  report: { mark: 'name="generator" content="mcp-record ', name: 'report.html' },
  script: { mark: 'Made by mcp-record ', name: 'load.js' },
};

/**
 * Refuses to overwrite a file unless an earlier run wrote a file of the same kind there. The user may have named a
 * cassette by mistake.
 * @throws McpRecordError USAGE_CANNOT_WRITE
 */
export function checkReplaceable(file: string, { option, kind }: WrittenFile): void {
  if (!existsSync(file)) return;
  const there = statSync(file);
  const { mark, name } = KINDS[kind];
  const cannot = (why: string, next: string) =>
    new McpRecordError({ code: 'USAGE_CANNOT_WRITE', what: `Cannot write the ${kind} ${file}`, why, next });
  if (there.isDirectory()) throw cannot('it is a folder', `Name a file in it: ${option} ${join(file, name)}`);
  // Devices and pipes hold no data to lose.
  if (!there.isFile()) return;
  if (readNamedText(file).slice(0, 2_000).includes(mark))
    return say(`${file} is an earlier ${kind}, and will be replaced`);
  throw cannot(`a file with this name exists, and is not a ${kind}`, `Name another with ${option}, or remove it.`);
}

/**
 * Removes the file of an earlier run, after {@link checkReplaceable}, so that nobody mistakes it for the result of a run
 * that fails. A file that cannot be removed stays: writing the new one says why.
 */
export function removeEarlier(file: string): void {
  try {
    if (statSync(file).isFile()) rmSync(file);
  } catch {
    // The file is not there, or its folder is not writable.
  }
}
