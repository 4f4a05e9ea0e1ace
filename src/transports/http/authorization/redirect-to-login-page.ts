import type { McpRecordError } from '../../../kernel/errors.ts';
import { headerOf } from '../http1/raw-headers.ts';
import type { ResponseHead } from '../http1/response-head.ts';
import type { ResponseWriter } from '../http1/response-writer.ts';
import { cannotAuthorize } from '../proxy/error-response.ts';
import type { ExchangeLifecycle, ExchangeOptions, ResponseHandler } from '../proxy/exchange-options.ts';
import type { Rewriting } from './authorization-proxy.ts';
import type { AuthorizationPage } from './rewrite-issuer-in-redirect.ts';

/** Redirects the browser to the real address of a page. Forms, cookies and passwords never pass the proxy. */
export function redirectToPage(
  answer: Pick<ResponseWriter, 'head' | 'end'>,
  page: AuthorizationPage,
  trouble: (error: McpRecordError) => void,
): void {
  redirect(answer, pageAddress(page, trouble));
}

/** Returns the real address of a page, and reports why some clients refuse the redirect from there. */
export function pageAddress({ address, warning }: AuthorizationPage, trouble: (error: McpRecordError) => void): string {
  if (warning !== undefined) trouble(cannotAuthorize(warning));
  return address;
}

/**
 * Returns the address for the browser: straight back to the client, if the authorization server shows no page, or that
 * of the page.
 */
export function redirectTarget({
  page,
  rewriting,
  head: { status, headers },
  trouble,
}: {
  page: AuthorizationPage;
  rewriting: Pick<Rewriting, 'back'>;
  head: ResponseHead;
  trouble(error: McpRecordError): void;
}): string {
  const location = status >= 300 && status < 400 ? headerOf(headers, 'location') : undefined;
  return (location === undefined ? undefined : rewriting.back(location)) ?? pageAddress(page, trouble);
}

/**
 * Forwards a redirect straight back to the client, from an authorization server that shows no page. For any other
 * response the browser is redirected to the page itself, because the response may depend on the browser's cookies.
 */
export function redirectPageResponse(
  { answer, way, common, tap }: ExchangeOptions,
  page: AuthorizationPage,
  { head, course }: { head: ResponseHead; course: ExchangeLifecycle },
): ResponseHandler {
  tap({ kind: 'response', at: common.clock.now(), status: head.status, headers: head.headers });
  // Not reused: the rest of the response is dropped, and reading it could take long.
  answer.isLasting = false;
  redirect(answer, redirectTarget({ page, rewriting: way.rewriting, head, trouble: common.trouble }));
  return { data() {}, end: () => course.answered() };
}

function redirect(answer: Pick<ResponseWriter, 'head' | 'end'>, location: string): void {
  answer.head(302, 'Found', ['location', location, 'content-length', '0', 'cache-control', 'no-store']);
  answer.end();
}
