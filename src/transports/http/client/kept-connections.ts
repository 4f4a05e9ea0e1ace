import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { Milliseconds } from '../../../kernel/clock.ts';
import { headerOf } from '../http1/raw-headers.ts';
import type { RawHeaders } from '../proxy/http-traffic.ts';

/** Default lifetime of an idle connection, if the server announces none. Equal to the default of undici. */
const UNHINTED_MAX: Milliseconds = 4_000;
/** Part of the announced time that is not used, because a request takes time to arrive. */
const HINT_MARGIN: Milliseconds = 1_000;

interface Use {
  /** When the last request began. */
  since: Milliseconds;
  max: Milliseconds;
}

const uses = new WeakMap<Socket, Use>();

/** Notes that a request begins on a connection. */
export function noteRequest(socket: Socket, now: Milliseconds): void {
  uses.set(socket, { max: UNHINTED_MAX, ...uses.get(socket), since: now });
}

/** Notes how long the server keeps a connection, if its response says so (`Keep-Alive: timeout=5`). */
export function noteKeepAlive(socket: Socket, headers: RawHeaders): void {
  const use = uses.get(socket);
  const seconds = /(?:^|[\s,])timeout=(\d{1,9})/i.exec(headerOf(headers, 'keep-alive') ?? '')?.[1];
  if (use && seconds !== undefined) use.max = Number(seconds) * 1_000 - HINT_MARGIN;
}

/**
 * Closes the idle connections of an agent that their server may be closing at this moment. A request on such a connection
 * would fail, and the server would seem to have refused it.
 *
 * The time counts from the last request: a process that is late reads a response long after it has arrived, and the
 * server counts from when it sent it.
 */
export function closeOldConnections({ freeSockets }: Agent, now: Milliseconds): void {
  for (const sockets of Object.values(freeSockets)) {
    const isOld = sockets?.some((socket) => {
      const use = uses.get(socket);
      return use !== undefined && now - use.since > use.max;
    });
    // An agent takes the newest one, and looks only at the oldest one to find whether it is closed.
    if (isOld) for (const socket of sockets ?? []) socket.destroy();
  }
}
