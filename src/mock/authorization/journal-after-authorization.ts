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
  readonly #statusOf: (request: SeenRequest) => Promise<number | undefined>;
  #held: HeldMessage[] = [];
  #forwarded: HeldMessage | undefined;

  /** `statusOf`: resolves with the status with which the server refuses a request, or with undefined. */
  constructor(statusOf: (request: SeenRequest) => Promise<number | undefined>) {
    this.#statusOf = statusOf;
  }

  add(message: HeldMessage): void {
    this.#held.push(message);
  }

  /** Adds a message to the journal after its request was accepted, or refused with `status`. */
  readonly decided = ({ headers: { authorization }, body }: SeenRequest, status: number | undefined): void => {
    const isThis = (one: HeldMessage) => one.headers.authorization === authorization && one.body === body;
    this.#log(this.#held.find(isThis), status);
  };

  /** Notes the body that the proxy forwards to the server. Of an unchanged message, the server will decide. */
  forwarded(stream: number, body: string): void {
    const message = this.#find(stream);
    if (message?.body === body) this.#forwarded = message;
  }

  /**
   * Decides on a message that has passed the faults and was not forwarded unchanged. A fault has changed, delayed or
   * dropped it, and the server may never decide.
   */
  passed(stream: number): void {
    if (this.#find(stream) !== this.#forwarded) void this.decide(stream);
  }

  /** Adds a message to the journal with the status that its own token and body deserve, if the server has not decided. */
  async decide(stream: number): Promise<void> {
    const message = this.#find(stream);
    if (message) this.#log(message, await this.#statusOf(message));
  }

  /** Decides on all messages. */
  async decideAll(): Promise<void> {
    await Promise.all(this.#held.map(({ stream }) => this.decide(stream)));
  }

  /**
   * Adds a message to the journal that was answered before the server has decided: by a fault, or by the server after a
   * fault changed it. `status`: HTTP status with which a fault refused its token, if it did.
   */
  release(stream: number, status?: number): void {
    this.#log(this.#find(stream), status);
  }

  #find(stream: number): HeldMessage | undefined {
    return this.#held.find((one) => one.stream === stream);
  }

  #log(message: HeldMessage | undefined, status: number | undefined): void {
    if (message === undefined || !this.#held.includes(message)) return;
    this.#held = this.#held.filter((one) => one !== message);
    message.log(status);
  }
}
