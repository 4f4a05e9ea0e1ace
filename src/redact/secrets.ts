import type { Needles } from './needles.ts';
import { type Placeholder, placeholderName, placeholderOf } from './placeholder.ts';
import { isDistinctive } from './plausible.ts';

/** More values than this are still redacted where they are found, and no longer looked for elsewhere. */
const VALUES_MAX = 100_000;

/** What a redactor says of a secret. Never the secret itself. */
export interface Learnt {
  placeholder: string;
  /** The variable, key or kind of token that it was learnt by. */
  name: string;
  /** Whether it is looked for everywhere; otherwise it is too common a word, and only redacted where it was found. */
  everywhere: boolean;
}

/** Every secret met so far. The same value always has the same placeholder. */
export class Secrets {
  readonly #needles: Needles;
  readonly #byValue = new Map<string, Learnt>();
  readonly #counts = new Map<string, number>();

  constructor(needles: Needles) {
    this.#needles = needles;
  }

  get learnt(): readonly Learnt[] {
    return [...this.#byValue.values()];
  }

  /** What stands for `value` from now on. `name` counts the first time only. */
  placeholder(name: string, value: string): string {
    const known = this.#byValue.get(value);
    if (known !== undefined) return known.placeholder;
    const decoded = percentDecoded(value);
    if (decoded !== value) return this.#alias(value, this.placeholder(name, decoded));
    const plain = placeholderName(name);
    const n = (this.#counts.get(plain) ?? 0) + 1;
    this.#counts.set(plain, n);
    const everywhere = isDistinctive(value) && this.#byValue.size < VALUES_MAX;
    const secret = { placeholder: placeholderOf(plain, n), name: plain, everywhere };
    this.#byValue.set(value, secret);
    if (everywhere) for (const variant of variantsOf(value)) this.#needles.add(variant, secret.placeholder);
    return secret.placeholder;
  }

  #alias(value: string, placeholder: string): string {
    if (isDistinctive(value)) this.#needles.add(value, placeholder);
    return placeholder;
  }

  /** Keeps numbers apart from those of placeholders that were in the text before us. */
  reserve(placeholders: readonly Placeholder[]): void {
    for (const { name, n } of placeholders) if (n > (this.#counts.get(name) ?? 0)) this.#counts.set(name, n);
  }
}

/** One value, whether it was found as it is or as a URL spells it. */
function percentDecoded(value: string): string {
  try {
    return value.includes('%') ? decodeURIComponent(value) : value;
  } catch {
    return value;
  }
}

/** The spellings of a value that are looked for as they are; what is escaped or encoded with more around it is decoded first. */
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
