import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { ExportTraceServiceRequest, Span } from '../../src/convert/otlp/otlp-types.ts';
import { spansIn, throughProtobuf, withoutEmptyLists } from './otlp.ts';

/** Answer of a receiver to a request: a status, with a body or headers, or none at all. */
export type ReceiverAnswer = { status: number; body?: string; headers?: Record<string, string> } | 'none';

/**
 * Receiver of OTLP over HTTP. It reads requests by the official definitions, and refuses what these do not know. Ended
 * when it goes out of scope.
 */
export class OtlpReceiver implements AsyncDisposable {
  readonly requests: ExportTraceServiceRequest[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  readonly paths: string[] = [];
  /** Number of requests, also of those that were not taken. */
  calls = 0;
  /** Answers of the next requests. Afterwards all are taken. */
  answers: ReceiverAnswer[] = [];
  readonly #server: Server;
  #changed = () => {};

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get spans(): Span[] {
    return spansIn(...this.requests);
  }

  /** Waits until `isThere` holds, which each request may change. */
  async until(isThere: () => boolean): Promise<void> {
    while (!isThere())
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    this.calls += 1;
    const answer = this.answers.shift() ?? this.#read(request, Buffer.concat(pieces).toString());
    if (answer !== 'none') response.writeHead(answer.status, answer.headers).end(answer.body ?? '{}');
    this.#changed();
  }

  #read({ method, url = '', headers }: IncomingMessage, text: string): ReceiverAnswer {
    if (method !== 'POST' || headers['content-type'] !== 'application/json') return { status: 415 };
    const request = JSON.parse(text);
    if (!isDeepStrictEqual(throughProtobuf(request), withoutEmptyLists(request)))
      return { status: 400, body: 'not OTLP' };
    this.requests.push(request);
    this.headers.push(headers);
    this.paths.push(url);
    return { status: 200 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
