import type { SseFields } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { reportDefaultsOnce } from '../findings/finding.ts';
import { hollowArgumentFindings } from '../findings/hollow-arguments.ts';
import { unplayableFindings } from '../findings/unplayable-findings.ts';
import type { PlayedRun } from '../player/player-options.ts';
import { CassetteByRequestsPlayer } from './cassette-by-requests-player.ts';
import { CassetteSelector } from './cassette-selector.ts';
import { type PlaybackContext, type SessionPlayer, tellingSend } from './create-session-player.ts';
import type { HttpCassette } from './http-cassette.ts';
import type { HttpResponseWriter } from './http-response-writer-types.ts';
import { LegacySseServer, SSE_ENDPOINT, SSE_PATH } from './legacy-sse-server.ts';
import type { ResponseMode } from './post-answer.ts';
import {
  type HttpRequest,
  type HttpResponse,
  invalid,
  type ParsedPost,
  readPost,
  refused,
  refusedGet,
  refusedMethod,
  unsupportedRevision,
} from './requests/accept-or-refuse-request.ts';
import { inferServerRequirements, type ServerRequirements } from './requests/infer-server-requirements.ts';
import { RefusalFindings } from './requests/refusal-findings.ts';
import { replacingRecordedOrigins } from './requests/replacing-recorded-origins.ts';
import { ServerSession } from './server-session.ts';
import { StatelessPlayer } from './stateless-player.ts';

export interface HttpMockHandlerOptions extends Omit<PlaybackContext, 'send'> {
  /** The recorded server's cassettes. Each session plays one. */
  cassettes: readonly HttpCassette[];
  /** Makes an unguessable session id. */
  newSession(): string;
  /** Ids of the sessions of earlier handlers at the same URL, whose clients may still send requests. */
  issued?: Set<string>;
  /** Whether requests of a session whose header does not name its revision are reported. */
  needsRevisionHeader?: boolean;
  /** As {@link PostAnswerOptions.responseMode}. */
  responseMode?: ResponseMode | undefined;
  /** Wraps the player of a session. */
  intercept?(play: Play): Play;
}

/** Creates the player for the clients of one session. */
type Play = (context: Pick<PlaybackContext, 'send'>) => SessionPlayer;

/** Handles a request. Returns a callback for a connection that closes before the response. */
export type HttpHandler = (request: HttpRequest, reply: HttpResponseWriter) => () => void;

const SESSION = 'mcp-session-id';
const LAST_EVENT = 'last-event-id';
const VERSION = 'mcp-protocol-version';
/** Only revision with batches, and default for clients that state no revision. */
const HAS_BATCHES = '2025-03-26';
/** Error code that SDKs send with status 404. */
const SESSION_NOT_FOUND = -32001;
const NO_SSE = 'There is no HTTP with SSE in 2026-07-28';
/** Maximum number of open sessions. The session idle for longest ends first. */
export const SESSIONS_MAX: number = 10_000;

/**
 * A mock server over HTTP, in both forms of the transport. Each client's session starts at the beginning of a cassette.
 */
export class HttpMockHandler {
  readonly #options: HttpMockHandlerOptions;
  readonly #selector: CassetteSelector;
  readonly #sessions = new Map<string, ServerSession>();
  /** Shared session of stateless servers, always used from 2026-07-28 on. */
  readonly #shared: ServerSession | undefined;
  readonly #isStateless: boolean;
  /** Cassettes of servers without sessions. */
  readonly #others: readonly HttpCassette[];
  readonly #listens: boolean;
  readonly #primer: SseFields | undefined;
  readonly #rules: ServerRequirements;
  readonly #sse: LegacySseServer;
  readonly #refused: RefusalFindings;

