import { tokenAt } from '../protocol/id.ts';
import { elementsOf } from '../protocol/json-text.ts';
import { isRequest } from '../protocol/message.ts';
import { Casting } from './casting.ts';
import { Encore } from './encore.ts';
import type { HttpReply } from './http-exchange.ts';
import { type HttpRequest, type Posted, readPost, refused, refusedGet } from './http-request.ts';
import { HttpSession } from './http-session.ts';
import type { HttpTape } from './http-tape.ts';
import type { Stagecraft } from './performer.ts';
import { Repertoire } from './repertoire.ts';

export interface HttpServerOptions extends Omit<Stagecraft, 'say'> {
  /** The recorded server: one tape, or several of which each session is given one. */
  tapes: readonly HttpTape[];
  /** Makes the id of a session, which nobody can guess. */
  newSession(): string;
}

/** What a client asks, and what to do when its connection closes before it is answered. */
export type HttpHandler = (request: HttpRequest, reply: HttpReply) => () => void;

const SESSION = 'mcp-session-id';
const NOTHING = () => {};

/** The recorded server over Streamable HTTP, for any number of clients, each from the beginning of a tape. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #repertoire: Repertoire;
  readonly #sessions = new Map<string, HttpSession>();
  /** From 2026-07-28 on, and where the recorded server was stateless, there are no sessions. */
  readonly #shared: HttpSession | undefined;
  readonly #isStateless: boolean;

  constructor(options: HttpServerOptions) {
    const { tapes, ignore, report } = options;
    this.#options = options;
    const sessions = tapes.filter(({ hasSessions }) => hasSessions);
    this.#isStateless = sessions.length === 0;
    this.#repertoire = new Repertoire(sessions, ignore);
    // Beside tapes of sessions, what is no session of an older revision is only what failed to be one.
    const others = tapes.filter(({ hasSessions, modern }) => !hasSessions && (modern || this.#isStateless));
    if (others.length === 0) return;
    const perform = ({ say }: Pick<Stagecraft, 'say'>) => new Encore(others, { ...options, say });
    this.#shared = new HttpSession({ perform, modern: others.some(({ modern }) => modern), report });
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
    const found = this.#sessionFor(request, posted);
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
    const found = refusal ?? this.#sessionFor(request, {});
    if ('status' in found) {
      reply.answer(found);
      return NOTHING;
    }
    return found.session.listen(reply, found.headers);
  }

  #delete(request: HttpRequest, reply: HttpReply): void {
    const found = this.#isStateless ? refused(405, 'There are no sessions') : this.#sessionFor(request, {});
    if ('status' in found) return reply.answer(found);
    found.session.end();
    this.#sessions.delete(request.headers[SESSION]!);
    reply.answer({ status: 200 });
  }

  /** Streamable HTTP, "Session Management": 400 without an id, 404 with one that is not, or no more, a session's. */
  #sessionFor(
    { headers }: HttpRequest,
    { initializes = false, modern = false }: Partial<Posted>,
  ): { session: HttpSession; headers: Record<string, string> } | ReturnType<typeof refused> {
    if (this.#shared && (modern || this.#isStateless)) return { session: this.#shared, headers: {} };
    if (initializes) {
      const id = this.#options.newSession();
      const session = this.#open();
      this.#sessions.set(id, session);
      return { session, headers: { [SESSION]: id } };
    }
    const id = headers[SESSION];
    if (id === undefined) return refused(400, 'Mcp-Session-Id is missing');
    const session = this.#sessions.get(id);
    return session ? { session, headers: {} } : refused(404, 'There is no such session');
  }

  #open(): HttpSession {
    const { report } = this.#options;
    const perform = ({ say }: Pick<Stagecraft, 'say'>) =>
      new Casting(this.#repertoire, { ...this.#options, say });
    return new HttpSession({ perform, modern: false, report });
  }
}
