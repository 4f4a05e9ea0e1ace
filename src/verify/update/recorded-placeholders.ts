import type { Cassette } from '../../cassette/cassette.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { allPlaceholdersIn } from '../../redact/decode/find-encoded-placeholders.ts';
import type { Redactor } from '../../redact/redactor.ts';
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
    const [before, now] = [written.text, redact(json).text];
    const secrets = [secretsInText(before, before), secretsInText(now, json.text)] as const;
    if (secrets[0].length === secrets[1].length) bindings.bind(...secrets);
  }
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
  return { redact: redactAsRecorded(cassette, redactor.json, bindings), bindings };
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
