import { ExactNumber, exactValue } from '../../match/exact-json-value.ts';
import { differences } from '../../match/json-difference.ts';
import { JsonText, jsonOf } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { equalizePlaceholders } from '../../redact/replace/equalize-placeholders.ts';
import { placeholderOf, placeholdersIn, variablesIn } from '../../redact/replace/placeholders.ts';
import type { SecretSource } from '../../redact/replace/restore-secrets.ts';
import { applyEdits } from '../../redact/replace/text-edit.ts';
import type { AlignSecrets } from '../../replay/tokens/returned-values.ts';

/** Redaction of live values, for their comparison with recorded placeholders. */
export interface LiveRedaction {
  redact(json: JsonText): JsonText;
  /**
   * Returns advice for a recorded placeholder where the live value is not redacted. `variable`: the environment
   * variable that the placeholder is named after, if it is named after one.
   */
  advise(variable: string | undefined): string;
}

/**
 * Returns the redaction of live values. Secrets in `given` stay: the played cassette has them in place of their
 * placeholders, so that they are compared.
 */
export function liveRedaction(redactor: Redactor, given: SecretSource, advise: LiveRedaction['advise']): LiveRedaction {
  const shown = new Set(Object.values(given));
  return { redact: (json) => redactor.revealed(redactor.json(json), (secret) => shown.has(secret)), advise };
}

/**
 * Returns `live` with the recorded strings in place of those that differ in redacted values only: a placeholder equals
 * any live secret. Strings without a recorded placeholder are compared as they are.
 */
export function withRecordedPlaceholders(
  recorded: unknown,
  live: unknown,
  redaction: LiveRedaction | undefined,
): unknown {
  if (redaction === undefined || recorded === undefined || live === undefined) return live;
  if (!hasPlaceholder(jsonOf(recorded))) return live;
  return aligned(recorded, live, exactValue(redaction.redact(new JsonText(jsonOf(live)))));
}

/** Returns the alignment of live answers by `withRecordedPlaceholders`. */
export function alignSecrets(redaction: LiveRedaction | undefined): AlignSecrets {
  return (recorded, live) => withRecordedPlaceholders(exactValue(recorded), exactValue(live), redaction);
}

function aligned(recorded: unknown, live: unknown, redacted: unknown): unknown {
  if (typeof recorded === 'string') return alignedText(recorded, live, redacted);
  if (Array.isArray(recorded) && Array.isArray(live) && Array.isArray(redacted))
    return live.map((item, index) => aligned(recorded[index], item, redacted[index]));
  if (!isMembers(recorded) || !isMembers(live) || !isMembers(redacted)) return live;
  const safe = Object.entries(redacted);
  const keys = new Map(Object.keys(recorded).map((key) => [equalizePlaceholders(key), key]));
  return Object.fromEntries(
    Object.entries(live).map(([key, item], index) => {
      const [safeKey, safeItem] = safe[index] ?? [key, item];
      const name = safeKey === key ? key : (keys.get(equalizePlaceholders(safeKey)) ?? key);
      const before = Object.hasOwn(recorded, name) ? recorded[name] : undefined;
      return [name, aligned(before, item, safeItem)];
    }),
  );
}

function alignedText(recorded: string, live: unknown, redacted: unknown): unknown {
  if (typeof redacted !== 'string' || !hasPlaceholder(recorded)) return live;
  if (equalizePlaceholders(recorded) === equalizePlaceholders(redacted)) return recorded;
  // The numbers of placeholders are no difference, so that only the others are shown.
  const [before, after] = [placeholdersIn(recorded), placeholdersIn(redacted)];
  if (after.length === 0 || before.length !== after.length) return live;
  return applyEdits(
    redacted,
    after.map(({ start, end }, index) => ({ start, end, text: placeholderOf(before[index]!.name, before[index]!.n) })),
  );
}

/** Returns advice for differences where only the recorded text has a placeholder. Empty: there are none. */
export function placeholderAdvice(recorded: unknown, live: unknown, redaction: LiveRedaction | undefined): string[] {
  if (redaction === undefined || !hasPlaceholder(jsonOf(recorded) ?? '')) return [];
  const left = differences(recorded, live).find(({ recorded: before, live: after }) => {
    if (typeof before !== 'string' || after === undefined || !hasPlaceholder(before)) return false;
    return typeof after !== 'string' || !hasPlaceholder(after);
  });
  if (left === undefined) return [];
  const advice = redaction.advise(variablesIn(String(left.recorded))[0]);
  return [`The cassette has a redacted value at ${left.path}, where nothing is redacted now. ${advice}`];
}

function hasPlaceholder(text: string): boolean {
  return equalizePlaceholders(text) !== text;
}

/** Reports whether a compared value is an object of JSON. */
export function isMembers(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof ExactNumber);
}
