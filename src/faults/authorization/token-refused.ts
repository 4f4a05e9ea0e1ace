import type { Frame, WireFrame } from '../../channel/frame.ts';
import { oauthRequestOf } from '../../protocol/oauth-requests.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { type WithFallback, withDefault, word } from '../rules/declare-fault-params.ts';
import { bearerOf } from '../support/bearer-token.ts';
import { RefusedRequests } from '../support/refuse-unauthorized-requests.ts';

type Reason = 'expired' | 'revoked' | 'audience';
type Takes = { reason: WithFallback<Reason> };

const params: Takes = {
  reason: withDefault(
    word(
      'expired: another token is accepted; revoked: its refresh token is refused, too; audience: it is for another server, as is every token of a refresh',
      'expired',
      'revoked',
      'audience',
    ),
    'expired',
  ),
};

const WORDS: Readonly<Record<Reason, string>> = {
  expired: 'The access token expired',
  revoked: 'The access token was revoked',
  audience: 'The access token was issued for another resource',
};

/** Refuses the access token of a request, and every later request with it, like a server whose tokens expire. */
export const tokenRefused: DefinedFault<Takes> = defineFault({
  name: 'token-refused',
  doc: 'The access token of the request is not valid any more: requests with it get 401, until the client has another one.',
  transports: ['http'],
  params,
  // A client that loses every token never makes progress.
  when: { from: 'client' },
  times: 1,
  span: 'session',
  unfit: ({ when }) => (when.from === 'server' ? 'only a request of the client has a token' : undefined),
  concerns: (frame) => bearerOf(frame) !== undefined,
  lacking: 'the request had no access token',
  start({ reason }, tools) {
    const refused = new Set<string>();
    const requests = new RefusedRequests(tools);
    /** Whether the client needs a new authorization: a refresh is not enough. */
    let isOver = false;
    const refuse = (frame: Frame) =>
      requests.challenge(frame, { error: 'invalid_token', error_description: WORDS[reason] });
    const isRefused = (token: string) => refused.has(token) || (isOver && reason === 'audience');
    return {
      hit(frame) {
        refused.add(bearerOf(frame)!);
        isOver = reason !== 'expired';
        refuse(frame);
      },
      pass(frame: WireFrame) {
        if (requests.has(frame)) return;
        const asked = frame.kind === 'open' ? oauthRequestOf(frame) : undefined;
        if (asked === 'oauth/token') isOver = false;
        if (frame.kind === 'open' && asked === 'oauth/refresh' && isOver && reason === 'revoked')
          return requests.error(frame, 'invalid_grant', 'The refresh token was revoked');
        const token = bearerOf(frame);
        if (token !== undefined && frame.kind !== 'bytes' && isRefused(token)) return refuse(frame);
        tools.next(frame);
      },
    };
  },
});
