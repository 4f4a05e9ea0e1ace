import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';

const root = join(import.meta.dirname, '..', '..');
/** Where the command runs: pages show the relative paths that the tests give, of the project's cassettes and of the sessions beside this file. */
const folder = temporaryFolder();
symlinkSync(join(root, 'cassettes'), join(folder, 'cassettes'));
symlinkSync(join(import.meta.dirname, 'sessions'), join(folder, 'sessions'));

/** A recorded session of 164 events: calls of every kind, failed and cancelled ones, requests of the server. */
export const EVERYTHING = 'cassettes/everything.yaml';

/** Reports that were made, by their words. A file keeps its text once it has a report. */
const made = new Map<string, string>();

/** Makes a report of these words of the command line, once, and returns where it lies. */
export function report(name: string, ...words: string[]): string {
  const output = join(folder, `${name}.html`);
  const key = [name, ...words].join('\n');
  if (made.has(key)) return output;
  made.set(key, output);
  const { command, args } = mcpRecord('report', '-o', output, ...words);
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  return output;
}

/** A file with this text; its name is all that the command needs. */
export function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

/** A cassette of so many events: calls of twenty tools, up to eight at once, with progress, failures and logs between them. */
export function longCassette(events: number): string {
  const text = execFileSync(process.execPath, [join(root, 'bench', 'long-cassette.js'), String(events)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return file(`long-${events}.yaml`, text);
}
