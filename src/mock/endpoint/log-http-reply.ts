import type { LoggedExchange } from '../../journal/http-message-log.ts';
import { parseJson } from '../../protocol/json-text.ts';
import type { HttpResponseWriter } from '../../replay/http/http-response-writer-types.ts';

/** Returns a reply writer that also notes server requests and issued session ids on `exchange`. */
export function observeReply(reply: HttpResponseWriter, exchange: LoggedExchange): HttpResponseWriter {
  // Parses possible requests only, because most events and bodies are other messages.
  const hear = (text: string | Uint8Array | undefined) => {
    if (typeof text === 'string' && text.includes('"method"') && text.includes('"id"'))
      exchange.addServerMessage(parseJson(text));
  };
  return {
    answer(answer) {
      exchange.addResponseHeaders(answer.headers ?? {});
      hear(answer.body);
      reply.answer(answer);
    },
    stream(headers) {
      exchange.addResponseHeaders(headers);
      reply.stream(headers);
    },
    event(data, sse) {
      hear(data);
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
