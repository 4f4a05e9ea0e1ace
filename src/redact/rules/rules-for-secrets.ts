import { literalSource } from '../../kernel/linear-regex.ts';
import { variableNames } from '../replace/placeholder-format.ts';
import { isEmptySecret, type SecretSource } from '../replace/restore-secrets.ts';
import type { RedactionRule } from './compile-redaction-rules.ts';

/** Minimum length of a secret that is redacted inside words. Shorter secrets may be part of a word by chance. */
const SURE_LENGTH = 8;

/**
 * Returns the values of environment variables by name. `list` has the allowed names, separated by commas, because a
 * cassette of another author could name any variable. A placeholder's name also stands for its form as a shell
 * variable.
 */
export function secretsNamed(list: string, env: Readonly<Record<string, string | undefined>>): SecretSource {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const secretOf = (name: string) => {
    const values = variableNames(name).flatMap((variable) => env[variable] ?? []);
    return values.find((value) => !isEmptySecret(value)) ?? values[0];
  };
  return Object.fromEntries(names.map((name) => [name, secretOf(name)]));
}

/** Returns rules that redact the given secrets by value, in any form. */
export function rulesForSecrets(secrets: SecretSource): RedactionRule[] {
  const rules = Object.entries(secrets).flatMap(([name, value]) =>
    value && !isEmptySecret(value) ? [{ name, pattern: patternOf(value) }] : [],
  );
  for (const rule of rules) ofSecrets.add(rule);
  return rules;
}

const ofSecrets = new WeakSet<RedactionRule>();

/** Reports whether a rule matches a single given value. Other rules match all values of a form. */
export function isRuleForSecret(rule: RedactionRule): boolean {
  return ofSecrets.has(rule);
}

function patternOf(value: string): string {
  if (value.length >= SURE_LENGTH) return literalSource(value);
  const edge = (letter: string) => (/\w/.test(letter) ? '\\b' : '');
  return `${edge(value[0]!)}${literalSource(value)}${edge(value.at(-1)!)}`;
}
