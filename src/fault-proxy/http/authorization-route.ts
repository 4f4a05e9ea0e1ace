import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { AuthorizationProxy, RouteDecision } from '../../transports/http/authorization/authorization-proxy.ts';
import { isForm } from '../../transports/http/authorization/read-form-request.ts';
import { redirectToPage } from '../../transports/http/authorization/redirect-to-login-page.ts';
import { cannotAuthorize, refuseForm } from '../../transports/http/proxy/error-response.ts';
import type { Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import type { ExchangeOptions } from './faulty-exchange.ts';

/** Target of a request, with its body. */
export type RequestToForward = Pick<ExchangeOptions, 'upstream' | 'path' | 'route' | 'body'>;

/** Decision about a request before its body is read. */
export type Routed =
  | { refusal: number; why: string }
  | { decision: Exclude<RouteDecision, { refusal: number }>; authorization: AuthorizationProxy; isOfToken: boolean }
  | { upstream: Upstream; path: string };

/** Returns the target of a request. Without `authorization`, it is always the server. */
export function routeRequest(
  authorization: AuthorizationProxy | undefined,
  { request, path, upstream }: { request: IncomingMessage; path: string; upstream: Upstream },
): Routed {
  if (authorization === undefined) return { upstream, path };
  const { method = '', rawHeaders } = request;
  const decision = authorization.turn({ method, path, host: request.headers.host ?? '' });
  if ('refusal' in decision) return decision;
  const isElsewhere = !('upstream' in decision) || decision.isAside || path.split('?', 1)[0] !== upstream.path;
  const isOfToken = isElsewhere && isForm({ method, headers: rawHeaders });
  return { decision, authorization, isOfToken };
}

/**
 * Returns the request to forward, with its form rewritten for an authorization server. Undefined: the request was
 * answered with a redirect or a refusal.
 */
export function forwardedBody(
  routed: Exclude<Routed, { refusal: number }>,
  { response, body, trouble }: { response: ServerResponse; body: Uint8Array; trouble(error: McpRecordError): void },
): RequestToForward | undefined {
  if (!('decision' in routed)) return { ...routed, body };
  const { decision, authorization, isOfToken } = routed;
  const answer = {
    head: (status: number, text: string, headers: readonly string[]) =>
      void response.writeHead(status, text, [...headers]),
    write: (data: Uint8Array) => response.write(data),
    end: () => void response.end(),
  };
  if (!('upstream' in decision)) return void redirectToPage(answer, decision.page, trouble);
  const { upstream, path } = decision;
  if (!isOfToken) return { upstream, path, route: decision, body };
  const form = authorization.form(Buffer.from(body).toString());
  if ('text' in form) {
    if (form.warning !== undefined) trouble(cannotAuthorize(form.warning));
    return { upstream, path, route: decision, body: Buffer.from(form.text) };
  }
  trouble(cannotAuthorize(form.refusal));
  return void refuseForm(answer, form.refusal);
}
