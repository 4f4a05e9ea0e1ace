/** The rules of gitleaks (config/gitleaks.toml), and the texts by which it tests them (cmd/generate/config/rules/*.go). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RE2JS } from 're2js';
import { GoValues, goTokens, madeToMatch } from './go-source.js';
import { secretPart } from './labels.js';
import { tomlTables } from './toml-tables.js';

const RULES = ['cmd', 'generate', 'config', 'rules'];

/** What a rule finds in a text: the secrets, in order. */
export function gitleaksRules(folder) {
  const { global, rules } = tomlTables(readFileSync(join(folder, 'config', 'gitleaks.toml'), 'utf8'));
  const everywhere = (global.allowlists ?? []).map(allowlist);
  return rules
    .filter(({ regex }) => regex !== undefined)
    .map(({ id, regex, entropy = 0, secretGroup = 0, keywords = [], allowlists = [] }) => {
      const expression = RE2JS.compile(regex);
      const allowed = [...allowlists.map(allowlist), ...everywhere];
      const find = (text) => {
        const lower = text.toLowerCase();
        if (keywords.length > 0 && !keywords.some((word) => lower.includes(word.toLowerCase()))) return [];
        return matches(expression, text, Number(secretGroup)).filter(
          (found) => entropyOf(found.secret) > Number(entropy) && !allowed.some((isAllowed) => isAllowed(found, text)),
        );
      };
      return { id, regex, keywords, find };
    });
}

function matches(expression, text, secretGroup) {
  const found = [];
  const matcher = expression.matcher(text);
  while (matcher.find()) {
    const groups = Array.from({ length: matcher.groupCount() }, (_, i) => matcher.group(i + 1));
    const secret = secretGroup > 0 ? groups[secretGroup - 1] : groups.find((group) => group);
    found.push({ match: matcher.group(0), secret: secret ?? matcher.group(0), start: matcher.start(0) });
  }
  return found;
}

function entropyOf(text) {
  const counts = new Map();
  for (const c of text) counts.set(c, (counts.get(c) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0);
}

/** A test of a find. A text has no path and no commit. */
function allowlist({ regexes = [], stopwords = [], regexTarget = 'secret', paths = [], commits = [], condition }) {
  const expressions = regexes.map((regex) => RE2JS.compile(regex));
  const needsMore = condition === 'AND' && (paths.length > 0 || commits.length > 0);
  return ({ match, secret, start }, text) => {
    if (needsMore) return false;
    const target = regexTarget === 'match' ? match : regexTarget === 'line' ? lineAt(text, start, match) : secret;
    const lower = secret.toLowerCase();
    return expressions.some((each) => each.matcher(target).find()) || stopwords.some((word) => lower.includes(word));
  };
}

function lineAt(text, start, match) {
  const from = text.lastIndexOf('\n', start) + 1;
  const to = text.indexOf('\n', start + match.length);
  return text.slice(from, to < 0 ? undefined : to);
}

const TIMES = (quantifier) => (quantifier.startsWith?.('{') ? quantifier : `{${quantifier}}`);
const CALLS = {
  NewSecret: (regex) => regex && madeToMatch(regex),
  newPlausibleSecret: (regex) => regex && madeToMatch(regex),
  NewSecretWithEntropy: (regex) => regex && madeToMatch(regex),
  Numeric: (n) => `[0-9]${TIMES(n)}`,
  Hex: (n) => `[a-f0-9]${TIMES(n)}`,
  AlphaNumeric: (n) => `[a-z0-9]${TIMES(n)}`,
  AlphaNumericExtendedShort: (n) => `[a-z0-9_-]${TIMES(n)}`,
  AlphaNumericExtended: (n) => `[a-z0-9=_\\-]${TIMES(n)}`,
  AlphaNumericExtendedLong: (n) => `[a-z0-9\\/=_\\+\\-]${TIMES(n)}`,
  Hex8_4_4_4_12: () => '[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}',
  GenerateSampleSecret: (name, secret) => secret && `${name}_api_token = "${secret}"`,
  GenerateSampleSecrets: (name, secret) => secret && sampleTexts(name, secret),
};

/** Ways to write that a name has a value; those by which gitleaks tests its rules. */
function sampleTexts(name, secret) {
  const loud = name.toUpperCase();
  return [
    `${name}Token="${secret}"`,
    `${name}Token = "${secret}"`,
    `${name}Token=${secret}`,
    `${name}Token = ${secret}`,
    `{\n    "${name}_token": "${secret}"\n}`,
    `{"config.ini": "${loud}_TOKEN=${secret}\\nBACKUP_ENABLED=true"}`,
    `<${name}Token>\n    ${secret}\n</${name}Token>`,
    `${name}_token: ${secret}`,
    `${name}_token: '${secret}'`,
    `${name}_token: "${secret}"`,
    `string ${name}Token = "${secret}";`,
    `var ${name}Token string = "${secret}"`,
    `${name}Token := "${secret}"`,
    `${name}Token := \`${secret}\``,
    `String ${name}Token = "${secret}";`,
    `var ${name}Token = "${secret}"`,
    `$${name}Token .= "${secret}"`,
    `${name}Token = '${secret}'`,
    `System.setProperty("${loud}_TOKEN", "${secret}")`,
    `  "${name}Token" => "${secret}"`,
    `${loud}_TOKEN = "${secret}"`,
    `${loud}_TOKEN := "${secret}"`,
    `${loud}_TOKEN ::= "${secret}"`,
    `${loud}_TOKEN :::= "${secret}"`,
    `${loud}_TOKEN ?= "${secret}"`,
  ];
}

/** `{ kind, text, secrets }` for each true positive, `{ kind, text }` for each false one, and how many could not be read. */
export function gitleaksTexts(folder) {
  const rules = new Map(gitleaksRules(folder).map((rule) => [rule.id, rule]));
  const positives = [];
  const negatives = [];
  let unread = 0;
  const sources = readdirSync(join(folder, ...RULES)).filter(
    (name) => name.endsWith('.go') && !name.endsWith('_test.go'),
  );
  for (const source of sources) {
    for (const { id, tps, fps } of testsOf(readFileSync(join(folder, ...RULES, source), 'utf8'))) {
      for (const text of tps.flat()) {
        const secrets =
          typeof text === 'string' ? (rules.get(id)?.find(text) ?? []).map(({ secret }) => secretPart(secret)) : [];
        if (secrets.length > 0) positives.push({ kind: id, text, secrets });
        else unread++;
      }
      for (const text of fps.flat())
        if (typeof text === 'string') negatives.push({ kind: id, text });
        else unread++;
    }
  }
  return { positives, negatives, unread };
}

/** Each function's rule with what it must and must not find. */
function testsOf(source) {
  return source.split(/^func /m).flatMap((body) => {
    const tokens = goTokens(body);
    const values = new GoValues(tokens, CALLS);
    values.learn();
    const at = tokens.findIndex(({ text }) => text === 'RuleID');
    const id = at < 0 ? undefined : values.expression(at + 2).value;
    if (id === undefined) return [];
    return [{ id, tps: values.names.get('tps') ?? [], fps: values.names.get('fps') ?? [] }];
  });
}
