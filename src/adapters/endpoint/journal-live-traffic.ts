import type { Headers } from '../../channel/frame.ts';
import type { HttpMessageLog, LoggedExchange } from '../../journal/http-message-log.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { byName, mediaType } from '../../transports/http/http1/raw-headers.ts';
import type { HttpTrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import { SseDecoder } from '../../transports/http/sse/sse-decoder.ts';

/** Maximum length of a logged event. Longer events are forwarded, but not logged. */
const HOLD_BYTES_MAX = 64 * 1024 * 1024;

/** Returns a function that logs an exchange with a real server, from its pieces. */
export function logTrafficMessages(sessions: HttpMessageLog): (piece: HttpTrafficEvent) => void {
  let headers: Headers = {};
  let exchange: LoggedExchange | undefined;
  let body = '';
  /** Body of the response, unless it is an event stream. */
  let answer: Buffer[] | undefined;
  const decoder = new SseDecoder({
    event: ({ data }) => exchange?.addServerMessage(parseJson(String(data ?? ''))),
    comment() {},
    holdBytesMax: HOLD_BYTES_MAX,
  });
  return (piece) => {
    if (piece.kind === 'request') headers = byName(piece.headers);
    else if (piece.kind === 'data' && piece.from === 'client') body += Buffer.from(piece.data).toString();
    else if (piece.kind === 'end' && piece.from === 'client')
      exchange = sessions.startExchange(headers, parseJson(body));
    else if (piece.kind === 'response') {
      const fields = byName(piece.headers);
      exchange?.addResponseHeaders(fields);
      if (mediaType(fields['content-type']) === 'application/json') answer = [];
    } else if (piece.kind === 'data' && answer === undefined) decoder.write(piece.data);
    else if (piece.kind === 'data') answer?.push(Buffer.from(piece.data));
    else if (piece.kind === 'end' && answer) exchange?.addServerMessage(parseJson(Buffer.concat(answer).toString()));
  };
}
