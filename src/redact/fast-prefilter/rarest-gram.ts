import { TRIGRAM } from './trigram-scan.ts';

/** Frequent letter pairs. The prefilter skips trigrams without marked pairs fast. */
const COMMON_PAIRS: ReadonlySet<string> = new Set(
  `re er th st in or te co se ed me at de et an ne ro nt it ss le as io ea tr ha ve s. rt ri po li ar ec ca ce ct ta ge es en
  on ti is he al ou ng hi to of nd ra el id ot na sc xt pa ho tp me ma la lo us un ag ke sa ut om ur if so ac ni`.split(
    /\s+/,
  ),
);

/**
 * Returns the offset of the rarest trigram in `start`. Few frequent pairs count first, then mixed letters and other
 * characters. Repeated punctuation is avoided, because drawn lines contain it.
 */
export function rarestGram(start: string): number {
  let rarest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at + TRIGRAM <= start.length; at++) {
    const gram = start.slice(at, at + TRIGRAM).toLowerCase();
    const pairs = [gram.slice(0, 2), gram.slice(1)].filter((pair) => COMMON_PAIRS.has(pair)).length;
    const isMixed = /[a-z]/.test(gram) && /[^a-z]/.test(gram);
    const isDrawn = /([^a-z\d])\1/.test(gram);
    const cost = 2 * pairs + (isMixed ? 0 : 1) + (isDrawn ? 4 : 0);
    if (cost < least) [rarest, least] = [at, cost];
  }
  return rarest;
}
