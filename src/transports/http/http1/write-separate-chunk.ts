import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Writes a chunk of its own, which leaves with what else this tick writes. From Node 26 on a response joins the chunks of a tick,
 * and drops them if its connection is lost meanwhile, but for those that the connection itself gathers. Gives whether
 * more can be taken now.
 */
export function writeSeparateChunk(response: ServerResponse, data: string | Uint8Array): boolean {
  const { socket } = response;
  if (socket?.writableCorked === 0) {
    socket.cork();
    process.nextTick(uncork, socket);
  }
  return response.write(data);
}

function uncork(socket: Socket): void {
  socket.uncork();
}
