import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Name of a report that `check` writes. */
const NAME = /^(?:redact|lint|(?:diff|verify)-.+)\.(?:xml|sarif)$/;
/** What such a report has near its beginning: the name of the command, or of this program. */
const OURS = /<testsuite name="(?:redact|lint|diff|verify)\b|"name": "mcp-record"/;
const BEGINNING = 500;

/**
 * Removes the reports of earlier checks from a folder, so that none is taken for one of this run: a check may be skipped
 * now, and a cassette may be gone. Other files stay.
 */
export function removeReportsOfChecks(folder: string): void {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    // A folder cannot be read, a pipe never ends, and a link belongs to somebody else.
    if (!NAME.test(name) || !lstatSync(path).isFile()) continue;
    if (OURS.test(readFileSync(path, 'utf8').slice(0, BEGINNING))) rmSync(path);
  }
}
