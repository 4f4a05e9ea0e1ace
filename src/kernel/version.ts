import { readFileSync } from 'node:fs';

let version: string | undefined;

/** The version of this package, as published. Read once: later there may be no more files to open. */
export function packageVersion(): string {
  version ??= String(
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
  );
  return version;
}
