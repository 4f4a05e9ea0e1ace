import { isReserved } from './plain.ts';

/** ASCII that may open a plain scalar. */
const OPENS = tableOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_/$(');

/** Printable ASCII that means nothing inside a plain scalar, nor in a JSON string. */
const MEANS_NOTHING = tableOf(
  `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 !$%&'()*+,-./;<=>?@[]^_\`{|}~`,
);

const SPACE = 0x20;
const HASH = 0x23;
const COLON = 0x3a;

/**
 * Whether the text from `start` up to `end` is plain ASCII that JSON has not to escape either: most keys and short
 * values are, and this says so faster than `isPlain`. False means only that the other has to be asked.
 */
export function isSimple(text: string, start: number, end: number): boolean {
  if (end - start > LENGTH_MAX || OPENS[text.charCodeAt(start)] !== 1) return false;
  for (let i = start + 1; i < end; i++) {
    const c = text.charCodeAt(i);
    if (MEANS_NOTHING[c] === 1) continue;
    const isMark =
      c === COLON ? i + 1 === end || text.charCodeAt(i + 1) === SPACE : text.charCodeAt(i - 1) === SPACE;
    if ((c !== COLON && c !== HASH) || isMark) return false;
  }
  return text.charCodeAt(end - 1) !== SPACE && !(end - start <= 5 && isReserved(text.slice(start, end)));
}

/** A loop over more than this is slower than native searches. */
const LENGTH_MAX = 200;

function tableOf(chars: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
}
