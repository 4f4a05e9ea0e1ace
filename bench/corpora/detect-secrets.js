/** The texts by which detect-secrets tests its plugins: tests/plugins/*_test.py. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const STRING = String.raw`[rbu]?(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`;
const STRINGS = String.raw`${STRING}(?:\s*${STRING})*`;
const COMMENT = String.raw`(?:\s*#[^\n]*\n)*`;
/** `'text'.format(name=VALUE), EXPECTED` */
const CASE = new RegExp(
  String.raw`\(\s*(${STRINGS})(?:\.format\(([^()]*)\))?\s*,\s*${COMMENT}\s*(True|False|None|[A-Z][A-Z_]*)\s*,?${COMMENT}\s*\)`,
  'g',
);
const ALONE = new RegExp(String.raw`^ {12}\(\s*(${STRINGS})\s*\),$`, 'gm');
const CONSTANT = new RegExp(`^([A-Z][A-Z_]*) = (${STRINGS})`, 'gm');

/** Plugins that look for what is no secret, or for any random text whatever stands before it. */
const OTHERS = /^(?:base|high_entropy|ip_public)/;

/** `{ kind, text, secrets }` where a plugin must find something, `{ kind, text }` where none may. */
export function detectSecretsTexts(folder) {
  const root = join(folder, 'tests', 'plugins');
  const positives = [];
  const negatives = [];
  for (const file of readdirSync(root).filter((name) => name.endsWith('_test.py') && !OTHERS.test(name))) {
    const source = readFileSync(join(root, file), 'utf8');
    const kind = file.replace('_test.py', '');
    const constants = new Map([...source.matchAll(CONSTANT)].map(([, name, value]) => [name, unquoted(value)]));
    const cases = [
      ...source.matchAll(CASE),
      ...[...source.matchAll(ALONE)].map(([all, text]) => [all, text, undefined, 'True']),
    ];
    for (const [, literal, given = '', expected] of cases) {
      const values = formatValues(given, constants);
      const text = filled(unquoted(literal), values);
      if (!/^(?:True|False|None)$/.test(expected) && !constants.has(expected)) continue;
      const secret = constants.get(expected) ?? lastWord(text, values);
      if (expected === 'False' || expected === 'None') negatives.push({ kind, text });
      else if (text.includes(secret)) positives.push({ kind, text, secrets: [secret] });
    }
  }
  return { positives: distinct(positives), negatives: distinct(negatives) };
}

function distinct(cases) {
  return [...new Map(cases.map((each) => [each.text, each])).values()];
}

function unquoted(literals) {
  return [...literals.matchAll(new RegExp(STRING, 'g'))]
    .map(([literal]) =>
      literal
        .replace(/^[rbu]?['"]|['"]$/g, '')
        .replace(/\\(['"\\])/g, '$1')
        .replaceAll('\\n', '\n'),
    )
    .join('');
}

function formatValues(given, constants) {
  const parts = given.split(',').map((part) => part.trim());
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const [, name, value] = /^(?:(\w+)=)?(\S+)$/.exec(part) ?? [];
      return { name, value: constants.get(value) ?? '' };
    });
}

function filled(format, values) {
  if (values.length === 0) return format;
  let next = 0;
  return format.replace(/\{\{|\}\}|\{(\w*)\}/g, (all, name) => {
    if (name === undefined) return all[0];
    return (values.find((each) => each.name === name) ?? values[next++])?.value ?? '';
  });
}

/** A test does not say what of its text is secret: the password of a URL, what was filled in, or else the last long word. */
function lastWord(text, values) {
  const [, password] = /:\/\/[^:/]*:([^@\s]+)@/.exec(text) ?? [];
  if (password !== undefined) return password;
  if (values.length > 0) return values.map(({ value }) => value).toSorted((a, b) => b.length - a.length)[0];
  const words = text.match(/[\w.+/~-]{8,}=*/g) ?? [''];
  // A token that stands alone may have a character behind it that is none of it.
  return /[\s=:"']/.test(text) ? words.at(-1) : words.toSorted((a, b) => b.length - a.length)[0];
}
