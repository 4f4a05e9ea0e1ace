import { existsSync } from 'node:fs';
import { describe, it } from 'vitest';

/** What a test needs that Windows does not have, or has otherwise. */
export type PosixFeature =
  | 'descriptors'
  | 'devices'
  | 'environments in /proc'
  | 'file modes'
  | 'links'
  | 'paths'
  | 'pipes'
  | 'process groups'
  | 'programs by their first line'
  | 'shell'
  | 'signals'
  | 'terminals'
  | 'watched folders can be removed'
  | 'open files can be removed'
  | 'openssl'
  | 'order of writing'
  | 'processes outlive their parent'
  | 'xdg-open';

/** Whether the environments of other processes can be read: Linux. */
export const HAS_PROC: boolean = process.platform === 'linux' && existsSync('/proc/self/environ');

const itHere = it.skipIf(process.platform === 'win32');

/** Returns a title that ends with the feature that a test needs, for a test that its own condition skips. */
export const titled = (title: string, feature: PosixFeature): string => `${title} (POSIX: ${feature})`;

/** Defines a test that is skipped on Windows. Its title ends with the feature that it needs. */
export function itOnPosix(feature: PosixFeature, title: string, run: () => unknown): void {
  itHere(titled(title, feature), run as () => void);
}

/** Defines a test for each entry of `table`, skipped on Windows. Titles are formatted as those of `it.each`. */
export function eachOnPosix<T>(
  feature: PosixFeature,
  table: readonly T[],
  title: string,
  run: (entry: T) => unknown,
): void {
  itHere.each([...table])(titled(title, feature), run as (entry: T) => void);
}

/** Defines a group of tests that is skipped on Windows. Its title ends with the feature that it needs. */
export function describeOnPosix(feature: PosixFeature, title: string, define: () => void): void {
  describe.skipIf(process.platform === 'win32')(titled(title, feature), define);
}
