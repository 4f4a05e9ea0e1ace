import type { Header } from '../../cassette/cassette.ts';
import { findEncodedPlaceholders } from '../../redact/decode/find-encoded-placeholders.ts';
import { isCredentialVariable } from '../../redact/detect/credential-names.ts';
import { VARIABLE_LENGTH_MIN } from '../../redact/given-credentials.ts';
import type { RedactionRules } from '../../redact/redactor.ts';
import { placeholderOf, placeholdersIn, variableNames } from '../../redact/replace/placeholder-format.ts';
import { allowList } from '../../redact/rules/allow-list.ts';
import type { RedactionRule } from '../../redact/rules/compile-redaction-rules.ts';
import { listedWithoutRule, namesWithoutRule } from '../../redact/rules/placeholders-without-rule.ts';
import { isSameName, rulesForSecrets } from '../../redact/rules/rules-for-secrets.ts';

/** Placeholders of a cassette whose redaction rules are missing in a search for secrets. */
export interface MissingRules {
  /** Names of placeholders whose rules were not given, and that nobody has allowed. */
  names: string[];
  /** Those of `names` that the header of the cassette lists as names of rules. */
  listed: string[];
  /** Rules for the values of variables that such placeholders are named after. */
  ofVariables: RedactionRule[];
}

/** A cassette that is searched for secrets. */
interface SearchedCassette {
  text: string;
  header: Pick<Header, 'redactRules'>;
}

/**
 * Returns the rules that wrote placeholders in a cassette, and are not among those that were given. A variable finds one
 * value, and a rule finds a form: the value of a variable is enough only for what the cassette does not list as a rule.
 */
export function missingRules(
  { text, header }: SearchedCassette,
  { rules = [], allow = [] }: RedactionRules,
  env: Readonly<Record<string, string | undefined>>,
): MissingRules {
  const allowed = allowList(allow);
  const naming = { rules, listed: header.redactRules };
  const placeholders = placeholdersIn(text).filter(({ start, end }) => !allowed.has(text.slice(start, end)));
  const encoded = findEncodedPlaceholders(text).filter(({ name, n }) => !allowed.has(placeholderOf(name, n)));
  const written = new Set([...placeholders, ...encoded].map(({ name }) => name));
  const ofVariables: RedactionRule[] = [];
  const others = namesWithoutRule(written, naming, (name) => standsBesideName(name, text)).filter((name) => {
    const values = variableNames(name).map((variable) => env[variable]);
    const value = values.find((one) => one !== undefined && one.length >= VARIABLE_LENGTH_MIN);
    if (value === undefined || !variableNames(name).some(isCredentialVariable)) return true;
    ofVariables.push(...rulesForSecrets({ [name]: value }));
    return false;
  });
  const listed = listedWithoutRule(written, naming);
  return { names: [...listed, ...others], listed, ofVariables };
}

/** Reports whether a placeholder stands beside its name, as in `API_KEY: "[redacted:API_KEY:1]"`. No rule is needed for that. */
function standsBesideName(name: string, text: string): boolean {
  return keysOf(name, text).includes(name);
}

/** Reports whether all placeholders of a name stand beside it, in any spelling. */
export function standsOnlyBesideName(name: string, text: string): boolean {
  return keysOf(name, text).every((key) => key !== undefined && isSameName(key, name));
}

/** Returns the key or variable before each placeholder of a name. Undefined: there is none. */
function keysOf(name: string, text: string): (string | undefined)[] {
  const parts = text.split(`[redacted:${name}:`).slice(0, -1);
  return parts.map(
    (before) => /([\w-]+)\\*["']?\s*[:=]\s*\\*["']?$/.exec(before.slice(-2 * name.length - BETWEEN_MAX))?.[1],
  );
}

/** Maximum length of what stands between a name and its value. */
const BETWEEN_MAX = 20;
