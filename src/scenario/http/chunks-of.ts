const CR = 0x0d;
const LF = 0x0a;

/** Each piece as a chunk of its own (RFC 9112, 7.1), one behind the other. */
export function chunksOf(pieces: readonly Uint8Array[]): Buffer {
  const heads = pieces.map(({ length }) => `${length.toString(16)}\r\n`);
  const length = pieces.reduce((sum, piece, n) => sum + heads[n]!.length + piece.length + 2, 0);
  const chunks = Buffer.allocUnsafe(length);
  let at = 0;
  for (const [n, piece] of pieces.entries()) {
    at += chunks.write(heads[n]!, at, 'latin1');
    chunks.set(piece, at);
    at += piece.length;
    chunks[at++] = CR;
    chunks[at++] = LF;
  }
  return chunks;
}
