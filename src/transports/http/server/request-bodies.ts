import type { IncomingMessage } from 'node:http';
import { BodyMemory } from '../http1/body-memory.ts';
import { HeldPieces } from '../http1/held-pieces.ts';

/** Body of a request, or the status and reason of its refusal. */
export type ReceivedBody = { body: Buffer } | { status: 413 | 503; why: string };

/** Bodies of the requests that a listener is receiving. All together have a limit, since clients need not finish them. */
export class RequestBodies {
  readonly #bodyMax: number;
  readonly #memory: BodyMemory;

  /**
   * @param bodyMax maximum length of one body, in bytes
   * @param memory memory of all bodies that are held. Default: one for this listener
   */
  constructor(bodyMax: number, memory: BodyMemory = new BodyMemory(bodyMax)) {
    this.#bodyMax = bodyMax;
    this.#memory = memory;
  }

  /** Calls `received` once with the body. Of one that is refused because of others, it is called before the end. */
  receive(request: IncomingMessage, received: (body: ReceivedBody) => void): void {
    const held = new HeldPieces();
    let length = 0;
    let isRefused = false;
    const share = this.#memory.share(() => {
      isRefused = true;
      held.clear();
      received({ status: 503, why: `All requests together are longer than ${this.#memory.bytesMax} bytes.` });
      return 0;
    });
    const release = () => {
      held.clear();
      share.hold(0);
    };
    request.on('data', (data: Buffer) => {
      length += data.length;
      if (isRefused) return;
      if (length > this.#bodyMax) return release();
      held.add(data);
      share.hold(held.length);
    });
    request.once('close', release);
    request.once('end', () => {
      if (isRefused) return;
      if (length > this.#bodyMax)
        return received({ status: 413, why: `The body is longer than ${this.#bodyMax} bytes.` });
      const body = held.take();
      release();
      received({ body });
    });
  }
}
