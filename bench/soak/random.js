/** Chance that can be had again: the same draws for the same seed (mulberry32). */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed | 0;
  }

  /** From 0 to below 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `max`. */
  below(max) {
    return Math.floor(this.next() * max);
  }

  one(choices) {
    return choices[this.below(choices.length)];
  }

  /** Words of many scripts, now and then a lot of them, or ones that YAML would take for something else. */
  text() {
    const words = Array.from({ length: this.one([0, 1, 2, 3, 5, 8, this.one([1, 20, 400, 4000])]) }, () =>
      this.one(WORDS),
    );
    return words.join(this.one([' ', ' ', '\n', '\r\n', '\t', '']));
  }

  value(depth = 0) {
    const kind = this.below(depth > 3 ? 4 : 6);
    if (kind === 0) return this.one([0, -0.5, 1e300, 7, true, false, null]);
    if (kind < 4) return this.text();
    const length = this.below(5);
    if (kind === 4) return Array.from({ length }, () => this.value(depth + 1));
    return Object.fromEntries(Array.from({ length }, (_, n) => [`${this.one(WORDS)}${n}`, this.value(depth + 1)]));
  }
}

/** None of them names a credential: a cassette would not keep what follows one. */
const WORDS =
  'lorem yes no ~ null 1.0 0x1F 2024-01-01 << - ? : # & * ! | > % @ ` \' " \\ {} [] , é 漢字 🦀 \u2028 \u0085 \ufeff - # item: value "quoted'.split(
    ' ',
  );
