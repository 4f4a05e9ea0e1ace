import { placeholderOf, placeholdersIn } from '../../redact/replace/placeholder-format.ts';
import { isVariableName } from '../../redact/replace/placeholders.ts';

/**
 * Placeholders of merged cassettes. Each cassette counts its secrets from 1, so equal placeholders of two cassettes may
 * stand for different values. In one cassette they would be one value, and a peer that sends the wrong one would pass.
 */
export class FreshPlaceholders {
  /** The highest number of each name. */
  readonly #highest = new Map<string, number>();
  readonly #used = new Set<string>();
  /** Number of placeholders with a new number. */
  renumbered = 0;

  /**
   * Adds the texts of a further cassette. Returns the new placeholder of each one that an earlier cassette has. That of
   * an environment variable keeps its number, and so do those in `common`, which all cassettes share.
   */
  add(texts: readonly string[], common: readonly string[]): ReadonlyMap<string, string> {
    const shared = new Set(common.flatMap(placeholdersIn).map(({ name, n }) => placeholderOf(name, n)));
    const own = new Map(texts.flatMap(placeholdersIn).map((found) => [placeholderOf(found.name, found.n), found]));
    for (const { name, n } of own.values()) this.#highest.set(name, Math.max(this.#highest.get(name) ?? 0, n));
    const changes = new Map<string, string>();
    const ofThis: string[] = [];
    for (const [placeholder, { name }] of own) {
      const isFree = !this.#used.has(placeholder) || shared.has(placeholder) || isVariableName(name);
      const fresh = isFree ? placeholder : this.#freshFor(name);
      ofThis.push(fresh);
      if (!isFree) changes.set(placeholder, fresh);
    }
    // Noted last: each one is new against earlier cassettes only.
    for (const one of ofThis) this.#used.add(one);
    this.renumbered += changes.size;
    return changes;
  }

  #freshFor(name: string): string {
    const n = this.#highest.get(name)! + 1;
    this.#highest.set(name, n);
    return placeholderOf(name, n);
  }
}
