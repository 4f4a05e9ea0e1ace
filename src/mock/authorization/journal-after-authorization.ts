import type { Headers } from '../../channel/frame.ts';

/** What the proxy and the server behind it see alike of a request. */
interface SeenRequest {
  /** By lower-case name. */
  headers: Headers;
  body: string;
}

/** A message of a client that has come to the proxy, and not been logged. */
export interface HeldMessage extends SeenRequest {
  /** Number of its exchange at the proxy. */
  stream: number;
  /** Logs it, with the HTTP status that refused it, if any. */
  log(status: number | undefined): void;
}

/**
 * Messages whose authorization is not decided. The proxy and the server behind it see the same request on two connections: it is recognized by its token and
 * its body.
 */
export class HeldMessages {
  #held: HeldMessage[] = [];

  add(message: HeldMessage): void {
    this.#held.push(message);
  }

  /** Logs the message whose request was let through, or was refused with a status. */
  readonly decided = ({ headers: { authorization }, body }: SeenRequest, status: number | undefined): void => {
    const isThis = (one: HeldMessage) => one.headers.authorization === authorization && one.body === body;
    this.#log(this.#held.find(isThis), status);
  };

  /** Logs a message that the server has not seen so, because a fault answered, changed or dropped it. */
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
