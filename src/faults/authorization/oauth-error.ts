import type { Frame, ResponseFrame } from '../../channel/frame.ts';
import { isLoopback } from '../../protocol/loopback.ts';
import { type OAuthRequest, oauthRequestOf } from '../../protocol/oauth-requests.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { text, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { replyToSender } from '../support/reply-to-sender.ts';
import { streamEndingFault } from '../support/stream-ending-fault.ts';

type Takes = { error: WithFallback<string | undefined>; description: WithFallback<string> };

const params: Takes = {
  error: withDefault<string | undefined, undefined>(
    text('its code; without it the usual one, such as invalid_grant for a token, or access_denied'),
    undefined,
  ),
  description: withDefault(text('error description'), 'Injected by mcp-record'),
};

/** Requests that can be refused with an OAuth error, each with its usual error code. */
const USUAL: Readonly<Partial<Record<OAuthRequest, string>>> = {
  'oauth/refresh': 'invalid_grant',
  'oauth/token': 'invalid_grant',
  'oauth/register': 'invalid_client_metadata',
  'oauth/authorize': 'access_denied',
};

/** Refuses a request to the authorization server instead of forwarding it. */
export const oauthError: DefinedFault<Takes> = defineFault({
  name: 'oauth-error',
  doc: 'The authorization server refuses a request: a refresh, a token, a registration, or the authorization itself.',
  transports: ['http'],
  params,
  when: { from: 'client', kind: 'authorization', method: 'oauth/refresh' },
  unfit({ when }) {
    if (when.from === 'server') return 'only a request of the client can be refused';
    if (USUAL[when.method as OAuthRequest] !== undefined) return undefined;
    return `it is about ${Object.keys(USUAL).join(', ')}; for metadata there is http-status`;
  },
  start({ error, description }, tools) {
    const strike = (frame: Frame) => {
      const code = error ?? USUAL[asked(frame)!]!;
      const told = { error: code, error_description: description };
      const redirect = asked(frame) === 'oauth/authorize' ? redirectOf(frame, told) : undefined;
      const answer: ResponseFrame = {
        kind: 'http-response',
        at: tools.clock.now(),
        from: 'server',
        status: redirect ? 302 : code === 'invalid_client' ? 401 : 400,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...redirect },
        body: JSON.stringify(told),
        ...(frame.stream !== undefined && { stream: frame.stream }),
      };
      replyToSender(tools, answer);
    };
    return streamEndingFault({ next: tools.next, strike });
  },
});

function asked(frame: Frame): OAuthRequest | undefined {
  return frame.kind === 'open' ? oauthRequestOf(frame) : undefined;
}

/**
 * Returns the redirect that reports the error to the client (RFC 6749, 4.1.2.1). Only loopback addresses are used,
 * because the redirect URI has not been verified.
 */
function redirectOf(frame: Frame, told: Record<string, string>): { location: string } | undefined {
  const query = new URLSearchParams(frame.kind === 'open' ? frame.path?.split('?', 2)[1] : '');
  const uri = query.get('redirect_uri') ?? '';
  if (!URL.canParse(uri)) return undefined;
  const location = new URL(uri);
  if (location.protocol !== 'http:' || !isLoopback(location.hostname)) return undefined;
  for (const [name, value] of Object.entries(told)) location.searchParams.set(name, value);
  const state = query.get('state');
  if (state !== null) location.searchParams.set('state', state);
  return { location: location.href };
}
