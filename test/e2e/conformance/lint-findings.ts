import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { EVERY_RULE } from '../../../src/lint/every-rule.ts';
import { lint } from '../../../src/lint/lint.ts';

/** Returns what all rules find in the cassettes of a folder, each finding once. Deprecated use is left out. */
export function lintFindings(folder: string): string[] {
  const found = readdirSync(folder)
    .flatMap((name) => lint(loadCassette(join(folder, name)), EVERY_RULE))
    .filter(({ rule }) => rule !== 'deprecated')
    .map(({ rule, why }) => `${rule}: ${why}`);
  return [...new Set(found)].sort();
}
