import { formatCount } from '../../kernel/format-count.ts';
import type { CassetteSecret } from '../../record/redact-file/redact-cassette.ts';
import { unsearchedVariables, VARIABLE_LENGTH_MIN } from '../../redact/given-credentials.ts';
import { COMPRESSED_BODY } from '../../redact/redact-bytes.ts';
import { createRedactor, type RedactionRules, type Redactor } from '../../redact/redactor.ts';
import type { RedactionRule } from '../../redact/rules/compile-redaction-rules.ts';
import { canHaveName } from '../../redact/rules/placeholders-without-rule.ts';
import { printable } from '../../text-report/printable-text.ts';

/**
 * Returns hints about rules that match nothing in any file, and of which no file has a placeholder: with a mistyped rule,
 * a file with secrets looks clean.
 */
export function unusedRuleHints(redactors: readonly Redactor[], placeholderNames: ReadonlySet<string>): string[] {
  const [first, ...others] = redactors.map((redactor) => redactor.unusedRules());
  const hasPlaceholder = (rule: RedactionRule) => [...placeholderNames].some((name) => canHaveName(rule, name));
  const unused = (first ?? []).filter((rule) => !hasPlaceholder(rule) && others.every((rules) => rules.includes(rule)));
  const files = redactors.length === 1 ? 'this file' : `any of these ${redactors.length} files`;
  const [other] = placeholderNames;
  const gone = other && ` A value that was redacted before the rule has another name, such as ${other}.`;
  return unused.map((rule) => {
    const text = printable(ruleText(rule));
    const header =
      'key' in rule
        ? ' A cassette has no HTTP header with a credential, so the rule cannot look for the value in texts: to search for it, set a variable such as ACME_TOKEN to the value.'
        : '';
    return `hint: nothing in ${files} matches your rule ${text}, and no placeholder has its name. That is no problem, unless you expected a match: then check its spelling.${header}${gone ?? ''}`;
  });
}

/**
 * Returns a hint about variables whose values are redacted in the files, and cannot be looked for here. A given rule that
 * writes placeholders with the name of a variable looks for its value.
 */
export function unsetVariableHints(unset: readonly string[], { rules = [] }: RedactionRules): string[] {
  const names = unset.filter((name) => !rules.some((rule) => canHaveName(rule, name)));
  if (names.length === 0) return [];
  const [subject, has, value, advice] =
    names.length === 1
      ? ['The variable', 'has', 'its value', 'Set it to the real secret, or give a rule of its name for its form']
      : [
          'The variables',
          'have',
          'their values',
          'Set them to the real secrets, or give rules of their names and forms',
        ];
  return [
    `hint: ${subject} ${names.map(printable).join(', ')}, after which these files name placeholders, ${has} no value here: ${value} cannot be found. ${advice} with --redact-rules.`,
  ];
}

/** Returns a hint about environment variables whose values redaction does not search for and no rule finds. */
export function unsearchedVariableHints(rules: RedactionRules): string[] {
  const redactor = createRedactor({ env: {}, ...rules });
  const isFound = (name: string) => redactor.text(process.env[name]!) !== process.env[name];
  const names = unsearchedVariables(process.env).filter((name) => !isFound(name));
  if (names.length === 0) return [];
  const [values, them] = names.length === 1 ? ['The value', 'it'] : ['The values', 'them'];
  return [
    `hint: ${values} of ${names.map(printable).join(', ')} ${names.length === 1 ? 'is' : 'are'} not looked for: shorter than ${VARIABLE_LENGTH_MIN} characters, or so plain that other text may equal ${them}. Search for ${them} yourself, or give a rule with what stands beside ${them}: --redact-pattern 'password (\\w+)'.`,
  ];
}

function ruleText(rule: RedactionRule): string {
  const [kind, value] = Object.entries(rule).find(([key]) => key !== 'name') ?? [];
  return `${kind}: ${value}`;
}

/** Code of the hint about compressed bodies (docs/errors.md). */
const BODY_CODE = 'BODY_NOT_SEARCHED';

/** Returns a hint about bodies that were replaced as a whole. */
export function compressedBodyHints(secrets: readonly CassetteSecret[], isCheck: boolean): string[] {
  const count = secrets.filter(({ kind }) => kind === COMPRESSED_BODY).length;
  if (count === 0) return [];
  const becomes = isCheck ? 'redact replaces it as a whole' : 'it was replaced as a whole';
  return [
    `hint: ${COMPRESSED_BODY} is a compressed body that has a secret, or that nobody can look into here: ${becomes}. [${BODY_CODE}] Record it again from a server that does not compress, or with a newer Node, which reads Zstandard.`,
  ];
}

/** Number of places that a hint lists. */
const PLACES_MAX = 5;

/** Passwords that documentation shows and people use, under the name of one: in YAML, JSON or an assignment of any text. */
const COMMON_PASSWORD = new RegExp(
  `(?:^|[^A-Za-z])(?:password|passwd|passphrase|passcode|pwd|secret|token)\\\\{0,3}["']?\\s*[:=]\\s*\\\\{0,3}["']?(?:${[
    'abc|abc123|admin|changeit|change-?_?me|default|dragon|guest|hunter2|iloveyou|letmein|monkey|passw0rd|password|qwerty',
    'root|secret|test|toor|welcome|\\d{3,9}',
  ].join('|')})(?![\\w-])`,
  'i',
);

/** Returns a hint about common words under the name of a password. Most are examples, and some are in use. */
export function commonPasswordHints(files: readonly { file: string; text: string }[]): string[] {
  const places = files.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, at) => (COMMON_PASSWORD.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  if (places.length === 0) return [];
  const listed = printable(places.slice(0, PLACES_MAX).join(', ')) + (places.length > PLACES_MAX ? ', …' : '');
  return [
    `hint: ${formatCount(places.length, 'line')} (${listed}) ${places.length === 1 ? 'has' : 'have'} a common word or number as a password, such as changeme. Examples stay, and somebody may use it: if so, change it where it is used, or give a rule with --redact-key password.`,
  ];
}

/** Number of endings of names that a hint lists. */
const ENDINGS_MAX = 5;

/** Returns a hint about files beside cassettes, which may have secrets, too. */
export function otherFileHints(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const endings = [...new Set(files.map((file) => /[^/]\.([^./]+)$/.exec(file)?.[1] ?? 'no ending'))].sort();
  const more = endings.length > ENDINGS_MAX ? ', …' : '';
  const listed = printable(endings.slice(0, ENDINGS_MAX).join(', ')) + more;
  return [
    `hint: ${formatCount(files.length, 'other file')} (${listed}) ${files.length === 1 ? 'was' : 'were'} not searched, since only cassettes are. Search other files with a scanner for all files.`,
  ];
}
