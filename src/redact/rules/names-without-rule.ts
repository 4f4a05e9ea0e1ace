import { parsePointer } from '../../protocol/json-pointer.ts';
import { credentialNamed, isCredentialVariable } from '../detect/credential-names.ts';
import { compileTokenForms } from '../detect/tokens/compile-token-forms.ts';
import { TOKEN_PATTERNS } from '../detect/tokens/token-patterns.ts';
import { QUERY_NAMES } from '../detect/url-credentials.ts';
import { placeholderName } from '../replace/placeholders.ts';
import { nameOfRule, type RedactionRule } from './compile-redaction-rules.ts';

/** Returns the names of placeholders that neither these rules nor what is found without rules can have written. */
export function namesWithoutRule(names: Iterable<string>, rules: readonly RedactionRule[]): string[] {
  return [...names].filter((name) => !isBuiltInName(name) && !rules.some((rule) => canHaveName(rule, name)));
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
function canHaveName(rule: RedactionRule, name: string): boolean {
  if (rule.name === undefined && 'key' in rule && typeof rule.key !== 'string') return rule.key.test(name);
  if (rule.name === undefined && 'pointer' in rule && parsePointer(rule.pointer).at(-1) === '*') return true;
  return placeholderName(nameOfRule(rule)).toLowerCase() === name.toLowerCase();
}
