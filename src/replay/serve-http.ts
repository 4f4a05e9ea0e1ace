import type { Cassette } from '../cassette/types.ts';
import { tokenAt } from '../protocol/id.ts';
import { elementsOf } from '../protocol/json-text.ts';
import { isRequest } from '../protocol/message.ts';
import { eraOf } from './era.ts';
import type { HttpReply } from './http-exchange.ts';
import { type HttpRequest, readPost, refused, refusedGet } from './http-request.ts';
import { HttpSession, type HttpSessionOptions } from './http-session.ts';
import { messagesOnly } from './messages-only.ts';
import { scoreServer } from './score.ts';

export interface HttpServerOptions extends Omit<HttpSessionOptions, 'score' | 'startsOver' | 'modern'> {
  /** Makes the id of a session, which nobody can guess. */
  newSession(): string;
}

/** What a client asks, and what to do when its connection closes before it is answered. */
export type HttpHandler = (request: HttpRequest, reply: HttpReply) => () => void;

const SESSION = 'mcp-session-id';
const NOTHING = () => {};

/** The recorded server over Streamable HTTP, for any number of clients, each from the beginning of the tape. */
export class HttpServer {
  readonly #options: HttpSessionOptions;
  readonly #newSession: () => string;
  readonly #sessions = new Map<string, HttpSession>();
  /** From 2026-07-28 on, and where the recorded server was stateless, there are no sessions. */
  #shared: HttpSession | undefined;
  readonly #isStateless: boolean;

  constructor({ newSession, ...options }: HttpServerOptions) {
    const cassette = messagesOnly(options.cassette);
    const score = scoreServer(cassette.events);
    this.#newSession = newSession;
    const { modern } = eraOf(score.moves);
    this.#isStateless = modern || isStateless(options.cassette);
    this.#options = { ...options, cassette, score, modern, startsOver: this.#isStateless };
  }

  /** Serves one request. */
  readonly serve: HttpHandler = (request, reply) => {
    switch (request.method) {
      case 'POST':
        return this.#post(request, reply);
      case 'GET':
        return this.#get(request, reply);
      case 'DELETE':
        this.#delete(request, reply);
        return NOTHING;
      default:
        reply.answer({
          ...refused(405, `There is no ${request.method}`),
          headers: { allow: 'GET, POST, DELETE' },
        });
        return NOTHING;
    }
  };

  /** Ends every session. */
  end(): void {
    for (const session of this.#sessions.values()) session.end();
    this.#shared?.end();
  }

  #post(request: HttpRequest, reply: HttpReply): () => void {
    const posted = readPost(request);
    if ('status' in posted) {
      reply.answer(posted);
      return NOTHING;
    }
    const found = this.#sessionFor(request, posted.initializes);
    if ('status' in found) {
      reply.answer(found);
      return NOTHING;
    }
    const ids = elementsOf(posted.json)
      .filter(({ value }) => isRequest(value))
      .map((json) => tokenAt(json, ['id'])!);
    return found.session.post(posted, ids, reply, found.headers);
  }

  #get(request: HttpRequest, reply: HttpReply): () => void {
    const refusal = this.#isStateless ? refused(405, 'There is no stream to listen on') : refusedGet(request);
    const found = refusal ?? this.#sessionFor(request, false);
    if ('status' in found) {
      reply.answer(found);
      return NOTHING;
    }
    return found.session.listen(reply, found.headers);
  }

  #delete(request: HttpRequest, reply: HttpReply): void {
    const found = this.#isStateless
      ? refused(405, 'There are no sessions')
      : this.#sessionFor(request, false);
    if ('status' in found) return reply.answer(found);
    found.session.end();
    this.#sessions.delete(request.headers[SESSION]!);
    reply.answer({ status: 200 });
  }

  /** Streamable HTTP, "Session Management": 400 without an id, 404 with one that is not, or no more, a session's. */
  #sessionFor(
    { headers }: HttpRequest,
    initializes: boolean,
  ): { session: HttpSession; headers: Record<string, string> } | ReturnType<typeof refused> {
    if (this.#isStateless) {
      this.#shared ??= new HttpSession(this.#options);
      return { session: this.#shared, headers: {} };
    }
    if (initializes) {
      const id = this.#newSession();
      const session = new HttpSession(this.#options);
      this.#sessions.set(id, session);
      return { session, headers: { [SESSION]: id } };
    }
    const id = headers[SESSION];
    if (id === undefined) return refused(400, 'Mcp-Session-Id is missing');
    const session = this.#sessions.get(id);
    return session ? { session, headers: {} } : refused(404, 'There is no such session');
  }
}

/** Over HTTP a recorded server that issued no session id has no sessions. */
function isStateless({ header, events }: Cassette): boolean {
  return (
    header.transport === 'http' && !events.some(({ frame }) => 'session' in frame && frame.session === 'new')
  );
}
