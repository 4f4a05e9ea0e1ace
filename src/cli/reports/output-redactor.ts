import { createRedactor, type Redactor } from '../../redact/redactor.ts';
import type { GivenHeaders } from '../options/header-options.ts';
import { type RedactionOptions, rulesFrom } from '../options/redaction-options.ts';

/**
 * Returns the redactor for the output of a command, based on its options. `given`: request headers that the command
 * sends.
 */
export async function outputRedactor(
  options: Partial<RedactionOptions>,
  given: Partial<GivenHeaders> = {},
): Promise<Redactor> {
  const all = { redactKey: [], redactPointer: [], redactPattern: [], redactAllow: [], ...options };
  return createRedactor({ env: process.env, ...given, ...(await rulesFrom(all)) });
}

/**
 * Returns a function that redacts the secrets of `--secrets-from-env`. Without the option, the function returns texts
 * unchanged.
 */
export async function redactionOfSecrets(options: RedactionOptions): Promise<(text: string) => string> {
  return options.secretsFromEnv === undefined ? (text) => text : (await outputRedactor(options)).text;
}
