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
  const text = start.toLowerCase();
  let rarest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; text.length > TRIGRAM && at + TRIGRAM <= text.length; at++) {
    const letters = letterAt(text, at) + letterAt(text, at + 1) + letterAt(text, at + 2);
    const cost =
      2 * (commonPairAt(text, at) + commonPairAt(text, at + 1)) +
      (letters % TRIGRAM === 0 ? 1 : 0) +
      (isDrawnAt(text, at) || isDrawnAt(text, at + 1) ? 4 : 0);
    if (cost < least) {
      rarest = at;
      least = cost;
    }
  }
  return rarest;
}

const commonPairAt = (text: string, at: number): number => (COMMON_PAIRS.has(text.slice(at, at + 2)) ? 1 : 0);

function letterAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 97 && code <= 122 ? 1 : 0;
}

/** Reports whether a character other than a letter or digit is repeated. */
function isDrawnAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const isDigit = code >= 48 && code <= 57;
  return !isDigit && letterAt(text, at) === 0 && code === text.charCodeAt(at + 1);
}
