import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER_ONLY } from '../../cassette/write/atomic-write.ts';
import { type RedactionOptions, redactionWords, rulesFrom } from '../options/redaction-options.ts';

/**
 * Returns the options for a process that records, and is not given the secrets. Their values stand in a file of `folder`, since every user of the
 * machine can read a command line.
 */
export async function recorderRedactionArguments(options: RedactionOptions, folder: string): Promise<string[]> {
  if (options.secretsFromEnv === undefined) return redactionWords(options);
  const { rules: redact, allow } = await rulesFrom(options);
  const file = join(folder, 'redaction.json');
  const written = { redact, allow: allow.map((value) => (typeof value === 'string' ? value : `/${value.source}/`)) };
  writeFileSync(file, JSON.stringify(written), { mode: OWNER_ONLY });
  return [`--redact-rules=${file}`];
}
