import type { SseFields } from '../../channel/frame.ts';
import type { CloseKind } from '../../transports/http/proxy/http-traffic.ts';
import type { HttpResponse } from './requests/accept-or-refuse-request.ts';

/** Writes the HTTP response to one request. */
export interface HttpResponseWriter {
  /** Writes a whole response. */
  answer(answer: HttpResponse): void;
  /** Begins an event stream. */
  stream(headers: Readonly<Record<string, string>>): void;
  /** Writes an event of the stream. */
  event(data: string | undefined, sse?: SseFields): void;
  /** Begins a response with its headers. */
  begin(answer: Omit<HttpResponse, 'body'>): void;
  /** Writes bytes of the response that was begun. */
  write(data: Uint8Array): void;
  end(): void;
  /** Closes the connection abnormally at once: the client sees a truncated response. */
  abort(how: CloseKind): void;
}
