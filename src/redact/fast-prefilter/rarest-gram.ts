import { TRIGRAM } from './trigram-scan.ts';

/** Pairs of letters that every text has. The first look passes by all others fast. */
const COMMON_PAIRS: ReadonlySet<string> = new Set(
  `re er th st in or te co se ed me at de et an ne ro nt it ss le as io ea tr ha ve s. rt ri po li ar ec ca ce ct ta ge es en
  on ti is he al ou ng hi to of nd ra el id ot na sc xt pa ho tp me ma la lo us un ag ke sa ut om ur if so ac ni`.split(
    /\s+/,
  ),
);

/** Where in `start` the gram begins that is met least: first by its pairs, then one with letters and others in it. A line of dashes has no such pair. */
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
