import type { IncomingMessage } from 'node:http';

/** How many bodies of the maximum length all requests of a listener may hold together. */
const FULL_BODIES_MAX = 4;

/** Body of a request: its text, or the status and reason of its refusal. */
export type ReceivedBody = { text: string } | { status: number; why: string };

/** Bodies of the requests that a listener is receiving. All together have a limit, since clients need not finish them. */
export class RequestBodies {
  readonly #bodyMax: number;
  #held = 0;

  /** @param bodyMax maximum length of one body, in bytes */
  constructor(bodyMax: number) {
    this.#bodyMax = bodyMax;
  }

  /** Calls `received` once with the body. Of one that is refused because of others, it is called before the end. */
  receive(request: IncomingMessage, received: (body: ReceivedBody) => void): void {
    const pieces: Buffer[] = [];
    let length = 0;
    let held = 0;
    const release = () => {
      pieces.length = 0;
      this.#held -= held;
      held = 0;
    };
    let isRefused = false;
    request.on('data', (data: Buffer) => {
      length += data.length;
      if (isRefused) return;
      if (length > this.#bodyMax) return release();
      if (this.#held + data.length > this.#totalMax) {
        isRefused = true;
        release();
        return received({ status: 503, why: `All requests together are longer than ${this.#totalMax} bytes.` });
      }
      pieces.push(data);
      held += data.length;
      this.#held += data.length;
    });
    request.once('close', release);
    request.once('end', () => {
      if (isRefused) return;
      if (length > this.#bodyMax)
        return received({ status: 413, why: `The body is longer than ${this.#bodyMax} bytes.` });
      const text = Buffer.concat(pieces).toString();
      release();
      received({ text });
    });
  }

  get #totalMax(): number {
    return FULL_BODIES_MAX * this.#bodyMax;
  }
}
