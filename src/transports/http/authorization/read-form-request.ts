import { headerOf, isIdentity, mediaType } from '../http1/raw-headers.ts';
import type { RequestHead } from '../http1/request-head.ts';
import type { Listener } from '../proxy/exchange-options.ts';

/** Maximum length of a form. A longer body is forwarded unread. */
const FORM_BYTES_MAX = 256 * 1024;

/** Reports whether a request carries an uncompressed form of known length. */
export function isForm({ method, headers }: Pick<RequestHead, 'method' | 'headers'>): boolean {
  return (
    method === 'POST' &&
    mediaType(headerOf(headers, 'content-type')) === 'application/x-www-form-urlencoded' &&
    // With `Expect`, only the server may request the body.
    headerOf(headers, 'expect') === undefined &&
    Number(headerOf(headers, 'content-length')) <= FORM_BYTES_MAX &&
    isIdentity(headers)
  );
}

/** Collects a complete form. */
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
