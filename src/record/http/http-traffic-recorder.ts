import { BodyMemory } from '../../transports/http/http1/body-memory.ts';
import type { HttpTrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import { PassingCredentials } from '../authorization/passing-credentials.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';
import { type HttpRecorderOptions, RecordedSessions } from './recorded-sessions.ts';

/**
 * Recorder of HTTP traffic, with one cassette per session. A session starts with the response that issues its id (HTTP
 * with SSE: with the stream that names its endpoint) and ends with DELETE or after idling. Exchanges outside any
 * session go to the cassette of the run. That file is `NAME.probe.yaml` while its traffic may be discovery alone
 * (`server/discover`, or a refused request), and gets its ordinary name once no session follows.
 */
export class HttpRecorder {
  readonly #options: HttpRecorderOptions;
  readonly #memory: BodyMemory;
  readonly #sessions: RecordedSessions;
  /** Absent: nothing is redacted. */
  readonly #credentials: PassingCredentials | undefined;
  /** Exchanges that are not complete. */
  readonly #open = new Set<ExchangeRecorder>();
  #isOver = false;

  constructor(options: HttpRecorderOptions) {
    this.#options = options;
    this.#memory = options.memory ?? new BodyMemory(options.holdBytesMax);
    const { redactor, failed, credentials } = options;
    this.#credentials = credentials ?? (redactor && new PassingCredentials({ redactor, memory: this.#memory, failed }));
    this.#sessions = new RecordedSessions({ ...options, redactor: this.#credentials?.createRedactor });
  }

  /**
   * Starts an exchange. Returns a listener for its traffic, in order. The listener never throws: after an error, the
   * traffic continues without recording.
   */
  exchange(): (piece: HttpTrafficEvent) => void {
    const exchange = new ExchangeRecorder(this.#sessions, { ...this.#options, memory: this.#memory });
    const credentials = this.#credentials?.exchange((path) => this.isAt(path));
    const authorization = this.#options.authorization?.exchange(this.#options.upstream.origin);
    let isBroken = false;
    this.#open.add(exchange);
    return (piece) => {
      if (piece.kind === 'gone' || (piece.kind === 'end' && piece.from === 'server')) this.#open.delete(exchange);
      if (this.#isOver) return;
      credentials?.(piece);
      if (isBroken) return;
      authorization?.(piece);
      try {
        exchange.take(piece);
      } catch (error) {
        isBroken = true;
        exchange.release();
        this.#options.failed(error);
      }
    };
  }

  /** Reports whether requests to this path are recorded: the endpoint's, or that of a session of HTTP with SSE. */
  isAt(path: string): boolean {
    return path.split('?', 1)[0] === this.#options.upstream.path || this.#sessions.find(path) !== undefined;
  }

  /** Ends every cassette. Later traffic is not recorded. */
  end(reason: string): void {
    try {
      for (const exchange of this.#open) exchange.stop();
    } catch (error) {
      this.#options.failed(error);
    }
    this.#open.clear();
    this.#isOver = true;
    this.#sessions.end(reason);
  }
}