  constructor(options: HttpMockHandlerOptions) {
    const { cassettes, ignore, responseMode, issued = new Set() } = options;
    const report = reportDefaultsOnce(options.report);
    for (const cassette of cassettes)
      for (const finding of [
        ...unplayableFindings(cassette),
        ...hollowArgumentFindings(cassette.plan.entries, ignore ?? []),
      ])
        report(finding);
    this.#options = { ...options, report };
    const sessions = cassettes.filter(({ hasSessions }) => hasSessions);
    this.#isStateless = sessions.length === 0;
    this.#listens = sessions.some(({ listens }) => listens);
    this.#primer = sessions.find(({ primer }) => primer)?.primer;
    this.#rules = inferServerRequirements(cassettes);
    this.#selector = new CassetteSelector(sessions, ignore);
    this.#refused = new RefusalFindings({ recorded: this.#rules.refusals, issued, report });
    this.#sse = new LegacySseServer({
      open: () => this.#open(),
      newSession: () => this.#newSession(),
      refused: (request, answer, id) => this.#refused.refused(request, answer, undefined, id),
    });
    // Next to cassettes with sessions, a legacy cassette without one holds failed attempts only.
    this.#others = cassettes.filter(({ hasSessions, modern }) => !hasSessions && (modern || this.#isStateless));
    if (this.#others.length === 0) return;
    this.#shared = new ServerSession({
      createPlayer: this.#intercepted(this.#playStateless),
      modern: this.#others.some(({ modern }) => modern),
      listens: false,
      responseMode,
      report,
    });
  }

  readonly #playStateless = ({ send }: Pick<PlaybackContext, 'send'>): SessionPlayer =>
    new StatelessPlayer(this.#others, { ...this.#options, send: tellingSend(send, this.#options) });

  /** Serves one request. */
  readonly serve: HttpHandler = replacingRecordedOrigins(() => this.#options.cassettes)((request, reply) => {
    const path = request.target?.split('?', 1)[0];
    if (path === SSE_ENDPOINT) return this.#sse.post(request, reply);
    if (path === SSE_PATH && request.method === 'GET' && !(SESSION in request.headers))
      return this.hasSse ? this.#sse.listen(reply) : refuse(reply, refused(405, NO_SSE));
    switch (request.method) {
      case 'POST':
        return this.#post(request, reply);
      case 'GET':
        return this.#get(request, reply);
      case 'DELETE':
        return this.#delete(request, reply);
      default:
        return this.#refuse(request, reply, this.#notAllowed(request));
    }
  });

  /** Notes a request to a path that is not `endpoint`, nor another served one. */
  strayed(request: HttpRequest, endpoint: string): void {
    this.#refused.strayed(request, endpoint);
  }

  /** Whether HTTP with SSE is served: some cassette is older than 2026-07-28. */
  get hasSse(): boolean {
    return this.#rules.legacy.size > 0;
  }

  /** Passes the fault to every client's player, as {@link Player.faulted}: ids do not always tell the client. */
  faulted(fired: Fired): void {
    for (const session of this.#sessions.values()) session.faulted(fired);
    this.#shared?.faulted(fired);
    this.#sse.faulted(fired);
    this.#refused.faulted(fired);
  }

  /** Cassettes in play, each with its entries not used so far. */
  get runs(): PlayedRun[] {
    const open = [...this.#sessions.values(), ...(this.#shared ? [this.#shared] : [])];
    return [...open.flatMap(({ runs }) => runs), ...this.#sse.runs];
  }

  /** Ends every session. */
  end(): void {
    this.expireSessions();
    this.#shared?.end();
  }

  /**
   * Ends the sessions of all clients. A request with an ended session's id is answered with 404, and the client has to
   * initialize again ("Session Management"). Returns the number of ended sessions, or `undefined` if this server has
   * none.
   */
  expireSessions(): number | undefined {
    if (this.#isStateless && !this.hasSse) return undefined;
    const ended = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const session of ended) session.end();
    this.#refused.ended();
    return ended.length + this.#sse.end();
  }

  #post(request: HttpRequest, reply: HttpResponseWriter): () => void {
    const posted = readPost(request, this.#rules);
    if ('status' in posted) return this.#refuse(request, reply, posted);
    const found = this.#sessionFor(request, posted);
    if ('status' in found) return this.#refuse(request, reply, found, posted);
    const { session, headers } = found;
    if (Array.isArray(posted.json.value) && !this.#takesBatches(request, session))
      return this.#refuse(request, reply, invalid('There are no batches in this revision'));
    const ids = elementsOf(posted.json)
      .filter(({ value }) => isRequest(value))
      .map((json) => scalarKeyAt(json, ['id'])!);
    return session.post(posted, ids, reply, headers);
  }

  #get(request: HttpRequest, reply: HttpResponseWriter): () => void {
    if (this.#isStateless) return refuse(reply, this.#notAllowed(request));
    const found = refusedGet(request) ?? this.#sessionFor(request, {});
    if ('status' in found) return this.#refuse(request, reply, found);
    const last = request.headers[LAST_EVENT];
    if (last !== undefined)
      return found.session.resume(last, reply) ?? refuse(reply, refused(400, 'There is no such event to resume from'));
    return this.#listens ? found.session.listen(reply) : refuse(reply, this.#notAllowed(request));
  }

  #delete(request: HttpRequest, reply: HttpResponseWriter): () => void {
    if (this.#isStateless) return refuse(reply, this.#notAllowed(request));
    const found = this.#sessionFor(request, {});
    if ('status' in found) return this.#refuse(request, reply, found);
    found.session.end();
    this.#refused.ended();
    this.#sessions.delete(request.headers[SESSION]!);
    return refuse(reply, { status: 200 });
  }

  #notAllowed({ method }: HttpRequest): HttpResponse {
    const others = [...(this.#listens ? ['GET'] : []), ...(this.#isStateless ? [] : ['DELETE'])];
    return refusedMethod(method, ['POST', ...others]);
  }

  /** Reports whether a batch is accepted. Only 2025-03-26 has batches. */
  #takesBatches({ headers }: HttpRequest, { revision }: ServerSession): boolean {
    return this.#rules.batches || (headers[VERSION] ?? revision ?? HAS_BATCHES) === HAS_BATCHES;
  }

  /**
   * Returns the session of a request, or the refusal: 400 without a session id, 404 for an unknown or ended session
   * (Streamable HTTP, "Session Management").
   */
  #sessionFor(
    request: HttpRequest,
    { initializes = false, modern = false }: Partial<ParsedPost>,
  ): { session: ServerSession; headers: Record<string, string> } | HttpResponse {
    const { headers } = request;
    const isOfModern = modern && this.#rules.modern.size > 0;
    const unsupported = initializes || isOfModern ? undefined : unsupportedRevision(headers, this.#rules);
    if (unsupported) return unsupported;
    if (this.#shared && (modern || this.#isStateless)) return { session: this.#shared, headers: {} };
    const id = headers[SESSION];
    if (id === undefined && initializes) {
      const issued = this.#newSession();
      const session = this.#open();
      this.#sessions.set(issued, session);
      if (this.#sessions.size > SESSIONS_MAX) this.#endOldest();
      return { session, headers: { [SESSION]: issued } };
    }
    if (id === undefined) return refused(400, 'Mcp-Session-Id is missing');
    const session = this.#sessions.get(id);
    if (session === undefined) return refused(404, 'There is no such session', { code: SESSION_NOT_FOUND });
    if (initializes) return invalid('The session is initialized already');
    if (this.#options.needsRevisionHeader) this.#refused.accepted(request, session.revision);
    // Moves the session to the end, since the map is ordered by last use.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return { session, headers: {} };
  }

  #newSession(): string {
    const id = this.#options.newSession();
    this.#refused.begun(id);
    return id;
  }

  /** Refuses a request, and reports it. */
  #refuse(request: HttpRequest, reply: HttpResponseWriter, answer: HttpResponse, posted?: ParsedPost): () => void {
    this.#refused.refused(request, answer, posted);
    return refuse(reply, answer);
  }

  #intercepted(play: Play): Play {
    return this.#options.intercept?.(play) ?? play;
  }

  #endOldest(): void {
    for (const [id, session] of this.#sessions) {
      this.#sessions.delete(id);
      return session.end();
    }
  }

  #open(): ServerSession {
    const { report, responseMode } = this.#options;
    const playSession = ({ send }: Pick<PlaybackContext, 'send'>) =>
      new CassetteByRequestsPlayer(this.#selector, { ...this.#options, send: tellingSend(send, this.#options) });
    return new ServerSession({
      createPlayer: this.#intercepted(this.#isStateless ? this.#playStateless : playSession),
      modern: false,
      listens: this.#listens,
      primer: this.#primer,
      responseMode,
      report,
    });
  }
}

function refuse(reply: HttpResponseWriter, answer: HttpResponse): () => void {
  reply.answer(answer);
  return () => {};
}
