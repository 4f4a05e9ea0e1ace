import type { McpRecordError } from '../../../kernel/errors.ts';
import { headerOf } from '../http1/raw-headers.ts';
import type { ResponseHead } from '../http1/response-head.ts';
import type { ResponseWriter } from '../http1/response-writer.ts';
import { cannotAuthorize } from '../proxy/error-response.ts';
import type { ExchangeLifecycle, ExchangeOptions, ResponseHandler } from '../proxy/exchange-options.ts';
import type { AuthorizationPage } from './rewrite-issuer-in-redirect.ts';

/** Redirects the browser to the real address of a page. Forms, cookies and passwords never pass the proxy. */
export function redirectToPage(
  answer: ResponseWriter,
  { address, warning }: AuthorizationPage,
  trouble: (error: McpRecordError) => void,
): void {
  if (warning !== undefined) trouble(cannotAuthorize(warning));
  redirect(answer, address);
}

/**
 * Forwards a redirect straight back to the client, from an authorization server that shows no page. For any other
 * response the browser is redirected to the page itself, because the response may depend on the browser's cookies.
 */
export function redirectPageResponse(
  { answer, way, common, tap }: ExchangeOptions,
  page: AuthorizationPage,
  { head: { status, headers }, course }: { head: ResponseHead; course: ExchangeLifecycle },
): ResponseHandler {
  tap({ kind: 'response', at: common.clock.now(), status, headers });
  const location = status >= 300 && status < 400 ? headerOf(headers, 'location') : undefined;
  const back = location === undefined ? undefined : way.rewriting.back(location);
  // Not reused: the rest of the response is dropped, and reading it could take long.
  answer.isLasting = false;
  if (back === undefined) redirectToPage(answer, page, common.trouble);
  else redirect(answer, back);
  return { data() {}, end: () => course.answered() };
}

function redirect(answer: ResponseWriter, location: string): void {
  answer.head(302, 'Found', ['location', location, 'content-length', '0', 'cache-control', 'no-store']);
  answer.end();
}
