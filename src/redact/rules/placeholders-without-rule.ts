import { compileLinear } from '../../kernel/linear-regex.ts';
import { parsePointer } from '../../protocol/json-pointer.ts';
import { credentialNamed, isCredentialVariable } from '../detect/credential-names.ts';
import { compileTokenForms } from '../detect/tokens/compile-token-forms.ts';
import { TOKEN_PATTERNS } from '../detect/tokens/token-patterns.ts';
import { QUERY_NAMES } from '../detect/url-credentials.ts';
import { isVariableName, placeholderName } from '../replace/placeholders.ts';
import { nameOfRule, type RedactionRule } from './compile-redaction-rules.ts';
import { isRuleForSecret } from './rules-for-secrets.ts';

/** What the names of placeholders are compared with. */
export interface NamingRules {
  /** The given rules. */
  rules: readonly RedactionRule[];
  /** The names of rules that the cassette lists. Absent: it lists none, as one of an older recorder. */
  listed?: readonly string[] | undefined;
}

/** Returns the names of placeholders whose rules the cassette lists, and that none of the given rules has. */
export function listedWithoutRule(names: Iterable<string>, { rules, listed = [] }: NamingRules): string[] {
  return [...names].filter((name) => !isGiven(rules, name) && listed.some((one) => isListedAs(one, name)));
}

/**
 * Returns the other names of placeholders that neither the given rules nor what is found without rules can have written.
 * `isExplained` says whether a placeholder with the name of a variable stands beside this name. If the cassette lists no
 * rules, one that does not may be that of a rule.
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

/** Reports whether a rule of the user has a name. A rule for one value finds no other value of its form. */
function isGiven(rules: readonly RedactionRule[], name: string): boolean {
  return rules.some((rule) => !isRuleForSecret(rule) && canHaveName(rule, name));
}

/** Reports whether a name of the header of a cassette, or an expression for names, stands for this name. */
function isListedAs(listed: string, name: string): boolean {
  const expression = /^\/(.+)\/([a-z]*)$/s.exec(listed);
  if (expression === null) return listed.toLowerCase() === name.toLowerCase();
  try {
    return compileLinear(new RegExp(expression[1]!, expression[2])).test(name);
  } catch {
    // Nobody knows what it matches.
    return true;
  }
}

/** Names of kinds that are no names of credentials. */
const SCHEMES: readonly string[] = ['bearer', 'basic'];

let kinds: ReadonlySet<string> | undefined;

/** Reports whether placeholders have this name without a rule of the user: that of a kind, or of what holds a credential. */
function isBuiltInName(name: string): boolean {
  if (credentialNamed(name) !== undefined || isCredentialVariable(name) || QUERY_NAMES.test(name)) return true;
  kinds ??= new Set([...SCHEMES, ...[...TOKEN_PATTERNS, ...compileTokenForms()].map((kind) => kind.name)]);
  return kinds.has(name);
}

/** Reports whether placeholders of a rule may have this name. A rule for many keys takes the name of each key. */
export function canHaveName(rule: RedactionRule, name: string): boolean {
  if (rule.name === undefined && 'key' in rule && typeof rule.key !== 'string') return rule.key.test(name);
  if (rule.name === undefined && 'pointer' in rule && parsePointer(rule.pointer).at(-1) === '*') return true;
  return placeholderName(nameOfRule(rule)).toLowerCase() === name.toLowerCase();
}
