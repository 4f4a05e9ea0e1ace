import type { Headers } from '../../../channel/frame.ts';
import type { HttpResponseWriter } from '../http-response-writer-types.ts';
import type { HttpRequest } from './accept-or-refuse-request.ts';

type Serve = (request: HttpRequest, reply: HttpResponseWriter) => () => void;

const CHALLENGE = 'www-authenticate';

/** Beginning of a URL, up to its authority. */
const ORIGIN = /https?:\/\/[^\s"'\\,;<>/?#]+/gi;

/**
 * Returns a wrapper of a handler. Challenges of the wrapped handler name the origin by which the client reaches it, in place of the origins of recorded
 * servers. Otherwise a client would ask the real server for its metadata. Other origins stay.
 */
export function replacingRecordedOrigins(recorded: () => readonly { url?: string }[]): (serve: Serve) => Serve {
  return (serve) => (request, reply) => {
    const { host } = request.headers;
    // Where requests are intercepted, there is no host, and the client knows the recorded address only.
    if (host === undefined) return serve(request, reply);
    const inPlace = <T extends { headers?: Headers }>(answer: T): T => {
      const name = Object.keys(answer.headers ?? {}).find((one) => one.toLowerCase() === CHALLENGE);
      if (name === undefined) return answer;
      const origins = recorded().map(({ url = '' }) => originOf(url));
      const challenge = answer.headers![name]!.replace(ORIGIN, (uri) => {
        const origin = originOf(uri);
        return origin !== undefined && origins.includes(origin) ? `http://${host}` : uri;
      });
      return { ...answer, headers: { ...answer.headers, [name]: challenge } };
    };
    return serve(request, {
      answer: (answer) => reply.answer(inPlace(answer)),
      begin: (answer) => reply.begin(inPlace(answer)),
      stream: (headers) => reply.stream(inPlace({ headers }).headers),
      event: (data, sse) => reply.event(data, sse),
      write: (data) => reply.write(data),
      end: () => reply.end(),
      abort: (how) => reply.abort(how),
    });
  };
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
