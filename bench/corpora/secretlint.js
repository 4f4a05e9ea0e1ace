/** The texts by which secretlint tests its rules: packages/@secretlint/secretlint-rule-NAME/test/snapshots. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretPart } from './labels.js';

/** Rules that look at what is no secret, or at files as a whole, or repeat the tests of others. */
const OTHERS = /-(?:example|filter-comments|internal-.*|no-.*|pattern|preset-.*)$/;

/** What names an account or a tenant opens nothing. */
const IDENTIFIERS = /^(?:AWSAccountID|AzureTenantId|AzureClientId|AZURE_(?:TENANT|CLIENT)_ID)$/i;

/** `{ kind, text, secrets }` where a rule must find something, `{ kind, text }` where none may. */
export function secretlintTexts(folder) {
  const packages = join(folder, 'packages', '@secretlint');
  const positives = [];
  const negatives = [];
  for (const rule of readdirSync(packages).filter(
    (name) => name.startsWith('secretlint-rule-') && !OTHERS.test(name),
  )) {
    const snapshots = join(packages, rule, 'test', 'snapshots');
    for (const name of existsSync(snapshots) ? readdirSync(snapshots).sort() : []) {
      const { messages = [], text } = snapshot(join(snapshots, name)) ?? {};
      if (text === undefined) continue;
      const kind = rule.replace('secretlint-rule-', '');
      const named = messages.filter(({ messageId }) => !IDENTIFIERS.test(messageId));
      if (named.length < messages.length) continue;
      const secrets = named.map(({ data, range }) => secretOf(data) ?? text.slice(...range));
      const stated = secrets.filter((secret) => text.includes(secret)).map(secretPart);
      if (stated.length > 0) positives.push({ kind, text, secrets: stated });
      else if (/^(?:ok|valid|placeholder)/.test(name)) negatives.push({ kind, text });
    }
  }
  return { positives, negatives };
}

function snapshot(folder) {
  const output = join(folder, 'output.json');
  if (!existsSync(output)) return undefined;
  const input = readdirSync(folder).find((name) => name.startsWith('input'));
  const { messages, sourceContent } = JSON.parse(readFileSync(output, 'utf8'));
  return { messages, text: sourceContent ?? (input && readFileSync(join(folder, input), 'utf8')) };
}

function secretOf(data = {}) {
  const values = Object.values(data).filter((value) => typeof value === 'string');
  return values.length === 1 ? values[0] : undefined;
}

const LITERAL = /(?<=[=(:,]\s*)\/(?![/*])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/g;

/** The expressions of each rule that a token matches. */
export function secretlintExpressions(folder) {
  const packages = join(folder, 'packages', '@secretlint');
  const rules = readdirSync(packages).filter((name) => name.startsWith('secretlint-rule-') && !OTHERS.test(name));
  return rules.flatMap((rule) => {
    const source = readFileSync(join(packages, rule, 'src', 'index.ts'), 'utf8');
    const kind = rule.replace('secretlint-rule-', '');
    return [...source.matchAll(LITERAL)].map(([, regex, flags]) => ({
      kind,
      // A group tells kinds apart: the token is all that matches.
      regex: (flags.includes('i') ? '(?i)' : '') + regex.replace(/(?<!\\)\((?:\?<\w+>|(?!\?))/g, '(?:'),
    }));
  });
}
