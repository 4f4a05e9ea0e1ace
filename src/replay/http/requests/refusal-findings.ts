import type { Fired } from '../../../faults/engine/fault-injector.ts';
import { parseJson } from '../../../protocol/json-text.ts';
import { errorOf, isMessage, isObject } from '../../../protocol/message.ts';
import { type Revision, UNSUPPORTED_VERSION } from '../../../protocol/revisions.ts';
import type { Finding } from '../../findings/finding.ts';
import type { HttpRequest, HttpResponse, ParsedPost } from './accept-or-refuse-request.ts';

export interface RefusalFindingsOptions {
  /** Statuses with which the recorded server refused requests. */
  recorded: ReadonlySet<number>;
  /** Ids of all sessions so far, including sessions of earlier mock servers at the same URL. */
  issued: Set<string>;
  report(finding: Finding): void;
}

const SESSION = 'mcp-session-id';
/** First revision whose clients name it in a header. */
const FIRST_WITH_HEADER: Revision = '2025-06-18';
/** Number of session ids to remember. */
const ISSUED_MAX = 100_000;

/** Faults that do not change what clients send afterwards. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['latency', 'stall', 'clog', 'throttle', 'slow-reader', 'slow-close', 'slice', 'late', 'discover-timeout'],
  ...['drop', 'cut', 'reset', 'end', 'exit', 'down', 'half-close', 'http-status', 'resume', 'redeliver'],
  ...['session-lost', 'stderr-flood', 'error-reply', 'ignore-cancel', 'cancel', 'progress', 'duplicate'],
  ...['insufficient-scope', 'oauth-error', 'token-refused', 'wrong-issuer'],
]);

/**
 * Reports requests that a mock server over HTTP refuses by the rules of the protocol, or could refuse, each text once. Not reported are
 * refusals as in the cassette, refusals that tell a client what the server supports, and those that a fault may cause.
 */
export class RefusalFindings {
  readonly #options: RefusalFindingsOptions;
  readonly #reported = new Set<string>();
  /** Whether a fault has changed what a side said. */
  #isFaulted = false;
  #hasSession = false;
  #hasEnded = false;

  constructor(options: RefusalFindingsOptions) {
    this.#options = options;
  }

  /** Notes a session that begins. */
  begun(id: string): void {
    const { issued } = this.#options;
    this.#hasSession = true;
    issued.add(id);
    for (const oldest of issued) {
      if (issued.size <= ISSUED_MAX) return;
      issued.delete(oldest);
    }
  }

  /** Notes that sessions have ended. Their clients may not know yet. */
  ended(): void {
    this.#hasEnded = true;
  }

  /** Notes a fired fault. */
  faulted({ fault }: Pick<Fired, 'fault'>): void {
    this.#isFaulted ||= !HARMLESS.has(fault);
  }

  /**
   * Reports a refused request.
   * @param posted the accepted body of a POST that is refused for its session
   * @param session id of its session. Default: that of its header
   */
  refused(request: HttpRequest, { status, body }: HttpResponse, posted?: ParsedPost, session?: string): void {
    const { recorded, issued } = this.#options;
    const { code, message } = errorOf(parseJson(String(body))) ?? {};
    const id = session ?? request.headers[SESSION];
    if (this.#isFaulted || recorded.has(status) || code === UNSUPPORTED_VERSION) return;
    if (status === 404 && id !== undefined && issued.has(id)) return;
    if (posted ? this.#isProbe(posted) : id === undefined && this.#isSearch(request)) return;
    this.#report(`The client sent a ${titleOf(request)}, refused with HTTP ${status}: ${String(message)}.`);
  }

  /**
   * Reports an MCP message, or a request of its session, to a path other than `endpoint`. Other requests, such as those
   * for authorization metadata, are not reported.
   */
  strayed(request: HttpRequest, endpoint: string): void {
    if (this.#isFaulted || !(hasMessage(request) || SESSION in request.headers)) return;
    const path = request.target?.split('?', 1)[0];
    this.#report(
      `The client sent a ${titleOf(request)} to ${path}, refused with HTTP 404: the endpoint is ${endpoint}.`,
    );
  }

  /**
   * Reports a request of a session whose header does not name the negotiated revision, though the revision requires it
   * (2025-06-18, "Protocol Version Header"). Mock servers accept it, as servers of the SDKs do.
   */
  accepted(request: HttpRequest, revision = ''): void {
    const named = request.headers['mcp-protocol-version'];
    if (revision < FIRST_WITH_HEADER || named === revision || this.#isFaulted) return;
    const what = named === undefined ? 'without MCP-Protocol-Version' : `with MCP-Protocol-Version: ${named}`;
    this.#report(`The client sent a ${titleOf(request)} ${what}, though ${revision} was negotiated.`, what);
  }

  #report(text: string, reason = text): void {
    if (this.#reported.has(reason)) return;
    this.#reported.add(reason);
    this.#options.report({ kind: 'differs', text });
  }

  /** Reports whether a POST asks for the server's generation: a client of 2026-07-28 does so before `initialize`. */
  #isProbe({ modern, requests }: ParsedPost): boolean {
    return modern || (!this.#hasSession && requests[0]?.method === 'ping');
  }

  /**
   * Reports whether a request without a session looks for a server or its transport, or comes from a client whose
   * session has just ended.
   */
  #isSearch({ method }: HttpRequest): boolean {
    if (method === 'HEAD' || method === 'OPTIONS') return true;
    return method === 'GET' && (!this.#hasSession || this.#hasEnded);
  }
}

/** Reports whether the body of a request is a JSON-RPC message, or a batch of them. */
function hasMessage({ body }: HttpRequest): boolean {
  return [parseJson(body)].flat().some(isMessage);
}

/** Returns the HTTP method of a request, with the method of its first message. */
function titleOf({ method, body }: HttpRequest): string {
  if (method !== 'POST') return method;
  const said = parseJson(body);
  const first: unknown = Array.isArray(said) ? said[0] : said;
  if (!isObject(first)) return method;
  if (typeof first.method === 'string') return `${method} of ${first.method}`;
  return 'result' in first || 'error' in first ? `${method} of a response` : method;
}
