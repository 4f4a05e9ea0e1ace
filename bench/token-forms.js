/**
 * `CORPORA=FOLDER npm run token-forms`: makes src/redact/detect/tokens/token-forms.ts again, of what others know of tokens: the expressions of
 * gitleaks, trufflehog and secretlint, whose clones are in FOLDER. Facts are taken: what a token begins with, which characters follow, and
 * how many. What a pattern of ours finds already is left out.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOKEN_PATTERNS } from '../dist/redact/detect/tokens/token-patterns.js';
import { chanceFrom } from './corpora/go-source.js';
import { EXPRESSIONS, tellingForms } from './corpora/lone-tokens.js';
import { repository } from './corpora/repositories.js';
import { tokenOf } from './corpora/token-pieces.js';

const TABLE = join(import.meta.dirname, '..', 'src', 'redact', 'detect', 'tokens', 'token-forms.ts');

/**
 * No secret (public keys, the names of users and applications), or too much like words: the first look would stop in every text.
 */
const LEFT_OUT =
  /^(?:pk_(?:live|test)_|pk-lf-|A(?:GPA|IDA|IPA|NPA|NVA|ROA)|cli_|test_|act_|account-|master-|git&|eyJ(?!rIjoi)|ewo)|A{8}|==:/;

/** So many tokens of a form are made to see whether another one covers it. */
const SAMPLES = 8;

/** A longer part in the middle is none of a token, and takes long to search. */
const MIDDLE_MAX = 512;

const ALPHABETS = {
  digit: '0-9',
  hex: '0-9a-f',
  anyhex: '0-9A-Fa-f',
  lower: 'a-z',
  alpha: 'A-Za-z',
  base32: '2-7A-Z',
  base36: '0-9a-z',
  BASE36: '0-9A-Z',
  base62: '0-9A-Za-z',
  word: '0-9A-Z_a-z',
  base64: '+/0-9A-Za-z',
  base64url: '0-9A-Z_a-z-',
  padded64url: '0-9=A-Z_a-z-',
};

const rows = Object.entries(EXPRESSIONS).flatMap(([source, expressions]) =>
  tellingForms(expressions(repository(source)))
    .filter(({ pieces }) => !LEFT_OUT.test(pieces.map(String).join('')))
    .map(({ kind, pieces }) => ({ source, name: nameOf(kind), pieces: bounded(pieces) })),
);
const known = TOKEN_PATTERNS.map(({ pattern }) => pattern);
const kept = [];
for (const row of rows.toSorted((a, b) => lengthMin(a.pieces) - lengthMin(b.pieces))) {
  const chance = chanceFrom(row.name.length + row.pieces.length);
  const tokens = Array.from({ length: SAMPLES }, () => tokenOf(row.pieces, chance));
  const isCovered = tokens.every((token) => known.some((pattern) => covers(pattern, token)));
  if (isCovered) continue;
  kept.push(row);
  known.push(expressionOf(row.pieces));
}

writeFileSync(TABLE, table(kept));
console.log(`${TABLE} has ${kept.length} forms of ${new Set(kept.map(({ name }) => name)).size} kinds.`);

function bounded(pieces) {
  return pieces.map((piece, i) =>
    typeof piece === 'string' || i === pieces.length - 1 ? piece : { ...piece, max: Math.min(piece.max, MIDDLE_MAX) },
  );
}

function lengthMin(pieces) {
  return pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.min), 0);
}

/** Whether a pattern finds the token, but for what stands before its secret. */
function covers(pattern, token) {
  const found = new RegExp(pattern.source, pattern.flags).exec(token);
  if (found === null) return false;
  const end = found.index + found[0].length;
  return end === token.length && (found.index === 0 || found[1] !== undefined);
}

function expressionOf(pieces) {
  const source = pieces.map((piece) =>
    typeof piece === 'string'
      ? piece.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
      : `[${short(piece.chars)}]{${counts(piece, ',', '')}}`,
  );
  return new RegExp(`^${source.join('')}$`);
}

function table(forms) {
  const lines = forms
    .map(({ source, name, pieces }) => ({ source, text: `${name} ${formOf(pieces)}` }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1));
  const part = (source) =>
    lines
      .filter((line) => line.source === source)
      .map(({ text }) => text)
      .join('\n');
  return `/**
 * Forms of tokens: facts about what others issue, a line a form. Made by \`npm run token-forms\`; not edited by hand. A line is the
 * name of the kind, and how its token is written: text, and \`<ALPHABET:LENGTH>\` for what is left to chance.
 */
export const TOKEN_FORMS: Readonly<Record<string, string>> = {
  /** After config/gitleaks.toml of https://github.com/gitleaks/gitleaks (MIT). */
  gitleaks: \`
${part('gitleaks')}
\`,
  /** After pkg/detectors of https://github.com/trufflesecurity/trufflehog (AGPL-3.0; facts alone are taken). */
  trufflehog: \`
${part('trufflehog')}
\`,
  /** After packages/@secretlint of https://github.com/secretlint/secretlint (MIT). */
  secretlint: \`
${part('secretlint')}
\`,
};
`;
}

function formOf(pieces) {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : `<${alphabetOf(piece.chars)}:${counts(piece, '-', '+')}>`))
    .join('');
}

function counts({ min, max }, between, endless) {
  if (min === max) return String(min);
  return Number.isFinite(max) ? min + between + max : `${min}${between === ',' ? between : ''}${endless}`;
}

function alphabetOf(chars) {
  const written = short(chars);
  const [name] = Object.entries(ALPHABETS).find(([, alphabet]) => alphabet === written) ?? [];
  return name ?? `[${written}]`;
}

/** As a class of an expression writes them: neighbours as a range, a dash at the end. */
function short(chars) {
  const all = [...chars].filter((c) => c !== '-').toSorted();
  let text = '';
  for (let at = 0; at < all.length; ) {
    let end = at;
    while (all[end + 1]?.charCodeAt(0) === all[end].charCodeAt(0) + 1 && /\w/.test(all[end])) end++;
    text += end - at > 1 ? `${all[at]}-${all[end]}` : all.slice(at, end + 1).join('');
    at = end + 1;
  }
  return chars.includes('-') ? `${text}-` : text;
}

/** Of `airtable-personnal-access-token` and `airtablepersonalaccesstoken`: `airtable-token`. */
function nameOf(kind) {
  const issuer = kind
    .replace(
      /(?:-|_)?(?:person+al-?)?(?:access-?)?(?:api-?)?(?:v\d|oauth2?|pat|token|secret|key|apikey|webhook)s?(?:[-_]?v\d)?$/,
      '',
    )
    .replaceAll('_', '-');
  return `${issuer || kind}-${/secret$/.test(kind) ? 'secret' : /key$/.test(kind) ? 'key' : 'token'}`;
}
