import type { McpRecordError } from '../../../kernel/errors.ts';
import { headerOf } from '../http1/raw-headers.ts';
import type { ResponseHead } from '../http1/response-head.ts';
import type { ResponseWriter } from '../http1/response-writer.ts';
import { cannotAuthorize } from '../proxy/error-response.ts';
import type { Course, ExchangeOptions, Passing } from '../proxy/exchange-options.ts';
import type { AuthorizationPage } from './rewrite-authorization-redirect.ts';

/** Sends the browser to a page, at its real address: forms, cookies and passwords are no business of ours. */
export function redirectToPage(
  answer: ResponseWriter,
  { address, warning }: AuthorizationPage,
  trouble: (error: McpRecordError) => void,
): void {
  if (warning !== undefined) trouble(cannotAuthorize(warning));
  redirect(answer, address);
}

/**
 * Passes on where an authorization server sends a browser straight back to the client, as one does that asks nobody. Whatever
 * else it answers to a browser without cookies is not what it answers to one that has some: the browser goes there itself.
 */
export function redirectPageResponse(
  { answer, way, common }: ExchangeOptions,
  page: AuthorizationPage,
  { head: { status, headers }, course }: { head: ResponseHead; course: Course },
): Passing {
  const location = status >= 300 && status < 400 ? headerOf(headers, 'location') : undefined;
  const back = location === undefined ? undefined : way.rewriting.back(location);
  // The rest of the response may be long and has no reader.
  answer.isLasting = false;
  if (back === undefined) redirectToPage(answer, page, common.trouble);
  else redirect(answer, back);
  return { data() {}, end: () => course.answered() };
}

function redirect(answer: ResponseWriter, location: string): void {
  answer.head(302, 'Found', ['location', location, 'content-length', '0', 'cache-control', 'no-store']);
  answer.end();
}
