import type { McpRecordError } from '../../kernel/errors.ts';
import type { Route } from '../../transports/http/authorization/authorization-proxy.ts';
import { MetadataText } from '../../transports/http/authorization/forward-metadata-response.ts';
import { redirectTarget } from '../../transports/http/authorization/redirect-to-login-page.ts';
import { isIdentity } from '../../transports/http/http1/raw-headers.ts';
import type { ResponseHead } from '../../transports/http/http1/response-head.ts';
import { cannotAuthorize, refusalText } from '../../transports/http/proxy/error-response.ts';

/** Collects a response of an authorization flow that cannot be forwarded as it is. */
export interface HeldResponse {
  data(data: Buffer): void;
  /** Returns the response for the client. */
  end(): { head: ResponseHead; body: Buffer };
}

const NOTHING = Buffer.alloc(0);

/**
 * Returns the collector of a response with metadata, or to a browser's authorization request. Undefined: the response
 * is another one.
 */
export function holdAuthorizationResponse(
  { page, rewriting }: Pick<Route, 'page' | 'rewriting'>,
  head: ResponseHead,
  trouble: (error: McpRecordError) => void,
): HeldResponse | undefined {
  if (page !== undefined)
    return {
      data() {},
      end: () => ({
        head: { ...head, ...redirectHead(redirectTarget({ page, rewriting, head, trouble })) },
        body: NOTHING,
      }),
    };
  const { metadata } = rewriting;
  if (metadata === undefined || head.status !== 200 || !isIdentity(head.headers)) return undefined;
  const text = new MetadataText(metadata);
  return {
    data: (data) => text.add(data),
    end() {
      const found = text.rewritten();
      if (found.refusal === undefined) return { head, body: Buffer.from(found.text) };
      const error = cannotAuthorize(found.refusal);
      trouble(error);
      const { headers, body } = refusalText(error);
      return { head: { ...head, status: 502, statusMessage: 'Bad Gateway', headers }, body: Buffer.from(body) };
    },
  };
}

function redirectHead(location: string): Pick<ResponseHead, 'status' | 'statusMessage' | 'headers'> {
  const headers = ['location', location, 'content-length', '0', 'cache-control', 'no-store'];
  return { status: 302, statusMessage: 'Found', headers };
}
