import type { Headers, WireFrame } from '../../channel/frame.ts';
import { refusedTokenStatus } from '../../faults/support/refuse-unauthorized-requests.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { isMessage, isRequest } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import type { Finding } from '../../replay/findings/finding.ts';

/** HTTP request of a client, with its parsed body. */
interface Sent {
  /** Header values by lower-case name. */
  headers: Headers;
  value: unknown;
}

/** A refusal that the client has not made up for. */
interface Refusal {
  status: 401 | 403;
  /** Session id. Empty: the request had none. */
  session: string;
  /** Method and subject of the request. */
  title: string;
}

const SESSION = 'mcp-session-id';

/**
 * Clients that were refused for their token, and have not come back with another one. After 401, any accepted message
 * of the session makes up for it, and so does one without a session. After 403, the same request has to be accepted.
 */
export class RefusedClients {
  readonly #isProtected: boolean;
  #refusals: Refusal[] = [];
  /** Requests without a response, by exchange. */
  readonly #sent = new Map<number, Sent>();

  /** @param isProtected the server requires tokens itself, so that its 403 is about scopes */
  constructor(isProtected: boolean) {
    this.#isProtected = isProtected;
  }

  /** Notes a frame of the client, before faults. */
  readonly asked = (frame: WireFrame): void => {
    const { kind, from, stream = 0 } = frame;
    if (kind === 'message' && from === 'client')
      this.#sent.set(stream, { headers: frame.headers ?? {}, value: frame.json.value });
    if (kind === 'close' && from === 'server') this.#sent.delete(stream);
  };

  /** Notes a frame that is delivered to the client. The first one of an exchange has the status. */
  readonly delivered = (frame: WireFrame): void => {
    const { kind, from, stream = 0 } = frame;
    const sent = this.#sent.get(stream);
    if (kind !== 'http-response' || from !== 'server' || sent === undefined) return;
    this.#sent.delete(stream);
    const { status } = frame;
    const isOfToken = status === 401 || (status === 403 && this.#isProtected);
    this.decided(sent, isOfToken ? status : refusedTokenStatus(frame));
  };

  /** Notes the response to a request. `status`: HTTP status with which its token was refused, if it was. */
  decided({ headers, value }: Sent, status: number | undefined): void {
    const messages = [value].flat();
    const titles = messages.filter(isRequest).map(({ method, params }) => subjectOf(method, params));
    const session = headers[SESSION] ?? '';
    if (status === 401 || status === 403) {
      this.#refusals.push(...titles.map((title): Refusal => ({ status, session, title })));
    } else if (messages.some(isMessage)) {
      const isMadeUp = (one: Refusal) =>
        one.status === 401 ? session === '' || session === one.session : titles.includes(one.title);
      this.#refusals = this.#refusals.filter((one) => !isMadeUp(one));
    }
  }

  /** As {@link decided}, of a request whose body is not parsed. */
  readonly decidedRequest = (
    { method, headers, body }: { method: string; headers: Headers; body: string },
    status: number | undefined,
  ): void => {
    if (method === 'POST') this.decided({ headers, value: parseJson(body) }, status);
  };

  /** One finding for each session and status, about the first refused request. */
  get findings(): Finding[] {
    const firsts = new Map<string, Refusal>();
    for (const one of this.#refusals) {
      const key = `${one.status} ${one.session}`;
      if (!firsts.has(key)) firsts.set(key, one);
    }
    return [...new Set([...firsts.values()].map(textOf))].map((text) => ({ kind: 'unauthorized', text }));
  }

  reset(): void {
    this.#refusals = [];
    this.#sent.clear();
  }
}

function textOf({ status, title }: Refusal): string {
  return status === 401
    ? `The client was refused with 401 at ${title}, and never came back with a token.`
    : `The client was refused with 403 at ${title}, and never made this request with a token that allows it.`;
}
