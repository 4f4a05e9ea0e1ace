import { failedSteps, type Outcome } from '../../text-report/outcome-model.ts';
import type { TestedServer } from '../mock-client/open-server-under-test.ts';
import { serverDiffersError } from '../test/server-differs-error.ts';
import { compareServer, type VerifyOptions } from '../test/verify-server.ts';
import { notConnected, type SdkTransport } from './channel-transport.ts';

export interface ClientTransport extends SdkTransport {
  /**
   * Comparison with the server's answers, after the recorded client's last message. Never rejects: differences are
   * steps of the outcome.
   */
  outcome: Promise<Outcome>;
}

/**
 * Returns a transport that plays the recorded client of a cassette to a server in this process: `await
 * server.connect(clientTransport(cassette))`. It closes after the last message. If the server's answers differ,
 * `onerror` is called with SESSION_DIFFERS before.
 * @throws McpRecordError on `start`, those of `loadCassette`
 */
export function clientTransport(cassette: string, options: VerifyOptions = {}): ClientTransport {
  return new RecordedClient(cassette, options);
}

class RecordedClient implements ClientTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown) => void;
  readonly outcome: Promise<Outcome>;
  readonly #cassette: string;
  readonly #options: VerifyOptions;
  #inner: SdkTransport | undefined;
  #settle: (outcome: Outcome) => void = () => {};

  constructor(cassette: string, options: VerifyOptions) {
    this.#cassette = cassette;
    this.#options = options;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const connect = async (inner: SdkTransport) => {
        this.#inner = inner;
        inner.onmessage = (message) => this.onmessage?.(message);
        await inner.start();
        resolve();
      };
      compareServer(this.#cassette, connect, this.#options).then((outcome) => this.#end(outcome, connect), reject);
    });
  }

  send(message: unknown): Promise<void> {
    return this.#inner?.send(message) ?? Promise.reject(notConnected());
  }

  async close(): Promise<void> {
    await this.#inner?.close();
  }

  #end(outcome: Outcome, server: TestedServer): void {
    const failed = failedSteps(outcome);
    if (failed.length > 0) this.onerror?.(serverDiffersError(outcome, failed, { server, options: this.#options }));
    this.#settle(outcome);
    this.onclose?.();
  }
}
