import type { Headers } from '../../channel/frame.ts';
import { createRedactor, type Redactor } from '../../redact/redactor.ts';
import { type RedactionOptions, rulesFrom } from '../options/redaction-options.ts';

/** Returns the redactor of what a command prints, by the options that it has. `headers` are those it sends. */
export async function outputRedactor(options: Partial<RedactionOptions>, headers: Headers = {}): Promise<Redactor> {
  const given = { redactKey: [], redactPointer: [], redactPattern: [], redactAllow: [], ...options };
  return createRedactor({ env: process.env, headers, ...(await rulesFrom(given)) });
}

/** Returns what takes the secrets of `--secrets-from-env` out of a text. Without the option, texts stay as they are. */
export async function redactionOfSecrets(options: RedactionOptions): Promise<(text: string) => string> {
  return options.secretsFromEnv === undefined ? (text) => text : (await outputRedactor(options)).text;
}
