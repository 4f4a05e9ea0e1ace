import { type LoggedExchange, parseJson } from '../../journal/http-message-log.ts';
import type { ReplyWriter } from '../../replay/http/reply-writer.ts';

/** The same reply, which `exchange` hears: what the server asks its client, and the session that it issues. */
export function observeReply(reply: ReplyWriter, exchange: LoggedExchange): ReplyWriter {
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
      // Only a request is looked for: most events need not be parsed.
      if (data?.includes('"method"') && data.includes('"id"')) exchange.addServerMessage(parseJson(data));
      reply.event(data, sse);
    },
    begin(answer) {
      exchange.addResponseHeaders(answer.headers ?? {});
      reply.begin(answer);
    },
    write: (data) => reply.write(data),
    end: () => reply.end(),
    lose: (how) => reply.lose(how),
  };
}
