import { existsSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { CassetteSource } from '../../cassette/cassette.ts';

/**
 * Returns the absolute path of a cassette named in a test. A relative path is resolved in the test file's folder; if
 * the file exists only in the working directory, there. Without a test file, in the working directory. A cassette value
 * is returned unchanged.
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
