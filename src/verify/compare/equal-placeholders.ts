import type { Cassette } from '../../cassette/cassette.ts';
import { ExactNumber, exactValue } from '../../match/exact-json-value.ts';
import type { Normalize } from '../../match/ignore-rules.ts';
import { differences } from '../../match/json-difference.ts';
import { JsonText, jsonOf } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { allPlaceholdersIn, findEncodedPlaceholders } from '../../redact/decode/find-encoded-placeholders.ts';
import type { Redactor, RedactorOptions } from '../../redact/redactor.ts';
import { equalizePlaceholders } from '../../redact/replace/equalize-placeholders.ts';
import { hasRedactedMessages, maskSecrets } from '../../redact/replace/mask-for-compare.ts';
import { type Placeholder, placeholderOf, placeholdersIn } from '../../redact/replace/placeholder-format.ts';
import { variablesIn } from '../../redact/replace/placeholders.ts';
import { encodedEdits, type SecretSource } from '../../redact/replace/restore-secrets.ts';
import { applyEdits } from '../../redact/replace/text-edit.ts';
import { credentialKey, type SentCredentials, sentCredentials } from '../../redact/sent-credential-placeholders.ts';
import { secretsInText } from '../../replay/match/label-placeholders-in-text.ts';
import { OTHER_VALUE, type SecretBindings } from '../../replay/match/secret-bindings.ts';
import type { AlignSecrets } from '../../replay/tokens/returned-values.ts';

/** Redaction of live values for the comparison with recorded placeholders. */
export interface LiveRedaction {
  redact(json: JsonText): JsonText;
  /**
   * Returns advice for a recorded placeholder whose live value is not redacted. `variable`: the environment variable in
   * the placeholder's name, if any.
   */
  advise(variable: string | undefined): string;
  /** Whether the played cassette has given secrets in place of placeholders. */
  hasGiven?: boolean;
  /** Credentials that the client sends in this run. Only these match the recorded placeholders of credentials. */
  sent?: SentCredentials;
  /** Live values bound to recorded placeholders in this run. Absent: a placeholder matches any secret at any place. */
  bindings?: SecretBindings;
}

/**
 * Returns the redaction of live values. Secrets in `given` are not redacted, because the played cassette contains them
 * in place of placeholders. `sources` are the sources of the redactor.
 */
export function liveRedaction(
  redactor: Redactor,
  given: SecretSource,
  advise: LiveRedaction['advise'],
  sources: Pick<RedactorOptions, 'env' | 'headers'>,
): LiveRedaction {
  const shown = new Set(Object.values(given));
  return {
    redact: (json) => redactor.revealed(redactor.json(json), (secret) => shown.has(secret)),
    advise,
    hasGiven: shown.size > 0,
    sent: sentCredentials(redactor, sources),
  };
}

/**
 * Replaces live strings that differ from recorded ones in redacted values only by the recorded strings. A placeholder
 * matches any live secret. Strings without a recorded placeholder are kept.
 */
export function withRecordedPlaceholders(
  recorded: unknown,
  live: unknown,
  redaction: LiveRedaction | undefined,
): unknown {
  if (redaction === undefined || recorded === undefined || live === undefined) return live;
  if (!redaction.hasGiven && !hasPlaceholder(jsonOf(recorded))) return live;
  return aligned(recorded, live, exactValue(redaction.redact(new JsonText(jsonOf(live)))), redaction);
}

/**
 * Returns a rule that masks secrets in the comparison of live and recorded requests. Empty for a cassette without
 * placeholders.
 */
export function maskSecretsOf({ events }: Cassette, redaction: LiveRedaction | undefined): Normalize[] {
  if (redaction === undefined || !hasRedactedMessages(events)) return [];
  return [maskSecrets({ json: redaction.redact })];
}

/** Returns `withRecordedPlaceholders` as a function for live answers. */
export function alignSecrets(redaction: LiveRedaction | undefined): AlignSecrets {
  return (recorded, live) => withRecordedPlaceholders(exactValue(recorded), exactValue(live), redaction);
}

function aligned(recorded: unknown, live: unknown, redacted: unknown, redaction: LiveRedaction): unknown {
  if (typeof recorded === 'string') return alignedText(recorded, live, redacted, redaction);
  if (Array.isArray(recorded) && Array.isArray(live) && Array.isArray(redacted))
    return live.map((item, index) => aligned(recorded[index], item, redacted[index], redaction));
  if (!isMembers(recorded) || !isMembers(live) || !isMembers(redacted)) return live;
  const safe = Object.entries(redacted);
  const keys = new Map(Object.keys(recorded).map((key) => [equalizePlaceholders(key), key]));
  return Object.fromEntries(
    Object.entries(live).map(([key, item], index) => {
      const [safeKey, safeItem] = safe[index] ?? [key, item];
      const equal = safeKey === key ? key : (keys.get(equalizePlaceholders(safeKey)) ?? key);
      const name = withForeign(equal, safeKey, redaction.sent) ?? equal;
      const before = Object.hasOwn(recorded, name) ? recorded[name] : undefined;
      return [name, aligned(before, item, safeItem, redaction)];
    }),
  );
}

