import { McpRecordError } from '../../kernel/errors.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { isNotification, isRequest } from '../../protocol/message.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { type HttpResponse, refused } from '../../replay/http/requests/accept-or-refuse-request.ts';

/**
 * Answers requests to an endpoint that has ended. Each request is refused and recorded as a finding, which fails the
 * test.
 */
export class EndedEndpoint {
  readonly #cassette: string;
  readonly #findings: Finding[] = [];

  constructor(cassette: string) {
    this.#cassette = cassette;
  }

  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Answers a request received after the end. DELETE of an ended session succeeds as usual. */
  refuse({ method, body }: { method: string; body: string }): HttpResponse {
    if (method === 'DELETE') return { status: 200 };
    const error = endpointEnded(this.#cassette, titleOf(method, body));
    // Listening clients reconnect automatically, so a GET is not a finding.
    if (method === 'POST') this.#findings.push({ kind: 'ended', text: error.message });
    return refused(GONE, error.message);
  }
}

const GONE = 410;

/** Returns the error for using an ended endpoint. */
export function endpointEnded(cassette: string, use: string): McpRecordError {
  return new McpRecordError({
    code: 'ENDPOINT_ENDED',
    what: `Cannot take ${use} for ${cassette}`,
    why: 'finish() has ended it',
    next: 'Begin anew before each further test: reset(); and close each client before finish().',
  });
}

function titleOf(method: string, body: string): string {
  const methods = [parseJson(body)]
    .flat()
    .flatMap((one) => (isRequest(one) || isNotification(one) ? [one.method] : []));
  return methods.length > 0 ? methods.join(', ') : `a ${method}`;
}
