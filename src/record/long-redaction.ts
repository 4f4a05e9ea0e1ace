import type { Redactor } from '../redact/redactor.ts';

/** No secret is longer, nearly: so much of a line is looked at again together with what follows it. */
const OVERLAP_BYTES = 16 * 1024;

/** Takes secrets out of a line that is too long to be held, as it passes; one may lie across two pieces of it. */
export class LongRedaction {
  readonly #redactor: Redactor;
  #held: Uint8Array = new Uint8Array(0);

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** What may be kept by now; valid until the next call. */
  add(data: Uint8Array): Uint8Array {
    const safe = this.#safe(Buffer.concat([this.#held, data]));
    const until = Math.max(0, safe.length - OVERLAP_BYTES);
    this.#held = safe.subarray(until);
    return safe.subarray(0, until);
  }

  /** The rest, as the line ends. */
  end(): Uint8Array {
    const rest = this.#held;
    this.#held = new Uint8Array(0);
    return rest;
  }

  /** Secrets are ASCII, and bytes as latin1 keep their number and order. */
  #safe(data: Buffer): Buffer {
    const text = data.toString('latin1');
    const safe = this.#redactor.text(text);
    return safe === text ? data : Buffer.from(safe, 'latin1');
  }
}
