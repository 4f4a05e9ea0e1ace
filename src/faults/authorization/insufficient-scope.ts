import type { Frame } from '../../channel/frame.ts';
import { isRequest, paramsOf } from '../../protocol/message.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { text, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { bearerOf, scopesOf } from '../support/bearer-token.ts';
import { RefusedRequests } from '../support/refuse-unauthorized-requests.ts';

type Takes = { scope: WithFallback<string> };

const params: Takes = { scope: withDefault(text('the scope; several are separated by spaces'), 'mcp:more') };

/** Demands a scope of a request's access token, like a server whose tools need more scopes than its lists. */
export const insufficientScope: DefinedFault<Takes> = defineFault({
  name: 'insufficient-scope',
  doc: 'The request needs a scope that its access token lacks: this and all such requests get 403, until a token has it.',
  transports: ['http'],
  params,
  when: { from: 'client', kind: 'request', method: 'tools/call' },
  span: 'session',
  unfit: ({ when }) => (when.from === 'server' ? 'only a request of the client can need a scope' : undefined),
  concerns: (frame, { scope }) => {
    const token = bearerOf(frame);
    return token !== undefined && lacks(token, scope) !== false;
  },
  lacking: 'the request had no access token, or one with this scope',
  start({ scope }, tools) {
    const requests = new RefusedRequests(tools);
    const refused = new Set<string>();
    const demanding = new Set<string>();
    const refuse = (frame: Frame) =>
      requests.challenge(frame, {
        error: 'insufficient_scope',
        error_description: 'The request needs more than the access token allows',
        // Includes the token's present scopes, so that the client keeps them (Authorization, "Scope Challenge").
        scope: [...new Set([...(scopesOf(bearerOf(frame)!) ?? []), ...scope.split(' ')])].join(' '),
      });
    return {
      unchanged(frame) {
        const token = bearerOf(frame)!;
        // A token without a scope claim counts as stepped up only if it differs from the refused token.
        const isSteppedUp = lacks(token, scope) === undefined && demanding.has(subjectOf(frame)) && !refused.has(token);
        return isSteppedUp ? 'the request had another token than the refused one' : undefined;
      },
      hit(frame) {
        refused.add(bearerOf(frame)!);
        demanding.add(subjectOf(frame));
        refuse(frame);
      },
      pass(frame) {
        if (requests.has(frame)) return;
        if (frame.kind !== 'message') return tools.next(frame);
        const token = bearerOf(frame);
        const isLacking = token !== undefined && (lacks(token, scope) ?? refused.has(token));
        if (isLacking && demanding.has(subjectOf(frame))) refuse(frame);
        else tools.next(frame);
      },
    };
  },
});

/** Reports whether a token lacks one of the scopes. Undefined: the token has no scope claim. */
function lacks(token: string, scope: string): boolean | undefined {
  const known = scopesOf(token);
  return known && scope.split(' ').some((one) => !known.includes(one));
}

/**
 * Returns a key of the tool, prompt or resource that a request uses. The scope is needed for each request with the same
 * key.
 */
function subjectOf(frame: Frame): string {
  const message = frame.kind === 'message' ? frame.json.value : undefined;
  if (!isRequest(message)) return '';
  const { name, uri } = paramsOf(message);
  return JSON.stringify([message.method, name ?? uri]);
}
