/** The detectors of trufflehog (pkg/detectors), and the texts by which it tests them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GoValues, goTokens } from './go-source.js';
import { isIdentifier, secretPart } from './labels.js';

const DETECTORS = ['pkg', 'detectors'];

/** What detectors make their expressions of, but for the names that must stand near: those are no part of a token. */
const CALLS = {
  PrefixRegex: () => '',
  BuildRegex: (pattern, special, length) => `\\b([${pattern}${special}]{${length}})\\b`,
  BuildRegexJWT: (first, second, third) =>
    `\\b(ey[a-zA-Z0-9]{${first}}.ey[a-zA-Z0-9-\\/_]{${second}}.[a-zA-Z0-9-\\/_]{${third}})\\b`,
  MustCompile: (expression) => expression,
  string: (value) => value,
  byte: (value) => value,
};

/** Go sources by the name of their detector. */
function* sources(folder) {
  const root = join(folder, ...DETECTORS);
  for (const path of readdirSync(root, { recursive: true }).sort()) {
    const [detector, ...rest] = path.split(/[\\/]/);
    if (rest.length === 0 || !path.endsWith('.go')) continue;
    yield { detector, isTest: path.endsWith('_test.go'), source: readFileSync(join(root, path), 'utf8') };
  }
}

/** `{ kind, text, secrets }` of each text in which a detector must find something, and how many could not be read. */
export function trufflehogTexts(folder) {
  const positives = [];
  let unread = 0;
  for (const { detector, isTest, source } of sources(folder)) {
    if (!isTest || !/_Pattern\b/.test(source)) continue;
    const tokens = goTokens(source);
    const values = new GoValues(tokens, CALLS);
    values.learn();
    let text;
    for (let at = 0; at < tokens.length; at++) {
      if (tokens[at + 1]?.text !== ':') continue;
      if (tokens[at].text === 'input') text = values.expression(at + 2).value;
      if (tokens[at].text !== 'want' || tokens[at + 2]?.text !== '[') continue;
      const wanted = values.expression(at + 2).value ?? [];
      if (wanted.length === 0) continue;
      const secrets =
        typeof text === 'string'
          ? wanted.filter((secret) => secret && !isIdentifier(secret) && text.includes(secret)).map(secretPart)
          : [];
      if (secrets.length > 0) positives.push({ kind: detector, text, secrets });
      else unread++;
    }
  }
  return { positives, unread };
}

/** The expressions of each detector that a token matches. */
export function trufflehogExpressions(folder) {
  const found = [];
  for (const { detector, isTest, source } of sources(folder)) {
    if (isTest) continue;
    const tokens = goTokens(source);
    const values = new GoValues(tokens, CALLS);
    values.learn();
    tokens.forEach(({ text }, at) => {
      const { value } = text === 'MustCompile' ? values.expression(at) : {};
      if (typeof value === 'string') found.push({ kind: detector, regex: value });
    });
  }
  return found;
}
