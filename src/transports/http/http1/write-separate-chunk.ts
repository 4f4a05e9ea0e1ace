import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onNextTick } from '../../../kernel/platform/next-tick.ts';

/**
 * Writes a separate chunk, sent together with the other writes of this tick. False: wait before writing more. From Node
 * 26 on, a response joins the chunks of a tick, and drops them if its connection is lost meanwhile. Chunks that the
 * socket itself gathers are not affected.
 */
export function writeSeparateChunk(response: ServerResponse, data: string | Uint8Array): boolean {
  const { socket } = response;
  if (socket?.writableCorked === 0) {
    socket.cork();
    onNextTick(() => uncork(socket));
  }
  return response.write(data);
}

function uncork(socket: Socket): void {
  socket.uncork();
}
