/**
 * `npm run corpora`: how much of what other scanners look for our redaction finds, and what it takes for a secret that is none. The corpora are
 * clones in the folder that CORPORA names, made there if they are missing. `npm run corpora gitleaks maven` reads those alone.
 */
import { detectSecretsTexts } from './corpora/detect-secrets.js';
import { gitleaksRules, gitleaksTexts } from './corpora/gitleaks.js';
import { isFiller } from './corpora/labels.js';
import { EXPRESSIONS, loneTokens } from './corpora/lone-tokens.js';
import { areGone, redactedText } from './corpora/redaction.js';
import { repository } from './corpora/repositories.js';
import { secretlintTexts } from './corpora/secretlint.js';
import { sourceFiles } from './corpora/source-files.js';
import { trufflehogTexts } from './corpora/trufflehog.js';

const TEXTS = {
  gitleaks: gitleaksTexts,
  trufflehog: trufflehogTexts,
  secretlint: secretlintTexts,
  'detect-secrets': detectSecretsTexts,
};
/** Projects whose sources hold no secret. */
const SOURCES = ['pyopenssl', 'maven', 'spring-security', 'packages'];
const CORPORA = [...Object.keys(TEXTS), ...SOURCES];

/** So many tokens are made of each form. */
const SAMPLES = 4;
/** So many files are read of each project. */
const FILES = 350;
const PACKAGE_FILES = 3_000;

const asked = process.argv.slice(2);
const names = CORPORA.filter((name) => asked.length === 0 || asked.includes(name));
const unknown = asked.find((name) => !CORPORA.includes(name));
if (unknown !== undefined) {
  console.error(`There is no corpus "${unknown}". There are: ${CORPORA.join(', ')}.`);
  process.exit(2);
}

console.log('| corpus | found in texts | found by form alone | false alarms |');
console.log('|---|---|---|---|');
let missing = 0;
for (const name of names) {
  try {
    const row = rowOf(name, repository(name));
    console.log(`| ${name} | ${row.join(' | ')} |`);
  } catch (error) {
    missing++;
    console.error(`${name} was left out: ${error.message}`);
  }
}
process.exit(missing === 0 ? 0 : 1);

function rowOf(name, folder) {
  if (!(name in TEXTS))
    return ['–', '–', alarms(sourceFiles(folder, name, name === 'packages' ? PACKAGE_FILES : FILES), 'files')];
  const { positives, negatives = [] } = TEXTS[name](folder);
  const forms = EXPRESSIONS[name]?.(folder);
  const others = negatives.length === 0 ? '' : `; gitleaks ${alarmsOfGitleaks(repository('gitleaks'), negatives)}`;
  return [
    recallWithoutFillers(positives),
    forms ? recall(loneTokens(forms, SAMPLES)) : '–',
    negatives.length === 0 ? '–' : alarms(negatives, 'texts') + others,
  ];
}

function recall(positives) {
  const kinds = new Set(positives.map(({ kind }) => kind)).size;
  return `${shareFound(positives)} (${kinds} kinds)`;
}

/** Says both: of all, and of those that somebody could have been given. */
function recallWithoutFillers(positives) {
  const others = positives.filter(({ secrets }) => !secrets.some(isFiller));
  return `${recall(positives)}; ${shareFound(others)} without fillers`;
}

function shareFound(positives) {
  if (positives.length === 0) throw new Error('no secret could be read from it');
  const found = positives.filter(({ text, secrets }) =>
    areGone(secrets, { text, redacted: redactedText(text) }),
  ).length;
  return `${((100 * found) / positives.length).toFixed(1)} % of ${positives.length}`;
}

function alarms(negatives, what) {
  if (negatives.length === 0) throw new Error(`no ${what} could be read from it`);
  return `${negatives.filter(({ text }) => redactedText(text) !== text).length} of ${negatives.length} ${what}`;
}

function alarmsOfGitleaks(folder, negatives) {
  const rules = gitleaksRules(folder);
  return negatives.filter(({ text }) => rules.some(({ find }) => find(text).length > 0)).length;
}
