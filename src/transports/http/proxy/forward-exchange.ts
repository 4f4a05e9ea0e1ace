import type { Side } from '../../../channel/frame.ts';
import { redirectToPage } from '../authorization/redirect-to-login-page.ts';
import { reset } from '../http1/mirror-close.ts';
import { endToEnd } from '../http1/raw-headers.ts';
import type { UpstreamConnection } from '../upstream/upstream-connection.ts';
import { badUpstream, refuse } from './error-response.ts';
import type { ExchangeOptions, ForwardedExchange, ResponseHandler } from './exchange-options.ts';
import { forwardResponse } from './forward-response.ts';
import type { CloseKind } from './http-traffic.ts';
import { upstreamRequest } from './upstream-request-head.ts';

/**
 * Forwards one request and its response, piece by piece. A lost connection closes the other one in the same way. The
 * request is never repeated.
 */
export function forwardExchange(options: ExchangeOptions): ForwardedExchange {
  const { request, answer, client, asked, tap } = options;
  const { upstream, path, page } = options.way;
  const { clock } = options.common;
  /** Body pieces that arrived before an upstream connection was ready. */
  const early = asked === undefined ? [] : [asked];
  let isAsked = asked !== undefined;
  let far: UpstreamConnection | undefined;
  let passing: ResponseHandler | undefined;
  let isOver = false;
  /** Whether the upstream connection became available asynchronously. */
  let isLate = false;
  const finish = () => {
    isOver = true;
    // Discards the rest of the request.
    client.resume();
    options.done();
  };
  const lose = (from: Side, how: CloseKind) => {
    isOver = true;
    tap({ kind: 'gone', at: clock.now(), from, how });
    finish();
  };
  const clientGone = (how: CloseKind) => {
    if (isOver) return;
    if (far && how === 'rst') reset(far.socket);
    far?.destroy();
    lose('client', how);
  };
  const serverGone = (how: CloseKind) => {
    if (isOver) return;
    client.lose(how);
    far?.destroy();
    lose('server', how);
  };
  const unanswered = (error: Error, isGarbage: boolean) => {
    if (isOver) return;
    if (answer.isBegun) return serverGone('fin');
    const said = badUpstream(upstream, error, isGarbage);
    options.common.trouble(said);
    far?.destroy();
    // The browser may reach the page without the proxy.
    if (page !== undefined) redirectToPage(answer, page, options.common.trouble);
    else refuse(answer, 502, said);
    lose('server', 'rst');
  };
  const answered = () => {
    tap({ kind: 'end', at: clock.now(), from: 'server' });
    // The response came before the end of the request: the rest of the request is dropped.
    if (!far?.isAsked) far?.destroy();
    finish();
  };
  const pass = (connection: UpstreamConnection, data: Uint8Array) => {
    if (isOver) return;
    if (!connection.write(data)) client.pause();
    tap({ kind: 'data', at: clock.now(), from: 'client', data });
  };
  const passEnd = (connection: UpstreamConnection) => {
    connection.end();
    if (!isOver) tap({ kind: 'end', at: clock.now(), from: 'client' });
  };

  const ask = (connection: UpstreamConnection) => {
    if (isOver) return connection.destroy();
    far = connection;
    if (isLate) client.resume();
    connection.ask(upstreamRequest(options), {
      interim: ({ status, statusMessage, headers }) => answer.interim(status, statusMessage, endToEnd(headers)),
      head: (head) => {
        passing = forwardResponse(options, head, { far: connection, answered });
      },
      data: (data) => {
        if (!isOver) passing?.data(data);
      },
      settle: () => {
        if (!isOver) answer.settle();
      },
      end: () => {
        if (!isOver) passing?.end();
      },
      drain: () => client.resume(),
      invalid: (error) => unanswered(error, true),
      lost: (how, unreachable) => (unreachable ? unanswered(unreachable, false) : serverGone(how)),
    });
    for (const data of early) pass(connection, data);
    if (isAsked) passEnd(connection);
    if (isLate) connection.settle();
  };

  tap({ kind: 'request', at: clock.now(), method: request.method, path, headers: request.headers });
  options.connections.take(upstream, ask, (error) => unanswered(error, false));
  isLate = true;
  return {
    get isOver() {
      return isOver;
    },
    data(data) {
      if (isOver) return;
      if (far !== undefined) return pass(far, data);
      early.push(data);
      client.pause();
    },
    end() {
      isAsked = true;
      if (far !== undefined) passEnd(far);
    },
    settle: () => far?.settle(),
    clientGone,
    drop() {
      finish();
      far?.destroy();
    },
  };
}
