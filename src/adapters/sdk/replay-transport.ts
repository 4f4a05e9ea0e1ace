import type { CassetteSource } from '../../cassette/cassette.ts';
import { pathOf } from '../../cassette/read/load-cassette.ts';
import type { Journal } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { systemClock } from '../../kernel/clock.ts';
import { openSession, type Session, type SessionOptions, type SessionOutcome } from '../../modes/open-session.ts';
import { warnOnce } from '../test/print-test-notes.ts';
import { sessionFailedError } from '../test/session-failed-error.ts';
import { notConnected, type SdkTransport, sessionTransport } from './channel-transport.ts';

export interface ReplayTransport extends SdkTransport {
  /** Outcome of the session, after it was closed. */
  outcome: Promise<SessionOutcome>;
  /** Messages of the client, for assertions and waits. */
  journal: Journal;
}

/**
 * Returns a transport that plays the recorded server of a cassette to one client in this process. A request missing in
 * the cassette is answered with an error at once, and reported to `onerror` when the session is closed.
 * @throws McpRecordError on `start`, as `openSession`
 */
export function replayTransport(
  cassette: CassetteSource,
  options: Omit<SessionOptions, 'cassette' | 'mode' | 'server'> = {},
): ReplayTransport {
  return new Replay({ ...options, cassette, mode: 'replay' });
}

class Replay implements ReplayTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown) => void;
  readonly outcome: Promise<SessionOutcome>;
  readonly #options: SessionOptions;
  readonly #received: MessageLog;
  #session: Session | undefined;
  #inner: SdkTransport | undefined;
  #settle: (outcome: SessionOutcome) => void = () => {};

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#received = new MessageLog(options.clock ?? systemClock);
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get journal(): Journal {
    return this.#received.journal;
  }

  async start(): Promise<void> {
    this.#session = await openSession(this.#options);
    warnOnce(this.#session.warnings);
    this.#inner = sessionTransport({ channel: this.#received.tap(this.#session.channel) });
    this.#inner.onmessage = (message) => this.onmessage?.(message);
    this.#inner.onclose = () => this.onclose?.();
    await this.#inner.start();
  }

  send(message: unknown): Promise<void> {
    return this.#inner?.send(message) ?? Promise.reject(notConnected());
  }

  async close(): Promise<void> {
    await this.#inner?.close();
    const outcome = await this.#session?.finish({ passed: true });
    if (outcome === undefined) return;
    if (outcome.failed) this.onerror?.(sessionFailedError(pathOf(this.#options.cassette), outcome));
    this.#settle(outcome);
  }
}
