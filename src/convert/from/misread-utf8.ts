/**
 * Restores UTF-8 text that was decoded as Windows-1252: `â€“` becomes `–`. Other text stays unchanged. Chromium stores
 * event streams this way in a HAR, unless their type names a charset.
 */
export function misreadUtf8(text: string): string {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const byte = BYTES.get(text[index]!);
    if (byte === undefined) return text;
    bytes[index] = byte;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return text;
  }
}

/** Characters of the bytes 0x80 to 0x9f in Windows-1252. Its other characters equal those of Unicode. */
const FROM_0X80 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => [FROM_0X80[byte - 0x80] ?? String.fromCharCode(byte), byte]),
);
