import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** Parts of the cassette name of a session in a test. */
export interface TestName {
  /** Path of the test file. */
  file: string;
  /** Names of the test and its suites. */
  names: readonly string[];
  /** Name of the session. Unnamed sessions are numbered from the second on. */
  session?: string | number;
  /** Folder beside the test file. */
  folder?: string;
}

const SLUG_LENGTH_MAX = 60;
const HASH_LENGTH = 8;

/** Returns a readable cassette path. It is unique for each test, also on a case-insensitive disk and for long names. */
export function cassetteName({ file, names, session, folder = '__cassettes__' }: TestName): string {
  const whole = [...names, ...(session === undefined ? [] : [String(session)])];
  const hash = createHash('sha256').update(JSON.stringify(whole)).digest('hex').slice(0, HASH_LENGTH);
  const slug = whole
    .join('-')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX)
    .replaceAll(/^-|-$/g, '');
  return join(dirname(file), folder, basename(file), `${slug || 'test'}-${hash}.yaml`);
}
