const GROUP = 3;

/** Base64 encoder for bytes in pieces. An incomplete group of three bytes waits for the next piece. */
export class Base64Stream {
  #left: Uint8Array = new Uint8Array(0);

  add(data: Uint8Array): string {
    const all =
      this.#left.length === 0
        ? Buffer.from(data.buffer, data.byteOffset, data.length)
        : Buffer.concat([this.#left, data]);
    const whole = all.length - (all.length % GROUP);
    this.#left = Uint8Array.from(all.subarray(whole));
    return all.toString('base64', 0, whole);
  }

  /** Returns the encoded rest with padding, and resets the encoder. */
  end(): string {
    const rest = Buffer.from(this.#left).toString('base64');
    this.#left = new Uint8Array(0);
    return rest;
  }
}
