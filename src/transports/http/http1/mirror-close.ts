import type { Socket } from 'node:net';
import type { CloseKind } from '../proxy/http-traffic.ts';

const losses = new WeakMap<Socket, CloseKind>();

/** Notes how `socket` will end, from now on. Calling it again is harmless. */
export function trackClose(socket: Socket): void {
  if (losses.has(socket)) return;
  losses.set(socket, 'fin');
  socket.once('error', () => losses.set(socket, 'rst'));
}

/** How a watched socket ended: an error of the network counts as a reset. */
export function closeKindOf(socket: Socket | null | undefined): CloseKind {
  return (socket && losses.get(socket)) ?? 'fin';
}

/** Closes a socket in the same way as another was closed, after its pending writes. */
export function mirrorClose(socket: Socket, how: CloseKind): void {
  if (how === 'fin') return socket.destroySoon();
  // A reset would throw away what is still in our hands, and the other connection delivered it.
  while (socket.writableCorked > 0) socket.uncork();
  if (socket.writable) socket.write('', () => reset(socket));
  else reset(socket);
}

/** Ends a connection at once, as one that broke. */
export function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    // Only plain TCP can be reset; TLS is closed.
    socket.destroy();
  }
}
