import { isDistinctive } from '../detect/plausibility.ts';
import type { KnownValues } from './known-values.ts';
import { type Placeholder, placeholderName, placeholderOf } from './placeholders.ts';

/** More values than this, each spelling of one counted, are still redacted where they are found, and no longer looked for elsewhere. */
const VALUES_MAX = 100_000;

/** Maximum length of all kept values together, in characters. */
const LENGTH_MAX = 16 * 1024 * 1024;

/** Behind this one there is room for a number of each value: a placeholder has nine digits at most. */
const RESERVED_MAX = 899_999_999;

/** A value is decoded this many times at most. */
const DECODED_MAX = 8;

/** What a redactor says of a secret. Never the secret itself. */
export interface RegisteredSecret {
  placeholder: string;
  /** The variable, key or kind of token that it was learnt by. */
  name: string;
  /** Whether it is looked for everywhere; otherwise it is too common a word, and only redacted where it was found. */
  everywhere: boolean;
}

/** Every secret met so far. The same value always has the same placeholder. */
export class SecretRegistry {
  readonly #needles: Pick<KnownValues, 'add'>;
  readonly #byValue = new Map<string, RegisteredSecret>();
  readonly #counts = new Map<string, number>();
  readonly #learnt: RegisteredSecret[] = [];
  /** Placeholder → its secret, as it was written where it was first met. */
  readonly #values = new Map<string, string>();
  #length = 0;

  constructor(needles: Pick<KnownValues, 'add'>) {
    this.#needles = needles;
  }

  /** In the order in which they were met. */
  get learnt(): readonly RegisteredSecret[] {
    return this.#learnt;
  }

  /**
   * Returns the placeholder of `value`. The first `name` of a value decides; without room, all values of a name share
   * one placeholder.
   */
  placeholder(name: string, value: string): string {
    const known = this.#byValue.get(value);
    if (known !== undefined) return known.placeholder;
    const [plain, ...encoded] = spellingsOf(value);
    const secret = this.#byValue.get(plain) ?? this.#learn(placeholderName(name), plain);
    if (secret === undefined) return placeholderOf(placeholderName(name), VALUES_MAX + 1);
    if (!this.#values.has(secret.placeholder)) this.#values.set(secret.placeholder, value);
    for (const spelling of encoded) if (!this.#byValue.has(spelling)) this.#keep(spelling, secret, [spelling]);
    return secret.placeholder;
  }

  /** Returns the secret of `placeholder`, if it is registered here. */
  valueOf(placeholder: string): string | undefined {
    return this.#values.get(placeholder);
  }

  #learn(name: string, value: string): RegisteredSecret | undefined {
    const n = (this.#counts.get(name) ?? 0) + 1;
    const secret = { placeholder: placeholderOf(name, n), name, everywhere: isDistinctive(value) };
    if (!this.#keep(value, secret, variantsOf(value))) return undefined;
    this.#counts.set(name, n);
    this.#learnt.push(secret);
    return secret;
  }

  /** Registers `value` with its spellings. Returns false if there is no room. */
  #keep(value: string, secret: RegisteredSecret, variants: readonly string[]): boolean {
    if (this.#byValue.size >= VALUES_MAX || this.#length + value.length > LENGTH_MAX) return false;
    this.#byValue.set(value, secret);
    this.#length += value.length;
    if (isDistinctive(value)) for (const variant of variants) this.#needles.add(variant, secret.placeholder);
    return true;
  }

  /** Keeps numbers apart from those of placeholders that were in the text before us. */
  reserve(placeholders: readonly Placeholder[]): void {
    for (const { name, n } of placeholders) {
      const isNew = n > (this.#counts.get(name) ?? 0) && n <= RESERVED_MAX;
      if (isNew && (this.#counts.size < VALUES_MAX || this.#counts.has(name))) this.#counts.set(name, n);
    }
  }
}

/** Returns the spellings of one value: plain first, then URL-encoded once and twice. */
function spellingsOf(value: string): [plain: string, ...encoded: string[]] {
  const spellings: [string, ...string[]] = [value];
  for (let times = 0; times < DECODED_MAX; times++) {
    const decoded = percentDecoded(spellings[0]);
    if (decoded === spellings[0]) break;
    spellings.unshift(decoded);
  }
  return spellings;
}

function percentDecoded(value: string): string {
  try {
    return value.includes('%') ? decodeURIComponent(value) : value;
  } catch {
    return value;
  }
}

/** Returns the spellings that are searched for directly. Other encodings are decoded before the search. */
function variantsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    value.replaceAll(' ', '+'),
    inHtml(value),
    bytes.toString('latin1'),
    bytes.toString('base64url'),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
  ];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function inHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
