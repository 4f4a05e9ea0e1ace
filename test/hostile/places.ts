import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/cassette.ts';
import { BASES, type HostileCassette, hostileCassettes, textOf } from './hostile-cassettes.ts';
import { CANARY } from './hostile-values.ts';
import { type Places, runHostile, type Task } from './run-hostile.ts';
import { violations } from './violations.ts';

/** Returns a folder with a good cassette and a file that no cassette may reach, and the hostile cassettes that try. */
export function hostilePlaces(): Places & { cassettes: readonly HostileCassette[] } {
  const folder = temporaryFolder();
  const canary = join(folder, 'secret', 'canary.txt');
  mkdirSync(join(folder, 'secret'));
  writeFileSync(canary, CANARY);
  const good = join(folder, 'good.yaml');
  writeFileSync(good, textOf(BASES['stdio 2025-11-25']!));
  return { folder, good, cassettes: hostileCassettes(canary) };
}

/** Runs tasks, and returns what they did that no cassette may make a command do. */
export function violationsOf(tasks: readonly Task[], places: Places): string[] {
  const { ran, trouble } = runHostile(tasks, places);
  return [...trouble, ...ran.flatMap((one) => violations(one).map((what) => `${one.name}: ${what}`))];
}
