import type { Frame } from '../channel/frame.ts';
import { isJson, JsonText } from '../protocol/json-text.ts';
import { isPlainBase64 } from './decode/base64.ts';
import { mayHoldHexBytes } from './decode/hex.ts';
import { credentialNamed } from './detect/credential-names.ts';
import { privateKeyLines } from './detect/private-key-lines.ts';
import { secretsWithin } from './detect/secrets-in-credential.ts';
import { findKnownTokens } from './detect/tokens/find-known-tokens.ts';
import { fieldsWithCredentials } from './detect/url-credentials.ts';
import { checkLinesInBatches } from './fast-prefilter/check-lines-in-batches.ts';
import { cachedScan } from './fast-prefilter/scan-cache.ts';
import { hasBenignNamesOnly, isClean } from './fast-prefilter/skip-harmless-names.ts';
import { MAY_HOLD, MAY_HOLD_TOKEN, type ScanResult } from './fast-prefilter/trigram-scan.ts';
import { learnEnvironment, learnGivenHeaders, learnHeaders, type UserHeaders } from './given-credentials.ts';
import { redactBytes } from './redact-bytes.ts';
import { redactFrame } from './redact-frame.ts';
import { KnownValues } from './replace/known-values.ts';
import { isRedacted, placeholdersIn } from './replace/placeholder-format.ts';
import { isVariableName, sparing } from './replace/placeholders.ts';
import { jsonEdits, mayHold } from './replace/redact-json.ts';
import { encodedSecrets, hasHarmlessBase64Only, textEdits } from './replace/redact-text.ts';
import { revealPlaceholders } from './replace/reveal-placeholders.ts';
import type { SecretMatch } from './replace/secret-match.ts';
import { type RegisteredSecret, SecretRegistry } from './replace/secret-registry.ts';
import { type DetectionContext, editsOf, type UnredactableMatch } from './replace/shared-detector-state.ts';
import { editedInRounds, type TextEdit } from './replace/text-edit.ts';
import { searchByRules } from './replace/user-rules-only-search.ts';
import { allowList } from './rules/allow-list.ts';
import { compileRedactionRules, listedName, nameOfRule, type RedactionRule } from './rules/compile-redaction-rules.ts';
import { createExemptions } from './rules/exempt-value-registry.ts';
import { isRuleForSecret } from './rules/rules-for-secrets.ts';
import type { SharedSecrets } from './shared-secrets.ts';
import { trigramTableForRedactors } from './trigram-table-for-redactors.ts';

/** Rules of a user in addition to the built-in detectors. */
export interface RedactionRules {
  /** Rules for additional secrets. */
  rules?: readonly RedactionRule[];
  /** Values that are not redacted: complete values, or expressions that match them. */
  allow?: readonly (string | RegExp)[];
}

