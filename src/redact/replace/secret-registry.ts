import { isDistinctive } from '../detect/plausibility.ts';
import type { KnownValues } from './known-values.ts';
import { type Placeholder, placeholderOf } from './placeholder-format.ts';
import { placeholderName } from './placeholders.ts';
import { type Spelling, spellingsOf, urlDecodings } from './secret-spellings.ts';

/**
 * Maximum number of registered values, counting each spelling. Further values are redacted where they are detected, but
 * not searched elsewhere.
 */
const VALUES_MAX = 100_000;

/** Maximum total length of all registered values, in characters. */
const LENGTH_MAX = 16 * 1024 * 1024;

/** Maximum reserved number. Placeholders have at most nine digits, so enough numbers are left for all values. */
const RESERVED_MAX = 899_999_999;

/** Public data of a secret. Never contains the secret itself. */
export interface RegisteredSecret {
  /** Absent: no data had the secret so far. */
  placeholder?: string;
  /** Variable, key or kind of token by which the secret was found. */
  name: string;
  /** Whether the secret is replaced everywhere. Common words are replaced only where they were detected as secrets. */
  everywhere: boolean;
}

/** Registry of all known secrets. Equal values have equal placeholders. */
export class SecretRegistry {
  readonly #needles: Pick<KnownValues, 'add'>;
  readonly #byValue = new Map<string, RegisteredSecret>();
  readonly #counts = new Map<string, number>();
  /** Names of placeholders that this registry did not create. */
  readonly #reserved = new Set<string>();
  readonly #learnt: RegisteredSecret[] = [];
  /** Placeholder → secret, in the spelling of its first occurrence. */
  readonly #values = new Map<string, string>();
  #length = 0;
  #isAwaitingUse = false;

  constructor(needles: Pick<KnownValues, 'add'>) {
    this.#needles = needles;
  }

  /**
   * Registers secrets of the surroundings, such as environment variables. Each gets its number when data contain it, so
   * that numbers do not depend on the surroundings.
   */
  registerAhead(register: () => void): void {
    this.#isAwaitingUse = true;
    register();
    this.#isAwaitingUse = false;
  }

  /** Secrets in order of their registration. */
  get learnt(): readonly RegisteredSecret[] {
    return this.#learnt;
  }

  /**
   * Returns the placeholder of `value`. Its name is the first `name` given for the value. In a full registry, all
   * further values of a name share one placeholder. A value that is registered ahead has none yet: then the result is
   * empty.
   */
  placeholder(name: string, value: string): string {
    const known = this.#byValue.get(value);
    if (known !== undefined) return this.#used(known, value);
    const [plain, ...encoded] = urlDecodings(value);
    const secret = this.#byValue.get(plain) ?? this.#learn(placeholderName(name), plain);
    if (secret === undefined) return placeholderOf(placeholderName(name), VALUES_MAX + 1);
    const placeholder = this.#used(secret, value);
    for (const spelling of encoded)
      if (!this.#byValue.has(spelling)) this.#keep(spelling, secret, [[spelling, String]]);
    return placeholder;
  }

  /** Returns the secret of `placeholder`. Undefined for a placeholder of another registry. */
  valueOf(placeholder: string): string | undefined {
    return this.#values.get(placeholder);
  }

  #learn(name: string, value: string): RegisteredSecret | undefined {
    const secret: RegisteredSecret = { name, everywhere: isDistinctive(value) };
    if (!this.#keep(value, secret, spellingsOf(value))) return undefined;
    this.#learnt.push(secret);
    return secret;
  }

  /** Returns the placeholder of a secret that data contain, with the next number at its first use. */
  #used(secret: RegisteredSecret, value: string): string {
    if (secret.placeholder !== undefined || this.#isAwaitingUse) return secret.placeholder ?? '';
    const { name } = secret;
    const n = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, n);
    secret.placeholder = placeholderOf(name, n);
    this.#values.set(secret.placeholder, value);
    return secret.placeholder;
  }

  /** Registers a value with its spellings. False: the registry is full. */
  #keep(value: string, secret: RegisteredSecret, spellings: readonly Spelling[]): boolean {
    if (this.#byValue.size >= VALUES_MAX || this.#length + value.length > LENGTH_MAX) return false;
    this.#byValue.set(value, secret);
    this.#length += value.length;
    if (isDistinctive(value))
      for (const [spelling, encode] of spellings) this.#needles.add(spelling, () => encode(this.#used(secret, value)));
    return true;
  }

  /** Reports whether the text before redaction already had a placeholder with this name. */
  isReserved(name: string): boolean {
    return this.#reserved.has(placeholderName(name));
  }

  /** Reserves the numbers of placeholders in the text before redaction. */
  reserve(placeholders: readonly Placeholder[]): void {
    for (const { name, n } of placeholders) {
      if (this.#reserved.size < VALUES_MAX && !this.#values.has(placeholderOf(name, n))) this.#reserved.add(name);
      const isNew = n > (this.#counts.get(name) ?? 0) && n <= RESERVED_MAX;
      if (isNew && (this.#counts.size < VALUES_MAX || this.#counts.has(name))) this.#counts.set(name, n);
    }
  }
}
