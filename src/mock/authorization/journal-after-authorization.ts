import type { Headers } from '../../channel/frame.ts';

/** Parts of a request that the proxy and the server behind it see unchanged. */
interface SeenRequest {
  /** Header values by lower-case name. */
  headers: Headers;
  body: string;
}

/** A client's message that has reached the proxy and waits for its journal entry. */
export interface HeldMessage extends SeenRequest {
  /** Number of the message's HTTP exchange at the proxy. */
  stream: number;
  /** Adds the message to the journal. `status`: HTTP status of the refusal, if any. */
  log(status: number | undefined): void;
}

/**
 * Messages whose authorization is not decided yet. The proxy and the server behind it receive the same request on
 * different connections, so a request is recognized by its token and body.
 */
export class HeldMessages {
  #held: HeldMessage[] = [];

  add(message: HeldMessage): void {
    this.#held.push(message);
  }

  /** Adds a message to the journal after its request was accepted, or refused with `status`. */
  readonly decided = ({ headers: { authorization }, body }: SeenRequest, status: number | undefined): void => {
    const isThis = (one: HeldMessage) => one.headers.authorization === authorization && one.body === body;
    this.#log(this.#held.find(isThis), status);
  };

  /**
   * Adds a message to the journal that did not reach the server unchanged, because a fault answered, changed or dropped
   * its request.
   */
  release(stream: number): void {
    this.#log(
      this.#held.find((one) => one.stream === stream),
      undefined,
    );
  }

  #log(message: HeldMessage | undefined, status: number | undefined): void {
    if (message === undefined) return;
    this.#held = this.#held.filter((one) => one !== message);
    message.log(status);
  }
}