export interface RedactorOptions extends RedactionRules, UserHeaders {
  /** Environment variables. Those with the name of a credential contain secrets. */
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Redactor of secrets in stored data. A secret has one placeholder, `[redacted:NAME:N]`, in all encodings. Methods
 * return an argument without secrets unchanged, and never throw.
 */
export interface Redactor {
  /** The user's rules that the redactor was created with. */
  readonly userRules: RedactionRules;
  frame(frame: Frame): Frame;
  json(json: JsonText): JsonText;
  text(text: string): string;
  /** Redacts a URL, a path or form fields. */
  url(url: string): string;
  /** Replaces this redactor's placeholders by their secrets, if `isShown` accepts the secret. */
  revealed(json: JsonText, isShown: (secret: string) => boolean): JsonText;
  /** Replaces this redactor's placeholders by their secrets. A string that is the placeholder of a number becomes the number. */
  restored(json: JsonText): JsonText;
  /** Reports whether a placeholder of this redactor stands for a number in JSON. */
  isOfNumber(placeholder: string): boolean;
  /** Returns the placeholder of a value that is certainly a secret. A value of the allowlist is returned unchanged. */
  secret(name: string, value: string): string;
  /** Registers credentials in request headers (names and values, alternating): the server may repeat them. */
  learnHeaders(headers: readonly string[]): void;
  /** Redacts the secrets of `others` from now on, also those that are added to them later. */
  shareSecrets(others: SharedSecrets): void;
  /** Reports whether any redacted data contained a secret. */
  hasRedacted(): boolean;
  /**
   * Returns matches of user rules in the latest message or frame that were not redacted, because the session needs the
   * values for playback.
   */
  unredactable(): readonly UnredactableMatch[];
  /** Reports whether any message contained an unredactable match. */
  hasUnredactable(): boolean;
  /** Returns the user's rules without any match so far, and without a placeholder of their name. */
  unusedRules(): readonly RedactionRule[];
  /**
   * Returns the names of the user's rules, for the header of a cassette. Undefined if there are none, and if no
   * placeholder resembles the placeholder of a rule.
   */
  listedRules(): readonly string[] | undefined;
  /** Returns all secrets of this redactor. */
  learnt(): readonly RegisteredSecret[];
  /**
   * Returns the number of values that are searched for, with those of others. Redact earlier output again when it grows, because that
   * output may contain the new secrets.
   */
  knownCount(): number;
  /** Reports whether `text`, the latest redacted JSON, was unchanged and needs no final check. */
  isTokenless(text: string): boolean;
  /**
   * Reports whether the JSON between two offsets needs neither redaction nor a final check. The bytes must be ASCII
   * without escapes, `%`, `@` and `&`. False: redact the JSON as text.
   */
  isClean(ascii: Uint8Array, start: number, end: number): boolean;
  /**
   * Reports whether `bytes` are a long run of complete base64 groups without a secret, encoded or decoded. False:
   * redact the bytes as text.
   */
  isPlainBase64(bytes: Uint8Array): boolean;
  /** Returns the finding of the check before writing: an unmistakable secret outside of protocol values. */
  suspicious(text: string): SecretMatch | undefined;
  /** Returns the first match of a user's pattern in a text, outside of placeholders and allowed values. */
  matchOfRules(text: string): SecretMatch | undefined;
}

/** @throws McpRecordError USAGE_BAD_RULE, USAGE_BAD_POINTER */
export function createRedactor(options: RedactorOptions): Redactor {
  const { env, rules = [], allow = [] } = options;
  const marks = trigramTableForRedactors();
  const needles = new KnownValues(marks);
  const secrets = new SecretRegistry(needles);
  const allowed = allowList(allow);
  const exempt = createExemptions();
  const holdsToken = (text: string) => findKnownTokens(text, marks).length > 0;
  const stays = (value: string, key?: string) =>
    exempt.add(value, [...findKnownTokens(value, marks), ...encodedSecrets(value, holdsToken)], key);
  const numbers = new Set<string>();
  const compiled = compileRedactionRules(rules, (rule) => !isRuleForSecret(rule));
  const parts: Pick<DetectionContext, 'marks' | 'rules' | 'redact' | 'noteNumber' | 'allowedIn'> = {
    marks,
    rules: compiled,
    // A variable may be set on one machine only, and a value may have several keys. The name of a pattern always is the same.
    redact: (name, value) =>
      allowed.has(value) ? undefined : secrets.placeholder(compiled.nameOfWhole(value) ?? name, value),
    noteNumber: (placeholder) => numbers.add(placeholder),
    allowedIn: (text, finds) => {
      if (allow.length === 0) return [];
      const spans = finds.filter(({ start, end }) => allowed.has(text.slice(start, end)));
      for (const { start, end } of spans) stays(text.slice(start, end));
      return [...spans, ...allowed.in(text)];
    },
  };
  /** Matches in the latest message, by path. Several rounds may find the same match. */
  const unredactable = new Map<string, UnredactableMatch>();
  let hasUnredactable = false;
  const search: DetectionContext = {
    ...parts,
    ...searchByRules(parts),
    look: cachedScan(marks, () => needles.size),
    needles,
    isBuiltIn: true,
    reportUnredactable(match) {
      hasUnredactable = true;
      unredactable.set(match.path.join('/'), match);
    },
    keep: stays,
    inText: (inner, nesting, where) => textEdits(inner, search, nesting, where),
    inJson: (inner, nesting) => jsonEdits(inner, search, nesting, false),
  };

  let hasRedacted = false;

  /** Redacts until no secret is found: later rounds find earlier occurrences, and parts of longer words. */
  function redacted(text: string, look: (text: string) => TextEdit[]): string {
    secrets.reserve(placeholdersIn(text));
    const safe = editedInRounds(text, look);
    hasRedacted ||= safe !== text;
    return safe;
  }

  const text = (plain: string) => redacted(plain, (rest) => search.inText(rest, 0));

  /** Latest unchanged text without the beginning of any token. */
  let tokenless: string | undefined;

  function json(message: JsonText): JsonText {
    unredactable.clear();
    const seen = mayHold(message.text, search);
    const isSafe = seen !== undefined && isHarmless(message.text, seen);
    const safe = isSafe ? message : withoutSecrets(message);
    const isSure = isSafe || (seen !== undefined && !(seen.bits & MAY_HOLD_TOKEN));
    if (safe === message && isSure) tokenless = message.text;
    return safe;
  }

  function withoutSecrets(message: JsonText): JsonText {
    const safe = isJson(message)
      ? redacted(message.text, (rest) => jsonEdits(rest, search, 0, true))
      : text(message.text);
    return safe === message.text ? message : new JsonText(safe);
  }

  /** Reports whether a text with hints is harmless: the hints come from protocol names or images only. */
  function isHarmless(plain: string, seen: ScanResult): boolean {
    if (seen.bits === 0) return true;
    if (plain.includes('\\')) return false;
    if (seen.bits === MAY_HOLD.name) return hasBenignNamesOnly(plain, seen);
    if (!(seen.bits & MAY_HOLD.base64) || !hasHarmlessBase64Only(plain, seen, search)) return false;
    return !(seen.bits & MAY_HOLD_TOKEN) || hidden(plain) === undefined;
  }

  /** Returns the first encoded token that must not stay. */
  function hidden(written: string): SecretMatch | undefined {
    return encodedSecrets(written, (inner) => unwanted(inner) !== undefined).find((run) => !exempt.cover(written, run));
  }

  function named(name: string, value: string): string {
    const certainty = credentialNamed(name);
    const rule = value === '' ? undefined : search.rules.header(name.toLowerCase());
    return redacted(value, (rest) => {
      const spans = certainty === undefined ? [] : secretsWithin(name, rest, certainty);
      const whole = rule === undefined ? [] : [{ name: rule, start: 0, end: rest.length }];
      const finds = [...whole, ...spans.map((span) => ({ name, ...span }))];
      return [...editsOf(rest, finds, search), ...search.inText(rest, 0)];
    });
  }

  const url = (address: string) =>
    redacted(address, (rest) => [
      ...editsOf(rest, fieldsWithCredentials(rest), search),
      ...search.inText(rest, 0),
      // In forms, a plus sign encodes a blank. Offsets stay the same.
      ...(rest.includes('+') ? search.inText(rest.replaceAll('+', ' '), 0) : []),
    ]);

  function secret(name: string, value: string): string {
    hasRedacted = true;
    return search.redact(name, value) ?? value;
  }

  const bytes = (data: Uint8Array, encoding?: string) => redactBytes(data, encoding, { text, secret });

  const isInKey = privateKeyLines();

  function frame(passed: Frame): Frame {
    unredactable.clear();
    const parts = { json, text, eventField: text, bytes, url, header: named };
    if (passed.kind !== 'line' || !isInKey(passed)) return redactFrame(passed, parts);
    const key = (line: string) => (isRedacted(line) ? line : (search.redact('private-key', line) ?? line));
    hasRedacted = true;
    return redactFrame(passed, { ...parts, text: key });
  }

  /** Returns the first token that no exemption or allowlist covers. */
  function unwanted(written: string, seen?: ScanResult): SecretMatch | undefined {
    return findKnownTokens(written, marks, seen).find(
      (token) => !allowed.has(written.slice(token.start, token.end)) && !exempt.cover(written, token),
    );
  }

  const isCleanLine = checkLinesInBatches((ascii, start, end) => isClean(ascii, marks, start, end), needles);

  const isOfNumber = (placeholder: string) => numbers.has(placeholder);
  const redactor: Redactor = {
    userRules: { rules, allow },
    frame,
    json,
    text,
    url,
    restored: (message) => revealPlaceholders(message, (placeholder) => secrets.valueOf(placeholder), isOfNumber),
    isOfNumber,
    revealed: (message, isShown) =>
      revealPlaceholders(message, (placeholder) => {
        const secret = secrets.valueOf(placeholder);
        return secret !== undefined && isShown(secret) ? secret : undefined;
      }),
    secret,
    learnHeaders: (sent) => learnHeaders(sent, search),
    shareSecrets: (others) => others.searchedBy(search),
    hasRedacted: () => hasRedacted,
    unredactable: () => [...unredactable.values()],
    hasUnredactable: () => hasUnredactable,
    unusedRules: () => search.rules.unused().filter((rule) => !secrets.isReserved(nameOfRule(rule))),
    listedRules() {
      const names = rules.filter((rule) => !isRuleForSecret(rule)).flatMap((rule) => listedName(rule) ?? []);
      const isLikeRule = secrets.learnt.some(({ name }) => isVariableName(name));
      return names.length > 0 || isLikeRule ? [...new Set(names)] : undefined;
    },
    learnt: () => secrets.learnt,
    knownCount: () => needles.size,
    isTokenless: (written) => written === tokenless,
    isClean: (ascii, start, end) => search.rules.isEmpty && isCleanLine(ascii, start, end),
    isPlainBase64: (bytes) => search.rules.isEmpty && !mayHoldHexBytes(bytes) && isPlainBase64(bytes, marks),
    suspicious: (written) => {
      const seen = search.look(written);
      const plain = seen.bits & MAY_HOLD_TOKEN ? unwanted(written, seen) : undefined;
      if (plain || !(seen.bits & MAY_HOLD.base64)) return plain;
      return hidden(written);
    },
    matchOfRules: (written) =>
      sparing(placeholdersIn(written), compiled.inText(written, {})).find(
        ({ start, end }) => !allowed.has(written.slice(start, end)) && !isRedacted(written.slice(start, end)),
      ),
  };
  for (const value of allow) if (typeof value === 'string') stays(value);
  learnEnvironment(env, search, (register) => secrets.registerAhead(register));
  learnGivenHeaders(options, search);
  search.rules.forgetUse();
  return redactor;
}
