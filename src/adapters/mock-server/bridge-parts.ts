/**
 * Parts that a mock server over stdio and the process that its client started, `bin/mock-stdio.js`, send each other: one
 * byte for the kind, four for the length (big-endian), and the data.
 */

/** Kind of a part: bytes of standard input or output or of standard error, the end of the former, or an exit status. */
export type PartKind = 'protocol' | 'stderr' | 'close' | 'exit';

const KINDS: readonly PartKind[] = ['protocol', 'stderr', 'close', 'exit'];
const HEAD_BYTES = 5;

/** Encodes a part. */
export function encodePart(kind: PartKind, data: Uint8Array = new Uint8Array(0)): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = KINDS.indexOf(kind);
  head.writeUInt32BE(data.length, 1);
  return Buffer.concat([head, data]);
}

/** Decodes parts, however their bytes are cut into pieces. */
export class PartDecoder {
  readonly #take: (kind: PartKind, data: Uint8Array) => void;
  #unread: Buffer = Buffer.alloc(0);

  constructor(take: (kind: PartKind, data: Uint8Array) => void) {
    this.#take = take;
  }

  write(piece: Uint8Array): void {
    this.#unread = this.#unread.length === 0 ? Buffer.from(piece) : Buffer.concat([this.#unread, piece]);
    while (this.#unread.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + this.#unread.readUInt32BE(1);
      if (this.#unread.length < end) return;
      const [kind, data] = [KINDS[this.#unread[0]!]!, this.#unread.subarray(HEAD_BYTES, end)];
      this.#unread = this.#unread.subarray(end);
      this.#take(kind, data);
    }
  }
}