function alignedText(recorded: string, live: unknown, redacted: unknown, redaction: LiveRedaction): unknown {
  const { sent, bindings } = redaction;
  if (typeof redacted !== 'string') return live;
  const literal = withLiteral(recorded, live, redaction);
  if (literal !== undefined) return literal;
  // Redaction writes a given secret as the cassette has it, in place of base64url or other spellings of the server.
  if (!hasPlaceholder(recorded)) return redaction.hasGiven && redacted === recorded ? recorded : live;
  const foreign = withForeign(recorded, redacted, sent);
  if (foreign !== undefined) return foreign;
  if (equalizePlaceholders(recorded) === equalizePlaceholders(redacted))
    return (bindings && withBoundPlaceholder(recorded, { live, redacted, bindings })) ?? recorded;
  const [before, after] = [placeholdersIn(recorded), placeholdersIn(redacted)];
  // Placeholders get their recorded numbers, so that only the real differences are shown.
  if (after.length === 0 || before.length !== after.length) return live;
  return applyEdits(
    redacted,
    after.map(({ start, end }, index) => ({ start, end, text: placeholderOf(before[index]!.name, before[index]!.n) })),
  );
}

interface LiveText {
  live: unknown;
  redacted: string;
  bindings: SecretBindings;
}

/**
 * Binds the secrets of a live text that differs in redacted values only. On a conflict with an earlier binding, returns
 * the recorded text with the conflicting placeholder. Otherwise returns undefined.
 */
function withBoundPlaceholder(recorded: string, { live, redacted, bindings }: LiveText): string | undefined {
  const [before, now] = [secretsInText(recorded, recorded), secretsInText(redacted, String(live))];
  const conflict = bindings.conflict(before, now);
  if (conflict === undefined) {
    bindings.bind(before, now);
    return undefined;
  }
  const text = conflict.bound ?? OTHER_VALUE;
  const place = placeholdersIn(recorded)[conflict.index];
  if (place !== undefined) return applyEdits(recorded, [{ ...place, text }]);
  const other = allPlaceholdersIn(recorded)[conflict.index];
  return withEncoded(recorded, (one) => one.name === other?.name && one.n === other.n, text);
}

/**
 * Replaces the base64 and hexadecimal runs with placeholders that `isOne` accepts by `[encoded …]`, so that a difference
 * shows the text around them.
 */
function withEncoded(text: string, isOne: (placeholder: SecretName) => boolean, shown: string): string {
  const runs = encodedEdits(text, (one) => (isOne(one) ? shown : undefined));
  const edits = runs.map((run) => ({ ...run, text: `[encoded ${shown}]` }));
  return edits.length === 0 ? shown : applyEdits(text, edits);
}

type SecretName = Pick<Placeholder, 'name' | 'n'>;

/** Placeholder shown for a live secret that differs from the client's credential. */
const FOREIGN = placeholderOf('another-secret', 1);

/**
 * Replaces live secrets in the places of client credentials by `FOREIGN`, if they are not those credentials. Undefined
 * if there are none.
 */
function withForeign(recorded: string, redacted: string, sent: SentCredentials | undefined): string | undefined {
  if (sent === undefined || sent.size === 0) return undefined;
  const isForeign = (one: SecretName | undefined, there: SecretName | undefined) => {
    const allowed = one && sent.get(credentialKey(one));
    return allowed !== undefined && there !== undefined && !allowed.has(placeholderOf(there.name, there.n));
  };
  const [before, after] = [placeholdersIn(recorded), placeholdersIn(redacted)];
  const foreign = after.filter((there, index) => isForeign(before[index], there));
  if (foreign.length > 0)
    return applyEdits(
      redacted,
      foreign.map(({ start, end }) => ({ start, end, text: FOREIGN })),
    );
  const [encoded, now] = [findEncodedPlaceholders(recorded), findEncodedPlaceholders(redacted)];
  const others = now.filter((there, index) => isForeign(encoded[index], there));
  if (others.length === 0) return undefined;
  return withEncoded(redacted, (one) => others.some(({ name, n }) => name === one.name && n === one.n), FOREIGN);
}

/** Text that a difference shows for a placeholder that the server itself sends. */
const LITERAL = '[the placeholder itself]';

