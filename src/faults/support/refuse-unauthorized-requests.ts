import type { Frame, ResponseFrame, WireFrame } from '../../channel/frame.ts';
import type { FaultContext } from '../fault.ts';
import { replyToSender } from './reply-to-sender.ts';

/** Parameters of a challenge (RFC 6750, 3). */
export interface Challenge {
  error: 'invalid_token' | 'insufficient_scope';
  error_description: string;
  scope?: string;
}

/**
 * Returns the HTTP status of a response that refuses an access token, as {@link RefusedRequests.challenge} does.
 * Undefined: any other frame. A fault that only answers with a status names no metadata.
 */
export function refusedTokenStatus(frame: WireFrame): number | undefined {
  if (frame.kind !== 'http-response' || frame.status === 'sse') return undefined;
  return frame.headers?.['www-authenticate']?.includes('resource_metadata=') ? frame.status : undefined;
}

/** Answers requests instead of the server, and drops all later frames of their streams. */
export class RefusedRequests {
  readonly #tools: FaultContext;
  readonly #streams = new Set<number | undefined>();

  constructor(tools: FaultContext) {
    this.#tools = tools;
  }

  /** Reports whether a frame belongs to a refused request. */
  has(frame: WireFrame): boolean {
    if (!this.#streams.has(frame.stream)) return false;
    if (frame.kind === 'close') this.#streams.delete(frame.stream);
    return true;
  }

  /**
   * Refuses the token of a request with a challenge. The challenge names the resource metadata at its default URL (RFC
   * 9728, 3.1 and 5.1).
   */
  challenge(frame: Frame, challenge: Challenge): void {
    const { host } = ('headers' in frame ? frame.headers : undefined) ?? {};
    const { path = '' } = this.#tools;
    const metadata = host && { resource_metadata: `http://${host}/.well-known/oauth-protected-resource${path}` };
    const parameters = Object.entries({ ...challenge, ...metadata }).map(([name, value]) => `${name}="${value}"`);
    this.#refuse(frame, {
      status: challenge.error === 'invalid_token' ? 401 : 403,
      headers: { 'www-authenticate': `Bearer ${parameters.join(', ')}` },
      body: challenge,
    });
  }

  /** Refuses a token request (RFC 6749, 5.2). */
  error(frame: Frame, error: string, description: string): void {
    this.#refuse(frame, { status: 400, headers: {}, body: { error, error_description: description } });
  }

  #refuse(
    { stream }: Frame,
    { status, headers, body }: { status: number; headers: Record<string, string>; body: object },
  ): void {
    this.#streams.add(stream);
    const answer: ResponseFrame = {
      kind: 'http-response',
      at: this.#tools.clock.now(),
      from: 'server',
      status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
      body: JSON.stringify(body),
      ...(stream !== undefined && { stream }),
    };
    replyToSender(this.#tools, answer);
  }
}
