import type { Cassette } from '../../cassette/cassette.ts';
import { readCassette } from '../../cassette/read/load-cassette.ts';
import type { RedactionRules } from '../../redact/redactor.ts';
import { wasRedacted } from '../../redact/replace/mask-for-compare.ts';
import { variableNames } from '../../redact/replace/placeholder-format.ts';
import { isRuleForAnyPlace, isRuleForSecret } from '../../redact/rules/rules-for-secrets.ts';
import { missingRules, standsOnlyBesideName } from './missing-rules.ts';
import { missingRulesError } from './missing-rules-error.ts';

/**
 * Requires the rules that wrote the placeholders of a cassette, before messages of a live server are written to it. A
 * given secret is enough for a placeholder that no listed rule wrote: a short one only where it stands beside its name.
 * @throws McpRecordError USAGE_RULES_MISSING
 */
export function requireRules(
  { file, header }: Pick<Cassette, 'file' | 'header'>,
  given: RedactionRules,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const text = Buffer.from(readCassette(file)).toString('utf8');
  if (!wasRedacted(text)) return;
  const { names, listed } = missingRules({ text, header }, given, env);
  const secrets = (given.rules ?? []).filter(isRuleForSecret);
  const isFound = (name: string) => {
    const variables = [name, ...variableNames(name)];
    const own = secrets.filter((rule) => variables.includes((rule.name ?? '').replace(/_\d+$/, '')));
    return own.length > 0 && (own.every(isRuleForAnyPlace) || standsOnlyBesideName(name, text));
  };
  const missing = names.filter((name) => listed.includes(name) || !isFound(name));
  if (missing.length > 0) throw missingRulesError(missing, [file], 'write');
}