/** Reports whether an aligned live value has a placeholder that the server itself sent, in place of a known value. */
export function hasLiteralPlaceholder(live: unknown): boolean {
  return jsonOf(live)?.includes(LITERAL) ?? false;
}

/**
 * Replaces placeholders that the server itself sends by `LITERAL`, if their values are known: given, bound to a value of
 * this run, or sent by the client in a header. Undefined if there are none.
 */
function withLiteral(recorded: string, live: unknown, redaction: LiveRedaction): string | undefined {
  if (typeof live !== 'string' || !hasPlaceholder(live)) return undefined;
  const { hasGiven = false, sent, bindings } = redaction;
  const nameOf = ({ name, n }: SecretName) => placeholderOf(name, n);
  const expected = new Set(allPlaceholdersIn(recorded).map(nameOf));
  const bound = new Set(bindings?.boundPlaceholders());
  const isKnown = (one: SecretName) =>
    expected.has(nameOf(one)) ? bound.has(nameOf(one)) || sent?.has(credentialKey(one)) === true : hasGiven;
  if (findEncodedPlaceholders(live).some(isKnown)) return withEncoded(live, isKnown, LITERAL);
  const known = placeholdersIn(live).filter(isKnown);
  if (known.length === 0) return undefined;
  return applyEdits(
    live,
    known.map(({ start, end }) => ({ start, end, text: LITERAL })),
  );
}

/** Returns advice for recorded placeholders whose live values differ. Empty if there are none. */
export function placeholderAdvice(recorded: unknown, live: unknown, redaction: LiveRedaction | undefined): string[] {
  if (redaction === undefined) return [];
  const literal = differences(recorded, live).find(({ live: after }) => hasLiteralPlaceholder(after));
  if (literal !== undefined)
    return [`The server sent a placeholder of the cassette itself at ${literal.path}, in place of its value.`];
  if (!hasPlaceholder(jsonOf(recorded) ?? '')) return [];
  const foreign = differences(recorded, live).find(({ live: after }) => jsonOf(after)?.includes(FOREIGN));
  if (foreign !== undefined)
    return [
      `The server said another secret at ${foreign.path}, where the cassette has the credential that this run sends in a header.`,
    ];
  const other = otherPlaceholder(recorded, live);
  if (other !== undefined) return [other];
  const left = differences(recorded, live).find(({ recorded: before, live: after }) => {
    return typeof before === 'string' && after !== undefined && hasValueInPlace(before, String(after));
  });
  if (left === undefined) return [];
  const advice = redaction.advise(variablesIn(String(left.recorded))[0]);
  return [`The cassette has a redacted value at ${left.path}, where nothing is redacted now. ${advice}`];
}

/** Returns the sentence about a live secret whose placeholder differs from the recorded one. */
function otherPlaceholder(recorded: unknown, live: unknown): string | undefined {
  for (const { path, recorded: before, live: after } of differences(recorded, live)) {
    if (typeof before !== 'string' || typeof after !== 'string') continue;
    const names = [before, after].map((text) => allPlaceholdersIn(text).map(({ name, n }) => placeholderOf(name, n)));
    const [expected = [], actual = []] = names;
    const index = expected.findIndex((one, at) => one !== actual[at]);
    if (after.includes(OTHER_VALUE))
      return `The server said another value than before for ${expected[index]} at ${path}.`;
    if (actual.length !== expected.length || index < 0) continue;
    return `The server said for ${expected[index]} at ${path} the value that it said for ${actual[index]}.`;
  }
  return undefined;
}

/** Lengths of the compared text on both sides of a placeholder. */
const [BEFORE_LENGTH, AFTER_LENGTH] = [8, 2];

/**
 * Reports whether a live text has a clear value in place of a recorded placeholder, with the same text around it. If
 * other text differs, a missing redaction is not the cause.
 */
function hasValueInPlace(recorded: string, live: string): boolean {
  if (hasPlaceholder(live)) return false;
  const spans = placeholdersIn(recorded);
  return spans.some(({ start, end }, index) => {
    const [from, to] = [spans[index - 1]?.end ?? 0, spans[index + 1]?.start ?? recorded.length];
    const before = recorded.slice(Math.max(from, start - BEFORE_LENGTH), start);
    const after = recorded.slice(end, Math.min(to, end + AFTER_LENGTH));
    const at = start <= BEFORE_LENGTH ? (live.startsWith(before) ? 0 : -1) : live.indexOf(before);
    if (at < 0) return false;
    const value = live.slice(at + before.length);
    return after === '' ? value !== '' : value.indexOf(after, 1) > 0;
  });
}

function hasPlaceholder(text: string): boolean {
  return equalizePlaceholders(text) !== text;
}

/** Reports whether a compared value is an object of JSON. */
export function isMembers(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof ExactNumber);
}
