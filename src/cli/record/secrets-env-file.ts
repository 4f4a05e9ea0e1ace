import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER_ONLY } from '../../cassette/write/atomic-write.ts';
import { variableNames } from '../../redact/replace/placeholder-format.ts';

/** Quotes of an environment file, and what a value between them cannot have. Node expands escapes between double quotes. */
const QUOTES: readonly [quote: string, excluded: RegExp][] = [
  ["'", /'/],
  ['`', /`/],
  ['"', /["\\]/],
];

/**
 * Returns options of Node for a process that a client starts, and that needs the secrets of `--secrets-from-env`: clients
 * pass few variables on. The values stand in a file of `folder`, since every user of the machine can read a command line.
 */
export function secretsEnvFile(
  list: string | undefined,
  folder: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  if (list === undefined) return [];
  const names = list.split(',').flatMap((name) => variableNames(name.trim()));
  const lines = [...new Set(names)].flatMap((name) => lineOf(name, env[name]));
  if (lines.length === 0) return [];
  const file = join(folder, 'secrets.env');
  writeFileSync(file, lines.join(''), { mode: OWNER_ONLY });
  return [`--env-file=${file}`];
}

/** Returns the line of a variable. There is none for a value with all quotes, which only a client that passes it on gives. */
function lineOf(name: string, value: string | undefined): string[] {
  if (value === undefined || !/^\w+$/.test(name)) return [];
  const [quote] = QUOTES.find(([, excluded]) => !excluded.test(value)) ?? [];
  return quote === undefined ? [] : [`${name}=${quote}${value}${quote}\n`];
}
