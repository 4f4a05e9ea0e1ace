import { mapUrlencodedField, urlencodedField } from './urlencoded-field.ts';

/** A page of an authorization server, which a browser shows at its real address. */
export interface AuthorizationPage {
  /** The real address. */
  address: string;
  /** Why some clients refuse whoever comes back from that page; absent where there is no reason. */
  warning?: string;
}

/** Whether the authorization server may be asked in the browser's stead: it then is asked once more, if it shows a page. */
export function isRepeatable(method: string, query: string): boolean {
  return (
    method === 'GET' &&
    urlencodedField(query, 'response_type') === 'code' &&
    urlencodedField(query, 'redirect_uri') !== undefined &&
    // What was pushed or signed may be good for one use only (RFC 9126, 2.2; RFC 9101).
    urlencodedField(query, 'request_uri') === undefined &&
    urlencodedField(query, 'request') === undefined
  );
}

/**
 * Returns the authorization response (RFC 6749, 4.1.2) that `location` is, with `iss` (RFC 9207) as the client knows the
 * issuer. Undefined: it is none, or one of an error, which may be another for a browser with cookies.
 *
 * @param address of the authorization request
 * @param known gives the name under which the client knows an issuer; any other stays as it is, for the client to refuse
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
  return `${withoutQuery(target)}?${mapUrlencodedField(target.search.slice(1), 'iss', known)}${target.hash}`;
}

function withoutQuery(url: URL): string {
  const changed = new URL(url);
  changed.search = '';
  changed.hash = '';
  return changed.href;
}
