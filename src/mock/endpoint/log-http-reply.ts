import type { LoggedExchange } from '../../journal/http-message-log.ts';
import { parseJson } from '../../protocol/json-text.ts';
import type { HttpResponseWriter } from '../../replay/http/http-response-writer-types.ts';

/** Returns a reply writer that also notes server requests and issued session ids on `exchange`. */
export function observeReply(reply: HttpResponseWriter, exchange: LoggedExchange): HttpResponseWriter {
  return {
    answer(answer) {
      exchange.addResponseHeaders(answer.headers ?? {});
      reply.answer(answer);
    },
    stream(headers) {
      exchange.addResponseHeaders(headers);
      reply.stream(headers);
    },
    event(data, sse) {
      // Parses possible requests only, because most events are other messages.
      if (data?.includes('"method"') && data.includes('"id"')) exchange.addServerMessage(parseJson(data));
      reply.event(data, sse);
    },
    begin(answer) {
      exchange.addResponseHeaders(answer.headers ?? {});
      reply.begin(answer);
    },
    write: (data) => reply.write(data),
    end: () => reply.end(),
    abort: (how) => reply.abort(how),
  };
}
