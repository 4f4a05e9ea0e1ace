import { existsSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';

/**
 * Where a cassette lies that a test names. A relative path is of the folder of the test file; where nothing is there, but is
 * at the same path of the working directory, that is meant. Absent file: of the working directory. Always absolute, so that what
 * is said of a missing cassette names where it was looked for.
 */
export function cassettePath(cassette: string, testFile: string | undefined): string {
  if (testFile === undefined || isAbsolute(cassette)) return resolve(cassette);
  const beside = resolve(dirname(testFile), cassette);
  const working = resolve(cassette);
  return !existsSync(beside) && existsSync(working) ? working : beside;
}
