import { isBase64 } from '../../redact/fast-prefilter/trigram-scan.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { withoutTokens } from '../writer/redacted-event-text.ts';

/** Number of bytes that are scanned again with the next piece. Hardly any secret is longer. */
const OVERLAP_BYTES = 16 * 1024;

/** Length of a base64 group. Decoding has to begin at a group boundary. */
const GROUP = 4;

/** Overlap that is scanned again for clean base64: the groups of one trigram that may span two pieces. */
const BASE64_OVERLAP_BYTES = 2 * GROUP;

/** Redaction of a line too long for memory, in pieces. A secret may span two pieces. */
export class LongLineRedaction {
  readonly #redactor: Redactor;
  /** Scanned bytes that the next scan includes again. */
  #held: Uint8Array = new Uint8Array(0);
  /** Whether the held bytes are complete groups of clean base64. */
  #isPlain = false;
  /** Beginning of a word that the next piece continues. */
  #begun: Uint8Array = new Uint8Array(0);
  /** Scan buffer, reused because allocation costs more than the copy. */
  #come: Buffer = Buffer.alloc(0);

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Returns the redacted bytes that later pieces cannot change. They stay valid until the next call. */
  add(data: Uint8Array): Uint8Array {
    const come = this.#join(data);
    const groups = come.subarray(0, come.length - (come.length % GROUP));
    this.#isPlain = groups.length > OVERLAP_BYTES && this.#redactor.isPlainBase64(this.#unseen(groups));
    if (this.#isPlain) {
      this.#begun = come.subarray(groups.length);
      return this.#hold(groups, groups.length - OVERLAP_BYTES);
    }
    const letters = lettersStart(come, come.length);
    const end = lastWord(come, letters);
    this.#begun = come.subarray(end);
    const words = come.subarray(0, end);
    const safe = this.#safe(words);
    const until = Math.max(0, safe.length - OVERLAP_BYTES);
    const isInLetters = safe === words && letters <= until;
    return this.#hold(safe, wholeGroups(isInLetters ? letters : lettersStart(safe, until), until));
  }

  /** Joins the pending bytes and `data`. The result is valid until the next call. */
  #join(data: Uint8Array): Buffer {
    // The held bytes may share the buffer that the begun word overwrites.
    const parts = [this.#held, Uint8Array.from(this.#begun), data];
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const room = this.#come.length < length ? Buffer.allocUnsafeSlow(length) : this.#come;
    let at = 0;
    for (const part of parts) {
      room.set(part, at);
      at += part.length;
    }
    this.#come = room;
    return room.subarray(0, length);
  }

  /** Returns the part of `groups` that was not scanned yet. `groups` begin with the held bytes. */
  #unseen(groups: Uint8Array): Uint8Array {
    if (!this.#isPlain) return groups;
    const seen = this.#held.length - BASE64_OVERLAP_BYTES;
    return groups.subarray(Math.min(seen, groups.length - OVERLAP_BYTES));
  }

  /** Keeps the part of `safe` from offset `until` on, and returns the earlier bytes. */
  #hold(safe: Uint8Array, until: number): Uint8Array {
    this.#held = safe.subarray(until);
    return safe.subarray(0, until);
  }

  /** Returns the remaining bytes at the end of the line. */
  end(): Uint8Array {
    const rest = this.#safe(Buffer.concat([this.#held, this.#begun]));
    this.#held = new Uint8Array(0);
    this.#begun = new Uint8Array(0);
    this.#isPlain = false;
    this.#come = Buffer.alloc(0);
    return rest;
  }

  /** Redacts bytes as Latin-1, which keeps their number and order. Secrets are ASCII. */
  #safe(data: Buffer): Buffer {
    const text = data.toString('latin1');
    const safe = withoutTokens(this.#redactor.text(text), this.#redactor);
    return safe === text ? data : Buffer.from(safe, 'latin1');
  }
}

/**
 * Returns the start of the last, unfinished word. If the word is longer than any secret, a safe cut. Base64 extends
 * from `letters` to the end.
 */
function lastWord(bytes: Uint8Array, letters: number): number {
  let start = bytes.length;
  const earliest = Math.max(0, start - OVERLAP_BYTES - 1);
  while (start > earliest && IS_OF_WORD[bytes[start - 1]!] === 1) start--;
  return bytes.length - start > OVERLAP_BYTES ? wholeGroups(letters, bytes.length) : start;
}

/** Returns the last base64 group boundary up to `at`. Only base64 follows `letters`. */
function wholeGroups(letters: number, at: number): number {
  return at - ((at - letters) % GROUP);
}

/** Returns the start of the base64 letters that extend to `at`. */
function lettersStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && IS_OF_BASE64[bytes[start - 1]!] === 1) start--;
  return start;
}

/** Table of base64 letters, by byte. */
const IS_OF_BASE64 = Uint8Array.from({ length: 256 }, (_, byte) => Number(isBase64(byte)));

/** Lookup table by byte: whether the byte can occur in a token, such as a base64 letter. */
const IS_OF_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(isBase64(byte) || '.=%~'.includes(String.fromCharCode(byte))),
);
