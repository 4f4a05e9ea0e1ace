import type { Cassette } from '../../cassette/cassette.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { allPlaceholdersIn, findEncodedPlaceholders } from '../../redact/decode/find-encoded-placeholders.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { equalizePlaceholders } from '../../redact/replace/equalize-placeholders.ts';
import { type Placeholder, placeholderOf, placeholdersIn } from '../../redact/replace/placeholder-format.ts';
import { encodedEdits } from '../../redact/replace/restore-secrets.ts';
import { applyEdits } from '../../redact/replace/text-edit.ts';
import { secretsInText } from '../../replay/match/label-placeholders-in-text.ts';
import { SecretBindings } from '../../replay/match/secret-bindings.ts';

type Redact = (json: JsonText) => JsonText;

/**
 * Binds the secrets that were given: the messages of `played` have them in place of the placeholders of the cassette.
 */
export function bindGivenSecrets(
  cassette: Cassette,
  { played, redact, bindings }: { played: readonly PlayedMessage[]; redact: Redact; bindings: SecretBindings },
): void {
  const recorded = new Map(messagesOf(cassette).map(({ line, json }) => [line, json]));
  for (const { line, json } of played) {
    const written = recorded.get(line);
    if (json === undefined || written === undefined || written.text === json.text) continue;
    const now = stringsIn(json.value);
    const redacted = stringsIn(redact(json).value);
    for (const [index, before] of stringsIn(written.value).entries())
      bindText(before, { now: now[index] ?? '', redacted: redacted[index] ?? '', bindings });
  }
}

/** Binds the secrets of one string, if they stand in the same order before and after redaction. */
function bindText(before: string, { now, redacted, bindings }: PlayedText): void {
  if (before === now) return;
  const secrets = [secretsInText(before, before), secretsInText(redacted, now)] as const;
  // Encoded placeholders come last in a list of placeholders, and redaction may leave out the encoding.
  const arePlain = [before, redacted].every((text) => findEncodedPlaceholders(text).length === 0);
  const isEqual = equalizePlaceholders(before) === equalizePlaceholders(redacted);
  if (isEqual || (arePlain && secrets[0].length === secrets[1].length)) bindings.bind(...secrets);
}

/** A string of a played message, before and after redaction. */
interface PlayedText {
  now: string;
  redacted: string;
  bindings: SecretBindings;
}

/** Returns all keys and single values of a message as strings, in order. */
function stringsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  if (!isObject(value)) return [String(value)];
  return Object.entries(value).flatMap(([key, item]) => [key, ...stringsIn(item)]);
}

/** A message of the played cassette. */
type PlayedMessage = Pick<SessionEntry, 'line' | 'json'>;

function messagesOf({ events }: Cassette): (PlayedMessage & { json: JsonText })[] {
  return events.flatMap(({ line, frame }) => (frame.kind === 'message' ? [{ line, json: frame.json }] : []));
}

/** A redaction that names secrets as the cassette does, and the values of its placeholders. */
export interface RecordedNames {
  redact: Redact;
  bindings: SecretBindings;
}

/**
 * Returns a redaction of what is shown, with the placeholders of the cassette: those of given secrets, and those that a
 * comparison binds. No other value has a placeholder of the cassette.
 */
export function recordedNames(
  cassette: Cassette,
  { played, redactor }: { played: Cassette; redactor: Pick<Redactor, 'json' | 'text'> },
): RecordedNames {
  const bindings = new SecretBindings();
  // The redactor leaves the numbers of placeholders that it has seen to them.
  for (const { json } of messagesOf(cassette))
    redactor.text(
      allPlaceholdersIn(json.text)
        .map(({ name, n }) => placeholderOf(name, n))
        .join(' '),
    );
  bindGivenSecrets(cassette, { played: messagesOf(played), redact: redactor.json, bindings });
  const redact = redactAsRecorded(cassette, redactor.json, bindings);
  const recorded = recordedTexts(cassette, messagesOf(played));
  return { redact: (json) => withRecordedTexts(json, redact(json), recorded), bindings };
}

/** Returns the strings of the cassette by the strings of the played messages, which have secrets in them. */
function recordedTexts(cassette: Cassette, played: readonly PlayedMessage[]): ReadonlyMap<string, string> {
  const now = new Map(played.map(({ line, json }) => [line, json]));
  const texts = new Map<string, string>();
  for (const { line, json } of messagesOf(cassette)) {
    const given = now.get(line);
    if (given === undefined || given.text === json.text) continue;
    const strings = stringsIn(given.value);
    for (const [index, before] of stringsIn(json.value).entries()) {
      const text = strings[index];
      if (text !== undefined && text !== before && !texts.has(text)) texts.set(text, before);
    }
  }
  return texts;
}

/** Returns the redacted message with each string that the cassette has as the cassette has it. */
function withRecordedTexts(json: JsonText, redacted: JsonText, recorded: ReadonlyMap<string, string>): JsonText {
  if (redacted === json || recorded.size === 0) return redacted;
  const asRecorded = (shown: unknown, safe: unknown): unknown => {
    if (typeof shown === 'string') return recorded.get(shown) ?? safe;
    if (Array.isArray(shown) && Array.isArray(safe)) return safe.map((item, index) => asRecorded(shown[index], item));
    if (!isObject(shown) || !isObject(safe)) return safe;
    const members = Object.entries(shown);
    return Object.fromEntries(
      Object.entries(safe).map(([key, item], index) => [
        recorded.get(members[index]?.[0] ?? key) ?? key,
        asRecorded(members[index]?.[1], item),
      ]),
    );
  };
  return new JsonText(JSON.stringify(asRecorded(json.value, redacted.value)));
}

/**
 * Returns a redaction for values written to a cassette. A known secret gets its recorded placeholder. A new secret gets
 * a number that the cassette does not use yet.
 */
export function redactAsRecorded({ events }: Cassette, redact: Redact, bindings: SecretBindings): Redact {
  const counts = new Map<string, number>();
  for (const { frame } of events) {
    const placeholders = frame.kind === 'message' ? allPlaceholdersIn(frame.json.text) : [];
    for (const { name, n } of placeholders) counts.set(name, Math.max(counts.get(name) ?? 0, n));
  }
  const added = new Map<string, string>();
  const fresh = (name: string) => {
    const n = (counts.get(name) ?? 0) + 1;
    counts.set(name, n);
    return placeholderOf(name, n);
  };
  return (json) => {
    const redacted = redact(json);
    if (redacted === json) return json;
    const own = new Set(allPlaceholdersIn(json.text).map(({ name, n }) => placeholderOf(name, n)));
    const recordedFor = ({ name, n }: Pick<Placeholder, 'name' | 'n'>) => {
      const live = placeholderOf(name, n);
      if (own.has(live)) return undefined;
      const text = bindings.recordedPlaceholder(live) ?? added.get(live) ?? fresh(name);
      added.set(live, text);
      return text;
    };
    const edits = placeholdersIn(redacted.text).flatMap((placeholder) => {
      const text = recordedFor(placeholder);
      return text === undefined ? [] : [{ ...placeholder, text }];
    });
    return new JsonText(applyEdits(redacted.text, [...edits, ...encodedEdits(redacted.text, recordedFor)]));
  };
}
