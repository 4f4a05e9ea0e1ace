import { formField, mapFormField } from './form-field-by-name.ts';

/** Page of an authorization server, shown by a browser at its real address. */
export interface AuthorizationPage {
  /** Real address. */
  address: string;
  /** Reason why some clients refuse the redirect from that page. Absent: no known reason. */
  warning?: string;
}

/**
 * Reports whether the proxy may send the authorization request before the browser does. If the server shows a page, the
 * browser repeats the request.
 */
export function isRepeatable(method: string, query: string): boolean {
  return (
    method === 'GET' &&
    formField(query, 'response_type') === 'code' &&
    formField(query, 'redirect_uri') !== undefined &&
    // A pushed or signed request may be valid for one use only (RFC 9126, 2.2; RFC 9101).
    formField(query, 'request_uri') === undefined &&
    formField(query, 'request') === undefined
  );
}

/**
 * Returns the authorization response (RFC 6749, 4.1.2) in `location`, with the `iss` (RFC 9207) that the client knows.
 * Undefined: `location` is not a response, or has an error, which may depend on the browser's cookies.
 * @param address of the authorization request
 * @param known returns the client's name of an issuer; an unknown one stays unchanged, and the client refuses it
 */
export function rewriteAuthorizationRedirect(
  location: string,
  address: string,
  known: (issuer: string) => string,
): string | undefined {
  const redirectUri = new URL(address).searchParams.get('redirect_uri') ?? '';
  if (!URL.canParse(location, address) || !URL.canParse(redirectUri)) return undefined;
  const target = new URL(location, address);
  if (withoutQuery(target) !== withoutQuery(new URL(redirectUri))) return undefined;
  if (!target.searchParams.has('code') || target.searchParams.has('error')) return undefined;
  return `${withoutQuery(target)}?${mapFormField(target.search.slice(1), 'iss', known)}${target.hash}`;
}

function withoutQuery(url: URL): string {
  const changed = new URL(url);
  changed.search = '';
  changed.hash = '';
  return changed.href;
}
