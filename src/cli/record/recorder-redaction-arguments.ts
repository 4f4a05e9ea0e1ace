import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER_ONLY } from '../../cassette/write/atomic-write.ts';
import { unguessable } from '../../kernel/random.ts';
import { PROJECT_RULES } from '../../record/redact-file/redaction-rules-file.ts';
import { type RedactionOptions, redactionWords, rulesFrom } from '../options/redaction-options.ts';

/**
 * Returns the options for a process that records or replays, and gets few variables of this one, since a client starts it:
 * all rules that the process needs. Values of secrets stand in a file of `folder`, since every user of the machine can
 * read a command line.
 */
export async function recorderRedactionArguments(options: RedactionOptions, folder: string): Promise<string[]> {
  if (options.secretsFromEnv === undefined && !process.env[PROJECT_RULES]) return redactionWords(options);
  const { rules: redact, allow } = await rulesFrom(options);
  const file = join(folder, `redaction-${unguessable()}.json`);
  const written = { redact, allow: allow.map((value) => (typeof value === 'string' ? value : `/${value.source}/`)) };
  writeFileSync(file, JSON.stringify(written), { mode: OWNER_ONLY });
  return [`--redact-rules=${file}`];
}
