import type { Socket } from 'node:net';
import type { CloseKind } from '../proxy/http-traffic.ts';

const losses = new WeakMap<Socket, CloseKind>();

/** Records from now on how `socket` ends. Repeated calls do nothing. */
export function trackClose(socket: Socket): void {
  if (losses.has(socket)) return;
  losses.set(socket, 'fin');
  socket.once('error', () => losses.set(socket, 'rst'));
}

/** Returns how a tracked socket ended. A network error counts as a reset. */
export function closeKindOf(socket: Socket | null | undefined): CloseKind {
  return (socket && losses.get(socket)) ?? 'fin';
}

/** Flushes pending writes, then closes a socket with the given close kind. */
export function mirrorClose(socket: Socket, how: CloseKind): void {
  if (how === 'fin') return socket.destroySoon();
  // Flushes first: a reset would discard pending data that the other connection delivered.
  while (socket.writableCorked > 0) socket.uncork();
  if (socket.writable) socket.write('', () => reset(socket));
  else reset(socket);
}

/** Closes a connection immediately with a reset. */
export function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    // Only plain TCP can be reset; TLS is closed.
    socket.destroy();
  }
}
