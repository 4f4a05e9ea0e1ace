import type { IncomingMessage } from 'node:http';
import { headerOf, isIdentity, mediaType } from '../headers.ts';

/** A form is some fields; a longer body is passed on as it is, and unread. */
const FORM_BYTES_MAX = 256 * 1024;

/** Whether a request carries a form whose length is known, and that can be read as it is. */
export function isForm({ method, headers, rawHeaders }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    mediaType(headerOf(rawHeaders, 'content-type')) === 'application/x-www-form-urlencoded' &&
    // Who waits to be asked for the body is asked by the server itself.
    headers.expect === undefined &&
    Number(headerOf(rawHeaders, 'content-length')) <= FORM_BYTES_MAX &&
    isIdentity(rawHeaders)
  );
}

/** Reads a form whole. Never gives one whose client has left. */
export function readForm(request: IncomingMessage, done: (text: string) => void): void {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => void pieces.push(piece));
  request.once('end', () => {
    if (!request.socket.readableEnded) done(Buffer.concat(pieces).toString());
  });
}
