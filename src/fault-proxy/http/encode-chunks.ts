const CR = 0x0d;
const LF = 0x0a;

/** Encodes each piece as a chunk (RFC 9112, 7.1). */
export function encodeChunks(pieces: readonly Uint8Array[]): Buffer {
  let size = 0;
  for (const { length } of pieces) size += length + digitsOf(length) + 4;
  const chunks = Buffer.allocUnsafe(size);
  let at = 0;
  for (const piece of pieces) {
    const digits = digitsOf(piece.length);
    for (let n = digits - 1; n >= 0; n--) chunks[at++] = HEX[(piece.length >>> (4 * n)) & 15]!;
    chunks[at++] = CR;
    chunks[at++] = LF;
    chunks.set(piece, at);
    at += piece.length;
    chunks[at++] = CR;
    chunks[at++] = LF;
  }
  return chunks;
}

const HEX = Buffer.from('0123456789abcdef');

/** Returns the number of hexadecimal digits of a length. */
function digitsOf(length: number): number {
  return length === 0 ? 1 : 8 - (Math.clz32(length) >> 2);
}
