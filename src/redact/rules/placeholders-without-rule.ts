import { compileLinear } from '../../kernel/linear-regex.ts';
import { parsePointer } from '../../protocol/json-pointer.ts';
import { credentialNamed, isCredentialVariable } from '../detect/credential-names.ts';
import { compileTokenForms } from '../detect/tokens/compile-token-forms.ts';
import { TOKEN_PATTERNS } from '../detect/tokens/token-patterns.ts';
import { QUERY_NAMES } from '../detect/url-credentials.ts';
import { isVariableName, placeholderName } from '../replace/placeholders.ts';
import { nameOfRule, type RedactionRule } from './compile-redaction-rules.ts';
import { isRuleForSecret } from './rules-for-secrets.ts';

/** Rules whose names are compared with the names of placeholders. */
export interface NamingRules {
  /** The user's rules of this run. */
  rules: readonly RedactionRule[];
  /** Rule names in the header of the cassette. Absent in cassettes of older recorders, which list none. */
  listed?: readonly string[] | undefined;
}

/** Returns the names of placeholders written by rules that the cassette lists and the user did not give. */
export function listedWithoutRule(names: Iterable<string>, { rules, listed = [] }: NamingRules): string[] {
  return [...names].filter((name) => !isGiven(rules, name) && listed.some((one) => isListedAs(one, name)));
}

/**
 * Returns the names of placeholders written by unlisted rules that the user did not give, and not by built-in
 * detectors. A name in the form of a variable is ambiguous in a cassette without listed rules: `isExplained` reports
 * whether such a variable explains the name.
 */
export function namesWithoutRule(
  names: Iterable<string>,
  { rules, listed }: NamingRules,
  isExplained: (name: string) => boolean = () => true,
): string[] {
  return [...names].filter((name) => {
    if (isGiven(rules, name) || listed?.some((one) => isListedAs(one, name))) return false;
    return !isBuiltInName(name) || (listed === undefined && isVariableName(name) && !isExplained(name));
  });
}

/**
 * Reports whether a user's rule writes this name. A rule for a single secret is left out, because it redacts no similar
 * values.
 */
function isGiven(rules: readonly RedactionRule[], name: string): boolean {
  return rules.some((rule) => !isRuleForSecret(rule) && canHaveName(rule, name));
}

/** Reports whether a listed name, or a listed expression for names, matches this name. */
function isListedAs(listed: string, name: string): boolean {
  const expression = /^\/(.+)\/([a-z]*)$/s.exec(listed);
  if (expression === null) return listed.toLowerCase() === name.toLowerCase();
  try {
    return compileLinear(new RegExp(expression[1]!, expression[2])).test(name);
  } catch {
    // An invalid expression may stand for any name.
    return true;
  }
}

/** Names of token kinds that are not names of credentials. */
const SCHEMES: readonly string[] = ['bearer', 'basic'];

let kinds: ReadonlySet<string> | undefined;

/**
 * Reports whether built-in detectors write placeholders with this name: the name of a token kind or of a credential.
 */
export function isBuiltInName(name: string): boolean {
  if (credentialNamed(name) !== undefined || isCredentialVariable(name) || QUERY_NAMES.test(name)) return true;
  kinds ??= new Set([...SCHEMES, ...[...TOKEN_PATTERNS, ...compileTokenForms()].map((kind) => kind.name)]);
  return kinds.has(name);
}

/**
 * Reports whether a rule can write placeholders with this name. A rule for several keys uses the name of the matching
 * key.
 */
export function canHaveName(rule: RedactionRule, name: string): boolean {
  if (rule.name === undefined && 'key' in rule && typeof rule.key !== 'string') return rule.key.test(name);
  if (rule.name === undefined && 'pointer' in rule && parsePointer(rule.pointer).at(-1) === '*') return true;
  return placeholderName(nameOfRule(rule)).toLowerCase() === name.toLowerCase();
}
