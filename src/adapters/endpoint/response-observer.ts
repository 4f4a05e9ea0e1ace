import { type HttpDelivery, jsonOf } from '../../journal/http-deliveries.ts';
import type { HttpReply } from '../../replay/http/http-reply.ts';

/** The same reply, which `exchange` hears: what the server asks its client, and the session that it issues. */
export function observeResponse(reply: HttpReply, exchange: HttpDelivery): HttpReply {
  return {
    answer(answer) {
      exchange.answered(answer.headers ?? {});
      reply.answer(answer);
    },
    stream(headers) {
      exchange.answered(headers);
      reply.stream(headers);
    },
    event(data, sse) {
      // Only a request is looked for: most events need not be parsed.
      if (data?.includes('"method"') && data.includes('"id"')) exchange.said(jsonOf(data));
      reply.event(data, sse);
    },
    begin(answer) {
      exchange.answered(answer.headers ?? {});
      reply.begin(answer);
    },
    write: (data) => reply.write(data),
    end: () => reply.end(),
    lose: (how) => reply.lose(how),
  };
}
