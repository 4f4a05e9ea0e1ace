import type { Cancel, Clock, Milliseconds } from '../../../kernel/clock.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import type { Upstream } from '../upstream/parse-upstream.ts';
import type { ResumableExchange, ResumableExchangeOptions } from './resumable-exchange.ts';

export interface LegacySseClientOptions {
  upstream: Upstream;
  clock: Clock;
  /** Maximum wait for the endpoint event. */
  patience: Milliseconds;
  /** Opens the stream. */
  begin(hooks: Pick<ResumableExchangeOptions, 'frame' | 'over'>): ResumableExchange;
  /** Takes the frames after the endpoint event. */
  hear: ResumableExchangeOptions['frame'];
  failed(error: McpRecordError): void;
}

/**
 * HTTP with SSE (2024-11-05): one stream carries all messages of the server. Its first event names the endpoint for
 * POST requests.
 */
export class LegacySseClient {
  readonly #options: LegacySseClientOptions;
  #line: ResumableExchange | undefined;
  /** Path and query for POST requests, once known. */
  endpoint: string | undefined;
  hasTried = false;
  /** Cancels the wait for the endpoint event. */
  end: Cancel = () => {};

  constructor(options: LegacySseClientOptions) {
    this.#options = options;
  }

  /** Reports whether `line` is this stream. */
  is(line: ResumableExchange): boolean {
    return line === this.#line;
  }

  /** Opens the stream. Calls back with true if the server names an endpoint in time, otherwise with false. */
  connect(decided: (isLegacy: boolean) => void): void {
    const { clock, patience, begin, hear } = this.#options;
    this.hasTried = true;
    let isDecided = false;
    const decide = (isLegacy: boolean) => {
      if (isDecided) return;
      isDecided = true;
      stopWaiting();
      if (isLegacy) this.#line = line;
      else line.close();
      decided(isLegacy);
    };
    const stopWaiting = clock.after(patience, () => decide(false));
    this.end = stopWaiting;
    const line = begin({
      frame: (frame, from) => {
        if (isDecided) return hear(frame, from);
        if (frame.kind !== 'sse' || frame.sse.event !== 'endpoint') return;
        this.endpoint = this.#resolve(frame.sse.data ?? '');
        decide(this.endpoint !== undefined);
      },
      over: () => decide(false),
    });
  }

  #resolve(uri: string): string | undefined {
    const { upstream, failed } = this.#options;
    const base = upstream.origin + upstream.path;
    const url = URL.canParse(uri, base) ? new URL(uri, base) : undefined;
    if (url?.origin === upstream.origin) return url.pathname + url.search;
    failed(badEndpoint(upstream, url));
    return undefined;
  }
}

/** Returns the error for an endpoint of another origin. Clients post only to the origin of their server. */
function badEndpoint({ origin }: Upstream, url: URL | undefined): McpRecordError {
  return new McpRecordError({
    code: 'HTTP_BAD_ENDPOINT',
    what: `Cannot post to the server at ${origin}`,
    why: `its endpoint event names ${url === undefined ? 'no URL' : `another origin, ${url.origin}`}`,
    next: 'A server behind a proxy must name the address that clients use, or a path alone.',
  });
}
