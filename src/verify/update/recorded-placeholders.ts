import type { Cassette } from '../../cassette/cassette.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { placeholderOf, placeholdersIn } from '../../redact/replace/placeholders.ts';
import { applyEdits } from '../../redact/replace/text-edit.ts';
import type { SecretBindings } from '../../replay/match/secret-bindings.ts';
import { secretsInText } from '../../replay/match/secrets-in-text.ts';

type Redact = (json: JsonText) => JsonText;

/**
 * Binds the secrets given to the played client to their placeholders. The entries `played` contain the secrets in place
 * of the cassette's placeholders.
 */
export function bindGivenSecrets(
  { events }: Cassette,
  { played, redact, bindings }: { played: readonly SessionEntry[]; redact: Redact; bindings: SecretBindings },
): void {
  const recorded = new Map(events.map(({ line, frame }) => [line, frame.kind === 'message' ? frame.json : undefined]));
  for (const { from, line, json } of played) {
    const written = recorded.get(line);
    if (from !== 'client' || json === undefined || written === undefined || written.text === json.text) continue;
    const [before, now] = [written, redact(json)].map(({ text }) => text) as [string, string];
    const secrets = [secretsInText(before, before), secretsInText(now, json.text)] as const;
    if (secrets[0].length === secrets[1].length) bindings.bind(...secrets);
  }
}

/**
 * Returns a redaction for values written to a cassette. A known secret gets its recorded placeholder. A new secret gets
 * a number that the cassette does not use yet.
 */
export function redactAsRecorded({ events }: Cassette, redact: Redact, bindings: SecretBindings): Redact {
  const counts = new Map<string, number>();
  for (const { frame } of events) {
    const placeholders = frame.kind === 'message' ? placeholdersIn(frame.json.text) : [];
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
    const own = new Set(placeholdersIn(json.text).map(({ name, n }) => placeholderOf(name, n)));
    const edits = placeholdersIn(redacted.text).flatMap(({ start, end, name, n }) => {
      const live = placeholderOf(name, n);
      if (own.has(live)) return [];
      const text = bindings.recordedPlaceholder(live) ?? added.get(live) ?? fresh(name);
      added.set(live, text);
      return [{ start, end, text }];
    });
    return new JsonText(applyEdits(redacted.text, edits));
  };
}
