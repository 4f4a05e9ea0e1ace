import { headerOf, isIdentity, mediaType } from '../http1/raw-headers.ts';
import type { RequestHead } from '../http1/request-head.ts';
import type { Listener } from '../proxy/forward-exchange.ts';

/** A form is some fields; a longer body is passed on as it is, and unread. */
const FORM_BYTES_MAX = 256 * 1024;

/** Whether a request carries an uncompressed form of known length. */
export function isForm({ method, headers }: RequestHead): boolean {
  return (
    method === 'POST' &&
    mediaType(headerOf(headers, 'content-type')) === 'application/x-www-form-urlencoded' &&
    // Who waits to be asked for the body is asked by the server itself.
    headerOf(headers, 'expect') === undefined &&
    Number(headerOf(headers, 'content-length')) <= FORM_BYTES_MAX &&
    isIdentity(headers)
  );
}

/** Reads a form whole. */
export function readForm(done: (text: string) => Listener | undefined): Listener {
  const pieces: Buffer[] = [];
  let then: Listener | undefined;
  return {
    data: (piece) => void pieces.push(piece),
    end() {
      then = done(Buffer.concat(pieces).toString());
    },
    settle: () => then?.settle(),
  };
}
