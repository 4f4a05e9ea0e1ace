import type { Headers, WireFrame } from '../../channel/frame.ts';
import { refusedTokenStatus } from '../../faults/support/refuse-unauthorized-requests.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { isMessage, isObject, isRequest, type Request } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
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
  /** Sessions that requests named before this one. */
  others: ReadonlySet<string>;
  request: Request;
  /** Whether the client came back with a token, but not with this request. */
  isBack: boolean;
}

const SESSION = 'mcp-session-id';

/**
 * Clients that were refused for their token, and have not made the request again with another one. The same request has
 * to be accepted, in the same session or in a later one, and not from a client of another name.
 */
export class RefusedClients {
  readonly #isProtected: boolean;
  #refusals: Refusal[] = [];
  /** Ids of all sessions that requests have named. */
  readonly #sessions = new Set<string>();
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
    const requests = messages.filter(isRequest);
    const session = headers[SESSION] ?? '';
    const isRefused = status === 401 || status === 403;
    if (isRefused) {
      const others = new Set(this.#sessions);
      this.#refusals.push(...requests.map((request): Refusal => ({ status, session, others, request, isBack: false })));
    }
    if (session !== '') this.#sessions.add(session);
    if (isRefused || !messages.some(isMessage)) return;
    const possible = this.#refusals.filter((one) => session === one.session || !one.others.has(session));
    for (const one of possible) one.isBack ||= requests.every((request) => mayBeOfSameClient(one.request, request));
    const madeUp = possible.filter(({ request }) => requests.some((one) => isSame(request, one)));
    this.#refusals = this.#refusals.filter((one) => !madeUp.includes(one));
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
    this.#sessions.clear();
    this.#sent.clear();
  }
}

function textOf({ status, request: { method, params }, isBack }: Refusal): string {
  const refused = `The client was refused with ${status} at ${subjectOf(method, params)}`;
  if (status === 403) return `${refused}, and never made this request with a token that allows it.`;
  return isBack
    ? `${refused}, and came back with a token, but never made this request again.`
    : `${refused}, and never came back with a token.`;
}

/** Requests with which a client begins. Which of them comes first depends on the revision that the client tries. */
const FIRST: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Reports whether an accepted request is the refused one again, apart from its id and its `_meta`. */
function isSame(refused: Request, accepted: Request): boolean {
  if (!mayBeOfSameClient(refused, accepted)) return false;
  // From 2026-07-28 on, a client may begin with any request.
  if (FIRST.has(refused.method)) return FIRST.has(accepted.method) || clientNameOf(accepted) !== undefined;
  return refused.method === accepted.method && withoutMeta(refused) === withoutMeta(accepted);
}

/** Reports whether two requests name no different clients. Before 2026-07-28, only `initialize` names one. */
function mayBeOfSameClient(one: Request, other: Request): boolean {
  const [name, otherName] = [clientNameOf(one), clientNameOf(other)];
  return name === undefined || otherName === undefined || name === otherName;
}

function clientNameOf({ method, params }: Request): string | undefined {
  const info = method === 'initialize' && isObject(params) ? params.clientInfo : metaOf(params)[META.clientInfo];
  return isObject(info) ? JSON.stringify([info.name, info.version]) : undefined;
}

function withoutMeta({ params }: Request): string {
  const { _meta, ...rest } = isObject(params) ? params : {};
  return JSON.stringify(rest);
}
