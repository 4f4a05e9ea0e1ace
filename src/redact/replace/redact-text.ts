import type { Span } from '../../protocol/json-scan.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { ansiColorEdits } from '../decode/ansi-colors.ts';
import { mayHideCharacter, withoutEscapes } from '../decode/backslash-escapes.ts';
import { base64Edits, base64Runs, base64Secrets } from '../decode/base64.ts';
import { mapEdits } from '../decode/decoded-text-offsets.ts';
import { hexEdits, hexSecrets } from '../decode/hex.ts';
import { mayHideToken, withoutEntities } from '../decode/html-entities.ts';
import { percentDecoded, percentEncoded } from '../decode/percent-encoding.ts';
import type { Searches } from '../decode/redact-encoded-run.ts';
import { wideTextEdits } from '../decode/utf16-in-bytes.ts';
import { assignments } from '../detect/assignments/assignments.ts';
import { basicPassword, bearerAndBasicCredentials } from '../detect/bearer-and-basic.ts';
import { knownCommandPasswords } from '../detect/known-command-passwords.ts';
import { kubernetesEnvValues, kubernetesSecretData } from '../detect/kubernetes-manifests.ts';
import { secretsInListedPairs } from '../detect/listed-name-value-pairs.ts';
import { nameValueAttributes } from '../detect/name-value-attributes.ts';
import { netrcPasswords, pgpassPasswords } from '../detect/pgpass-netrc.ts';
import { comparisons } from '../detect/secrets-in-comparisons.ts';
import { sqlInsertValues } from '../detect/sql-inserts.ts';
import { findKnownTokens } from '../detect/tokens/find-known-tokens.ts';
import { queryCredentials, urlCredentials } from '../detect/url-credentials.ts';
import { MAY_HOLD, MAY_HOLD_TOKEN, type ScanResult, TRIGRAM } from '../fast-prefilter/trigram-scan.ts';
import type { Where } from '../rules/compile-redaction-rules.ts';
import { isRedacted } from './placeholder-format.ts';
import type { SecretMatch } from './secret-match.ts';
import { type DetectionContext, editsOf, NESTING_MAX, outside } from './shared-detector-state.ts';
import type { TextEdit } from './text-edit.ts';

/** Returns edits that remove every secret from `text`, found by format, by name and by known value. */
export function textEdits(text: string, search: DetectionContext, nesting: number, where: Where = {}): TextEdit[] {
  const seen = search.look(text);
  const { bits } = seen;
  const isEncoded = text.includes('%');
  const hasAddress = text.includes('@') && text.includes('://');
  const hasEntity = mayHideToken(text);
  const isWide = text.includes('\0');
  const hasEscape = mayHideCharacter(text);
  const isHiding = isEncoded || hasAddress || hasEntity || isWide || hasEscape;
  const isQuick = bits === 0 && !isHiding && search.rules.isEmpty;
  if (isQuick || isRedacted(text)) return [];
  const runs = bits & MAY_HOLD.base64 ? base64Runs(text) : [];
  const own = editsOf(text, search.rules.inText(text, where), { ...search, redact: search.redactByRule });
  return nesting < NESTING_MAX && isJson(text)
    ? [...own, ...search.inJson(text, nesting + 1)]
    : [
        ...own,
        // Before the text itself: of equal spans, the first edit counts, and a value has the placeholder of its decoded form.
        ...(nesting < NESTING_MAX ? escapedEdits(text, search, nesting + 1, hasEscape) : []),
        ...plainEdits(text, search, isOne(runs, text) ? { ...seen, bits: bits & IN_RUN } : seen),
        ...(nesting < NESTING_MAX ? ansiColorEdits(text, (shown) => search.inText(shown, nesting + 1)) : []),
        ...(nesting < NESTING_MAX && isEncoded ? percentEdits(text, search, nesting + 1) : []),
        ...(nesting < NESTING_MAX && isWide ? wideTextEdits(text, (inner) => search.inText(inner, nesting + 1)) : []),
        ...(nesting < NESTING_MAX && (bits !== 0 || hasEntity) ? entityEdits(text, search, nesting + 1) : []),
        ...(nesting < NESTING_MAX && bits & MAY_HOLD.base64 ? encodedEdits(text, search, nesting + 1, runs) : []),
      ];
}

/** Hint bits that matter in a text of a single base64 run, such as an image. It has no names and no schemes. */
const IN_RUN = MAY_HOLD_TOKEN | MAY_HOLD.known | MAY_HOLD.base64;

function isOne([run]: readonly Span[], text: string): boolean {
  return run !== undefined && run.end - run.start === text.length;
}

/** Returns edits of the base64 and hexadecimal runs in `text`. */
export function encodedEdits(
  text: string,
  search: DetectionContext,
  nesting: number,
  runs: readonly Span[] = base64Runs(text),
): TextEdit[] {
  const searches: Searches = {
    inText: (inner) => search.inText(inner, nesting),
    ...(search.needles.size > 0 && { inBytes: (bytes: string) => search.needles.find(bytes) }),
  };
  return [...base64Edits(text, searches, runs), ...hexEdits(text, searches, runs)];
}

