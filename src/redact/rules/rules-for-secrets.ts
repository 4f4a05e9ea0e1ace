import { literalSource } from '../../kernel/linear-regex.ts';
import { isDistinctive } from '../detect/plausibility.ts';
import { isLikeWord } from '../replace/known-values.ts';
import { variableNames } from '../replace/placeholder-format.ts';
import { isEmptySecret, type SecretSource } from '../replace/restore-secrets.ts';
import type { RedactionRule } from './compile-redaction-rules.ts';

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

/**
 * Returns rules that redact the given secrets by value, in any form. A short value or a common word is redacted beside
 * its name only, as in a recording.
 */
export function rulesForSecrets(secrets: SecretSource): RedactionRule[] {
  const rules = Object.entries(secrets).flatMap(([name, value]) => {
    if (!value || isEmptySecret(value)) return [];
    return isDistinctive(value) ? [{ name, pattern: patternOf(value) }] : rulesBesideName(name, value);
  });
  for (const rule of rules) ofSecrets.add(rule);
  return rules;
}

const ofSecrets = new WeakSet<RedactionRule>();

/** Reports whether a rule matches a single given value. Other rules match all values of a form. */
export function isRuleForSecret(rule: RedactionRule): boolean {
  return ofSecrets.has(rule);
}

/** Reports whether a rule for a single given value matches it wherever it occurs. */
export function isRuleForAnyPlace(rule: RedactionRule): boolean {
  return isRuleForSecret(rule) && !besideName.has(rule);
}

function patternOf(value: string): string {
  return isLikeWord(value) ? `${BEFORE_WORD}(?<value>${literalSource(value)})${AFTER_WORD}` : literalSource(value);
}

/** What is before and after a whole word. */
const [BEFORE_WORD, AFTER_WORD] = ['(?:^|[^A-Za-z0-9])', '(?:$|[^A-Za-z0-9])'];

const besideName = new WeakSet<RedactionRule>();

/** Returns rules for a value under a key of its name, and in a text such as `name=value`. */
function rulesBesideName(name: string, value: string): RedactionRule[] {
  const named = wordsOf(name).map(literalSource).join('[._-]?');
  const rules: RedactionRule[] = [
    { name, test: (text, { path = [] }) => text === value && isSameName(name, String(path.findLast(isKey))) },
    {
      name,
      pattern: `${BEFORE_WORD}(?i:${named})["']?\\s*[:=]\\s*["']?(?<value>${literalSource(value)})${AFTER_WORD}`,
    },
  ];
  for (const rule of rules) besideName.add(rule);
  return rules;
}

function isKey(step: string | number): boolean {
  return typeof step === 'string';
}

/** Reports whether two names are equal but for case, separators and the number of a placeholder: `tenantKey`, `TENANT_KEY_2`. */
export function isSameName(one: string, other: string): boolean {
  return wordsOf(one).join('') === wordsOf(other).join('');
}

/** Returns the words of a name in lower case, without the number of a placeholder: `TENANT_KEY_2` has two. */
function wordsOf(name: string): string[] {
  const words = name.toLowerCase().split(/[._-]/);
  return words.length > 1 && /^\d+$/.test(words.at(-1)!) ? words.slice(0, -1) : words;
}
