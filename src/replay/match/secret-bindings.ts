import { canonicalJson } from '../../match/canonical-json.ts';
import { type Ignore, numberedRules } from '../../match/ignore-rules.ts';
import { type Difference, differences } from '../../match/json-difference.ts';
import { identityOf } from '../../match/request-identity.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { MASKED, NUMBERED_SECRET } from '../../redact/comparison-mask-format.ts';

/** Comparable form of a message: a key with masked secrets, and the secrets in order. */
export interface ComparedForm {
  key: string;
  secrets: readonly string[];
}

/** Returns the form of a request or notification, without the parts that `ignore` names. */
export function comparedForm(json: JsonText, ignore: readonly Ignore[]): ComparedForm {
  return formOf(identityOf(json, numberedRules(ignore)).key);
}

function formOf(numbered: string): ComparedForm {
  const secrets = numbered.match(NUMBERED_SECRET) ?? [];
  return { key: secrets.length === 0 ? numbered : numbered.replace(NUMBERED_SECRET, MASKED), secrets };
}

/** A live secret that stands in the position of a placeholder, although the placeholder is bound to another value. */
export interface SecretConflict {
  /** Position among the secrets of the message. */
  index: number;
  /** The recorded placeholder. Absent if the cassette contains the value in clear. */
  recorded?: string;
  /** The placeholder bound to the live value. Absent if the live value is not bound yet. */
  bound?: string;
  /** Whether this session gave the client the placeholder, which the client has to send. */
  isGiven?: true;
}

/**
 * Binds each recorded placeholder of a session to the live value of its first match. A placeholder stands for exactly
 * one value, and a value has exactly one placeholder.
 */
export class SecretBindings {
  readonly #placeholderOf = new Map<string, string>();
  readonly #valueOf = new Map<string, string>();
  /** Placeholders that the live peer has received, and that it has not sent another value for before. */
  readonly #given = new Set<string>();

  /** Returns the first live secret that conflicts with its recorded counterpart. Undefined if no secret conflicts. */
  conflict(recorded: readonly string[], live: readonly string[]): SecretConflict | undefined {
    const [placeholders, values] = [new Map<string, string>(), new Map<string, string>()];
    for (const [index, before] of recorded.entries()) {
      const now = live[index];
      // Equal secrets never conflict: a repeated placeholder is its own counterpart, and so is a value in clear.
      if (now === before) continue;
      const isBindable = isPlaceholder(before) && now !== undefined && !isPlaceholder(now);
      const bound = now === undefined ? undefined : isPlaceholder(now) ? now : this.#bound(now, placeholders);
      if (bound === before) continue;
      const value = this.#valueOf.get(before) ?? values.get(before);
      const isGiven = value === undefined && this.#given.has(before);
      if (!isBindable || bound !== undefined || value !== undefined || isGiven)
        return {
          index,
          ...(isGiven && { isGiven }),
          ...(isPlaceholder(before) && { recorded: shown(before) }),
          ...(bound !== undefined && { bound: shown(bound) }),
        };
      placeholders.set(now, before);
      values.set(before, now);
    }
    return undefined;
  }

  /** Binds the secrets of a live message to those of the recorded message that it matches. */
  bind(recorded: readonly string[], live: readonly string[]): void {
    for (const [index, before] of recorded.entries()) {
      const now = live[index];
      if (now === undefined || !isPlaceholder(before) || isPlaceholder(now)) continue;
      this.#placeholderOf.set(now, before);
      this.#valueOf.set(before, now);
    }
  }

  /**
   * Notes that the live peer receives a placeholder, such as `[redacted:customer:1]`. It has to send this text, as it has to
   * send an id, unless it has sent a value of its own before.
   */
  give(placeholder: string): void {
    const recorded = placeholder.replace('[redacted:', '[recorded ');
    if (!this.#valueOf.has(recorded)) this.#given.add(recorded);
  }

  /** Returns the recorded secrets bound to the secrets `live`. Undefined if any of them is not bound. */
  recordedOf(live: readonly string[]): string[] | undefined {
    const known = live.map((now) => (isPlaceholder(now) ? now : this.#placeholderOf.get(now)));
    return known.every((one) => one !== undefined) ? known : undefined;
  }

  /** Returns the recorded placeholders that have a live value, in the order in which they got it. */
  boundPlaceholders(): string[] {
    return [...this.#valueOf.keys()].map(shown);
  }

  /** Returns the recorded placeholder of a value that has the placeholder `live` in this run. Undefined: none. */
  recordedPlaceholder(live: string): string | undefined {
    const bound = this.#placeholderOf.get(live.replace('[redacted:', '[live '));
    return bound && shown(bound);
  }

  #bound(now: string, inMessage: ReadonlyMap<string, string>): string | undefined {
    return this.#placeholderOf.get(now) ?? inMessage.get(now);
  }
}

/** Differences of two messages that are equal apart from their secret values. */
export interface SecretDifferences {
  conflict: SecretConflict;
  differences: Difference[];
  /** The messages, with a placeholder for each secret. */
  recorded: unknown;
  live: unknown;
}

/**
 * Returns the differences between two values in numbered form that differ in secrets only. Undefined if the values are
 * equal, or differ in other parts.
 */
export function secretDifferences(
  recorded: unknown,
  live: unknown,
  bindings: SecretBindings,
): SecretDifferences | undefined {
  const [before, now] = [formOf(canonicalJson(recorded)), formOf(canonicalJson(live))];
  const conflict = before.key === now.key ? bindings.conflict(before.secrets, now.secrets) : undefined;
  if (conflict === undefined) return undefined;
  const names = new Map<string, string>();
  for (const [index, secret] of now.secrets.entries()) {
    const placeholder = index === conflict.index ? (conflict.bound ?? OTHER_VALUE) : shown(before.secrets[index]!);
    if (!names.has(secret)) names.set(secret, placeholder);
  }
  const [expected, actual] = [named(recorded, new Map()), named(live, names)];
  return { conflict, differences: differences(expected, actual), recorded: expected, live: actual };
}

/** Binds the secrets of two values in numbered form, if the values differ in nothing else. */
export function bindSecrets(recorded: unknown, live: unknown, bindings: SecretBindings): void {
  const [before, now] = [formOf(canonicalJson(recorded)), formOf(canonicalJson(live))];
  if (before.key === now.key) bindings.bind(before.secrets, now.secrets);
}

/** Text that a difference shows for a live value without a placeholder. */
export const OTHER_VALUE = '[another value]';

/** Returns the sentence about a conflict. It names both placeholders and never contains the secret value. */
export function conflictText({ recorded, bound, isGiven }: SecretConflict): string {
  if (isGiven) return `An earlier answer gave the client ${recorded}, and the client sends another value.`;
  if (recorded === undefined)
    return 'The client sends another secret than the one that the cassette has, that was given, or that this replay made up for a schema.';
  return bound === undefined
    ? `The client sends for ${recorded} another value than before.`
    : `The client sends for ${recorded} the value that it sent for ${bound}.`;
}

function named(value: unknown, names: ReadonlyMap<string, string>): unknown {
  const text = JSON.stringify(value).replace(NUMBERED_SECRET, (secret) => names.get(secret) ?? shown(secret));
  return JSON.parse(text);
}

function isPlaceholder(secret: string): boolean {
  return secret.startsWith('[recorded ');
}

/** Returns a secret as written in a cassette. The number of a live secret is left out: it means nothing to a reader. */
function shown(secret: string): string {
  if (secret.startsWith('[live ')) return MASKED;
  return secret.replace('[recorded ', '[redacted:');
}