/** Finds base64 and hexadecimal runs whose decoded text `isSecret` accepts. */
export function encodedSecrets(text: string, isSecret: (inner: string) => boolean): SecretMatch[] {
  const runs = base64Runs(text);
  return [
    ...base64Secrets(text, isSecret, runs).map((run) => ({ name: 'base64', ...run })),
    ...hexSecrets(text, isSecret, runs).map((run) => ({ name: 'hex', ...run })),
  ].sort((a, b) => a.start - b.start);
}

/** Maximum length of a name. */
const NAME_LENGTH_MAX = 4_096;

/**
 * Reports whether all hints in `text`, which is JSON without escapes, are inside long base64 strings without a secret,
 * such as images. Such a string cannot separate a name or scheme from a value.
 */
export function hasHarmlessBase64Only(text: string, seen: ScanResult, search: DetectionContext): boolean {
  const { marks, needles } = search;
  const runs = base64Runs(text);
  return (
    seen.ends(NO_TOKEN).every(within(runs.filter((run) => isImage(text, run)))) &&
    (!(seen.bits & MAY_HOLD_TOKEN) || findKnownTokens(text, marks, seen).length === 0) &&
    (!(seen.bits & MAY_HOLD.known) || needles.find(text, seen).length === 0) &&
    encodedEdits(text, search, 0, runs).length === 0
  );
}

/** Hint bits except those of tokens, which are searched in the whole text. */
const NO_TOKEN = ~MAY_HOLD_TOKEN;

/** Reports whether a span is a complete long string value. */
function isImage(text: string, { start, end }: Span): boolean {
  return end - start > NAME_LENGTH_MAX && text[start - 1] === '"' && /^"[,}\]]/.test(text.slice(end, end + 2));
}

/** Returns a predicate for trigram ends in ascending order: whether one of the spans contains the trigram. */
function within(spans: readonly Span[]): (end: number) => boolean {
  let next = 0;
  return (end) => {
    while (next < spans.length && spans[next]!.end < end) next++;
    const span = spans[next];
    return span !== undefined && span.start <= end - TRIGRAM;
  };
}

function plainEdits(text: string, search: DetectionContext, seen: ScanResult): TextEdit[] {
  const { bits } = seen;
  if (!search.isBuiltIn) return [...outside(search.allowedIn(text, []), search.needles.find(text, seen))];
  const tokens = bits & MAY_HOLD_TOKEN ? findKnownTokens(text, search.marks, seen) : [];
  const schemed = bits & MAY_HOLD.scheme ? bearerAndBasicCredentials(text) : [];
  for (const { name, start, end } of schemed) if (name === 'basic') learnBasic(text.slice(start, end), search);
  const named = bits & MAY_HOLD.name ? namedSecrets(text, seen) : [];
  const given = bits & MAY_HOLD.tool ? [...knownCommandPasswords(text), ...pgpassPasswords(text)] : [];
  const finds = [...tokens, ...urlCredentials(text), ...schemed, ...named, ...given];
  const known = bits & MAY_HOLD.known ? search.needles.find(text, seen) : [];
  if (finds.length === 0 && known.length === 0) return [];
  return [...editsOf(text, finds, search), ...outside(search.allowedIn(text, finds), known)];
}

function namedSecrets(text: string, seen: ScanResult): SecretMatch[] {
  return [
    ...assignments(text, seen),
    ...comparisons(text),
    ...nameValueAttributes(text),
    ...secretsInListedPairs(text),
    ...kubernetesEnvValues(text),
    ...kubernetesSecretData(text),
    ...queryCredentials(text),
    ...netrcPasswords(text),
    ...sqlInsertValues(text),
  ];
}

/** Registers the password of Basic credentials as a separate secret. */
function learnBasic(blob: string, search: DetectionContext): void {
  const password = basicPassword(blob);
  if (password !== undefined) search.redact('basic-password', password);
}

function percentEdits(text: string, search: DetectionContext, nesting: number): TextEdit[] {
  const words = percentEncoded(text).flatMap((layer) => mapEdits(layer, search.inText(layer.text, nesting)));
  if (search.needles.size === 0) return words;
  const layer = percentDecoded(text);
  const known = outside(search.allowedIn(layer.text, []), search.needles.find(layer.text));
  return [...words, ...mapEdits(layer, known)];
}

/**
 * Returns edits of a text that has JSON or code with escapes in it. Without an escape by number, only the user's rules
 * and known values are looked for: in code, `\/` of a regular expression would look like an address.
 */
function escapedEdits(text: string, search: DetectionContext, nesting: number, isAny: boolean): TextEdit[] {
  if (!isAny && search.rules.isEmpty && search.needles.size === 0) return [];
  const layer = withoutEscapes(text);
  if (layer === undefined) return [];
  if (isAny) return mapEdits(layer, search.inText(layer.text, nesting));
  const own = editsOf(layer.text, search.rules.inText(layer.text, {}), { ...search, redact: search.redactByRule });
  return mapEdits(layer, [...own, ...outside(search.allowedIn(layer.text, []), search.needles.find(layer.text))]);
}

function entityEdits(text: string, search: DetectionContext, nesting: number): TextEdit[] {
  const layer = withoutEntities(text);
  return layer === undefined ? [] : mapEdits(layer, search.inText(layer.text, nesting));
}

function isJson(text: string): boolean {
  return /^\s*[{["]/.test(text) && parseJson(text) !== undefined;
}
