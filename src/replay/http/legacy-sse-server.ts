import { withoutMark } from '../../channel/line-to-message.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isMessage } from '../../protocol/message.ts';
import type { PlayedRun } from '../player/player-options.ts';
import type { HttpResponseWriter } from './http-response-writer-types.ts';
import { type HttpRequest, type HttpResponse, refused } from './requests/accept-or-refuse-request.ts';
import type { ServerSession } from './server-session.ts';

export interface LegacySseServerOptions {
  /** Opens a session, at the beginning of a cassette. */
  open(): ServerSession;
  /** Makes an unguessable session id. */
  newSession(): string;
  /** Notes a refused request. `session` is the id in its target. */
  refused(request: HttpRequest, answer: HttpResponse, session: string | undefined): void;
}

/** Path of the SSE stream, as on servers of 2024-11-05. */
export const SSE_PATH = '/sse';
/** Path for POST requests, announced in the first event. */
export const SSE_ENDPOINT = '/messages';

const ID = 'sessionId';
const INVALID_REQUEST = -32600;
const NOTHING = () => {};

/**
 * A mock server over HTTP with SSE (2024-11-05). A stream is a session. Its first event announces the URL for POST
 * requests, and all server messages are sent on it.
 */
export class LegacySseServer {
  readonly #options: LegacySseServerOptions;
  readonly #sessions = new Map<string, ServerSession>();

  constructor(options: LegacySseServerOptions) {
    this.#options = options;
  }

  /** Opens a session on the stream of `reply`. Returns the callback for its close. */
  listen(reply: HttpResponseWriter): () => void {
    const id = this.#options.newSession();
    const session = this.#options.open();
    this.#sessions.set(id, session);
    session.listen(reply, `${SSE_ENDPOINT}?${ID}=${encodeURIComponent(id)}`);
    return () => {
      this.#sessions.delete(id);
      session.end();
    };
  }

  /** Passes a message to the session named in the request target. */
  post(request: HttpRequest, reply: HttpResponseWriter): () => void {
    reply.answer(this.#take(request));
    return NOTHING;
  }

  /** As {@link Player.faulted}, for every client. */
  faulted(fired: Fired): void {
    for (const session of this.#sessions.values()) session.faulted(fired);
  }

  /** As {@link MessageHandler.runs}, of every client. */
  get runs(): PlayedRun[] {
    return [...this.#sessions.values()].flatMap(({ runs }) => runs);
  }

  /** Ends every session. Later POST requests get 404. Returns the number of ended sessions. */
  end(): number {
    const ended = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const session of ended) session.end();
    return ended.length;
  }

  #take(request: HttpRequest): HttpResponse {
    const { method, target = '' } = request;
    const id = legacySessionOf(target);
    const refuse = (answer: HttpResponse) => {
      this.#options.refused(request, answer, id);
      return answer;
    };
    if (method !== 'POST') return refuse({ ...refused(405, 'Messages are posted here'), headers: { allow: 'POST' } });
    const session = this.#sessions.get(id ?? '');
    if (session === undefined) return refuse(refused(404, 'There is no such session'));
    const json = messageIn(request.body);
    if (json === undefined) return refuse(refused(400, 'The body is no JSON-RPC', { code: INVALID_REQUEST }));
    session.tell(json);
    return { status: 202, headers: { 'content-type': 'text/plain' }, body: 'Accepted' };
  }
}

/** Returns the session id in the target of a POST request, if it has one. */
export function legacySessionOf(target: string): string | undefined {
  if (!target.startsWith(SSE_ENDPOINT)) return undefined;
  return new URLSearchParams(target.slice(SSE_ENDPOINT.length)).get(ID) ?? undefined;
}

function messageIn(body: string): JsonText | undefined {
  const json = new JsonText(withoutMark(body));
  try {
    const { value } = json;
    return isMessage(value) ? json : undefined;
  } catch {
    return undefined;
  }
}
