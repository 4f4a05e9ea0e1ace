import type { Headers } from '../../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../../kernel/clock.ts';
import { ask, type ClientExchange } from '../../../transports/http/client/client-exchange.ts';
import { headerOf } from '../../../transports/http/http1/raw-headers.ts';
import { requestHeaders } from '../../../transports/http/mcp-headers/request-headers.ts';
import type { Upstream } from '../../../transports/http/upstream/parse-upstream.ts';
import { agentFor } from '../../../transports/http/upstream/upstream-agent.ts';

export interface OtherClientOptions {
  upstream: Upstream;
  clock: Clock;
  /** Headers of every request, in lower case. */
  headers: Headers;
  ca?: readonly string[] | undefined;
  /** The recorded `initialize`, as JSON text. Absent: the session has none. */
  initialize: string | undefined;
  /** Maximum wait for a response. */
  patience: Milliseconds;
}

/** Result of a DELETE. */
export interface EndedSession {
  session: string;
  /** Undefined: no response came in time. */
  status: number | undefined;
  /** HTTP status of a ping in the session after a DELETE that succeeded. Absent: none was sent, or answered in time. */
  pingAfter?: number;
}

/** Session and revision that a request names. Undefined: it names none. */
export interface Standing {
  session: string | undefined;
  revision: string | undefined;
}

/** Client beside the recorded one, with connections of its own. */
export interface OtherClient {
  /** Begins a session as the recorded client does. Returns its id. Undefined: the server issued none. */
  beginSession(): Promise<string | undefined>;
  /** Ends a session by DELETE, and pings in it if that succeeds. The result is one of `deletes`. */
  endSession(session: string, revision: string | undefined): Promise<void>;
  /** Posts a message, as JSON text, in a session. Resolves when the response begins, or when none comes in time. */
  post(message: string, standing: Standing): Promise<void>;
  /** Results of `endSession`. */
  readonly deletes: readonly EndedSession[];
  /** Closes all connections. No response arrives after that. */
  close(): void;
}

/** Returns a client of a server over HTTP, which connects with its first request. */
export function otherHttpClient({
  upstream,
  clock,
  headers,
  ca,
  initialize,
  patience,
}: OtherClientOptions): OtherClient {
  const agent = agentFor(upstream, ca);
  const open = new Set<ClientExchange>();
  const deletes: EndedSession[] = [];
  let isOver = false;
  const request = (method: string, own: Headers, content?: string): Promise<Answer | undefined> =>
    new Promise((resolve) => {
      const settle = (answer: Answer | undefined) => {
        stop();
        exchange.close('fin');
        open.delete(exchange);
        if (!isOver) resolve(answer);
      };
      const stop = clock.after(patience, () => settle(undefined));
      const path = upstream.path + upstream.search;
      const exchange = ask({
        upstream,
        agent,
        clock,
        method,
        path,
        headers: { ...own, ...headers },
        content,
        // An event stream may stay open after its first event, so the head is enough.
        head: ({ status, headers: received }) => {
          settle({ status, session: headerOf(received, 'mcp-session-id') });
        },
        event() {},
        comment() {},
        body() {},
        over: () => settle(undefined),
      });
      open.add(exchange);
    });
  return {
    deletes,
    async beginSession() {
      if (initialize === undefined) return undefined;
      const posted = { method: 'POST', message: JSON.parse(initialize) as unknown };
      const answer = await request('POST', requestHeaders(posted, {}), initialize);
      return answer !== undefined && answer.status < 300 ? answer.session : undefined;
    },
    async endSession(session, revision) {
      const standing = { session, revision };
      const status = (await request('DELETE', requestHeaders({ method: 'DELETE' }, standing)))?.status;
      const ended: EndedSession = { session, status };
      deletes.push(ended);
      if (status === undefined || status >= 300) return;
      const posted = { method: 'POST', message: PING };
      const pinged = await request('POST', requestHeaders(posted, standing), JSON.stringify(PING));
      if (pinged) ended.pingAfter = pinged.status;
    },
    async post(message, standing) {
      const posted = { method: 'POST', message: JSON.parse(message) as unknown };
      await request('POST', requestHeaders(posted, standing), message);
    },
    close() {
      isOver = true;
      for (const exchange of open) exchange.close('fin');
      agent.destroy();
    },
  };
}

const PING = { jsonrpc: '2.0', id: 'mcp-record:ping', method: 'ping' };

interface Answer {
  status: number;
  session: string | undefined;
}
