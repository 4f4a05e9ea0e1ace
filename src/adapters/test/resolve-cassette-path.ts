import { existsSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { CassetteSource } from '../../cassette/cassette.ts';

/**
 * Where a cassette lies that a test names. A relative path is of the folder of the test file; where nothing is there, but is
 * at the same path of the working directory, that is meant. Absent file: of the working directory. Always absolute, so that what
 * is said of a missing cassette names where it was looked for. A cassette that is a value stays one.
 */
export function resolveCassettePath<Source extends CassetteSource>(
  cassette: Source,
  testFile: string | undefined,
): Source;
export function resolveCassettePath(cassette: CassetteSource, testFile: string | undefined): CassetteSource {
  if (typeof cassette !== 'string') return cassette;
  if (testFile === undefined || isAbsolute(cassette)) return resolve(cassette);
  const beside = resolve(dirname(testFile), cassette);
  const working = resolve(cassette);
  return !existsSync(beside) && existsSync(working) ? working : beside;
}
