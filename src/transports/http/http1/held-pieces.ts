/** Pieces below this length are joined: each costs far more memory than its bytes. */
const SMALL_BYTES = 1024;
const SMALL_PIECES_MAX = 1024;

/** Bytes that arrived in pieces. Many tiny pieces take little more memory than their bytes. */
export class HeldPieces {
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** Number of small pieces at the end. */
  #small = 0;

  /** Number of bytes. */
  get length(): number {
    return this.#length;
  }

  get pieces(): readonly Uint8Array[] {
    return this.#pieces;
  }

  /** Adds a piece. The caller must not change it afterwards. */
  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
    this.#small = piece.length < SMALL_BYTES ? this.#small + 1 : 0;
    if (this.#small < SMALL_PIECES_MAX) return;
    this.#pieces.push(Buffer.concat(this.#pieces.splice(-this.#small)));
    this.#small = 0;
  }

  /** Returns the first bytes. */
  beginning(length: number): Uint8Array {
    const first: Uint8Array[] = [];
    let missing = length;
    for (const piece of this.#pieces) {
      if (missing <= 0) break;
      first.push(piece.subarray(0, missing));
      missing -= piece.length;
    }
    return first.length === 1 ? first[0]! : Buffer.concat(first);
  }

  /** Drops all bytes after the first `length`. */
  cutTo(length: number): void {
    let kept = 0;
    const pieces: Uint8Array[] = [];
    for (const piece of this.#pieces) {
      const room = length - kept;
      if (room <= 0) break;
      // A part of a piece would keep all of it in memory.
      pieces.push(piece.length <= room ? piece : Uint8Array.prototype.slice.call(piece, 0, room));
      kept += Math.min(room, piece.length);
    }
    this.#pieces = pieces;
    this.#length = kept;
    this.#small = 0;
  }

  /** Returns all bytes, and holds none any more. */
  take(): Buffer {
    const bytes = this.beginning(this.#length);
    this.clear();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  clear(): void {
    this.#pieces = [];
    this.#length = 0;
    this.#small = 0;
  }
}
