import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Headers, Side } from '../../channel/frame.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import { type Passing, passAnswer } from './answer.ts';
import type { Way } from './authorization/authorization.ts';
import { loseAlike, reset } from './loss.ts';
import type { Names } from './names.ts';
import type { HttpPiece, Loss } from './piece.ts';
import { badUpstream, refuse } from './refuse.ts';
import { requestTo } from './request-to.ts';
import type { ServerConnection } from './server-connection.ts';
import type { ServerConnections } from './server-connections.ts';

/** What the exchanges of a proxy have in common. */
export interface Common {
  names: Names;
  /** Sent to the server in the place of the client's, where both have one. Absent: none. */
  headers?: Headers;
  clock: Clock;
  /** Told when the server cannot be reached, or does not speak HTTP. */
  trouble(error: McpRecordError): void;
}

export interface ExchangeOptions {
  common: Common;
  request: IncomingMessage;
  response: ServerResponse;
  /** The body of the request, where it was read already. */
  asked: Uint8Array | undefined;
  /** Whom to ask, and for what. */
  way: Way;
  connections: ServerConnections;
  /** Sees each piece after it was passed on. Must not throw. */
  tap(piece: HttpPiece): void;
  /** Told once, when nothing more will pass. */
  done(): void;
}

export interface Exchange {
  /** The client's connection was lost. */
  clientGone(how: Loss): void;
  /** Closes the connection to the server, and says nothing more. */
  drop(): void;
}

/**
 * Passes one request on and its answer back, chunk by chunk as they come, and loses each connection as the other was
 * lost. Never asks twice.
 */
export function relayExchange(options: ExchangeOptions): Exchange {
  const { request, response, asked, tap } = options;
  const { upstream, path } = options.way;
  const { clock } = options.common;
  const body = asked === undefined ? request : Readable.from([asked]);
  let far: ServerConnection | undefined;
  let passing: Passing | undefined;
  let isOver = false;
  const finish = () => {
    isOver = true;
    options.done();
  };
  const lose = (from: Side, how: Loss) => {
    finish();
    tap({ kind: 'gone', at: clock.now(), from, how });
  };
  const clientGone = (how: Loss) => {
    if (isOver) return;
    if (far && how === 'rst') reset(far.socket);
    far?.destroy();
    lose('client', how);
  };
  const serverGone = (how: Loss) => {
    if (isOver) return;
    passing?.settle?.();
    if (response.socket) loseAlike(response.socket, how);
    far?.destroy();
    lose('server', how);
  };
  const unanswered = (error: Error, isGarbage: boolean) => {
    if (isOver) return;
    if (response.headersSent) return serverGone('fin');
    const said = badUpstream(upstream, error, isGarbage);
    options.common.trouble(said);
    far?.destroy();
    refuse(response, 502, said);
    lose('server', 'rst');
  };
  const answered = () => {
    finish();
    tap({ kind: 'end', at: clock.now(), from: 'server' });
    // An answer before the end of the question: what is left of that is nobody's any more.
    if (!far?.isAsked) response.once('finish', () => far?.destroy());
  };

  const ask = (connection: ServerConnection) => {
    if (isOver) return connection.destroy();
    far = connection;
    body.on('data', (data: Buffer) => {
      if (isOver) return;
      if (!connection.write(data)) body.pause();
      tap({ kind: 'data', at: clock.now(), from: 'client', data });
    });
    body.on('end', () => {
      connection.end();
      if (!isOver) tap({ kind: 'end', at: clock.now(), from: 'client' });
    });
    connection.ask(requestTo(options), {
      proceed: () => response.writeContinue(),
      head: (head) => {
        passing = passAnswer(options, head, { far: connection, answered, unanswered });
      },
      data: (data) => {
        if (!isOver) passing?.data(data);
      },
      settle: () => {
        if (!isOver) passing?.settle?.();
      },
      end: () => {
        if (!isOver) passing?.end();
      },
      drain: () => body.resume(),
      invalid: (error) => unanswered(error, true),
      lost: (how, unreachable) => (unreachable ? unanswered(unreachable, false) : serverGone(how)),
    });
  };

  tap({ kind: 'request', at: clock.now(), method: request.method ?? '', path, headers: request.rawHeaders });
  options.connections.take(upstream, ask, (error) => unanswered(error, false));
  const drop = () => {
    finish();
    far?.destroy();
  };
  return { clientGone, drop };
}
