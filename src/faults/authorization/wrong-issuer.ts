import type { Frame, Headers, ResponseFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { text, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { editFrames, withMessage } from '../support/edit-message.ts';

type Takes = { issuer: WithFallback<string> };

const params: Takes = {
  issuer: withDefault(text('the other issuer; if empty, the redirect has none'), 'https://issuer.invalid'),
};

const PLACES: readonly (string | undefined)[] = ['oauth/server-metadata', 'oauth/resource-metadata', 'oauth/authorize'];

/**
 * Names another issuer in metadata or beside an authorization code. A client has to refuse it (RFC 8414, 3.3; RFC 9207,
 * 2.4).
 */
export const wrongIssuer: DefinedFault<Takes> = defineFault({
  name: 'wrong-issuer',
  doc: 'The metadata of the authorization server name another issuer. If the rule applies to the metadata of the resource, they name another authorization server. If it applies to the redirect with a code, that names another issuer.',
  transports: ['http'],
  params,
  when: { kind: 'authorization', method: 'oauth/server-metadata' },
  unfit: ({ when }) =>
    when.from === 'client' || !PLACES.includes(when.method) ? `it is about answers to ${PLACES.join(', ')}` : undefined,
  start({ issuer }, { next }) {
    const edit = (frame: Frame): Frame => {
      if (frame.kind !== 'http-response') return withMessage(frame, (metadata) => metadataOf(metadata, issuer));
      const headers = redirectOf(frame, issuer);
      return headers === undefined ? frame : { ...frame, headers };
    };
    return editFrames(next, edit, 'the answer named this issuer anyway, or was no metadata');
  },
});

function metadataOf(metadata: Record<string, unknown>, issuer: string): Record<string, unknown> {
  if ('authorization_servers' in metadata) return { ...metadata, authorization_servers: [issuer] };
  return { ...metadata, issuer };
}

/** Replaces or removes the issuer of a redirect (RFC 9207, 2). Undefined: nothing changes. */
function redirectOf({ headers = {} }: ResponseFrame, issuer: string): Headers | undefined {
  const location = new URL(headers.location ?? '');
  if ((location.searchParams.get('iss') ?? '') === issuer) return undefined;
  if (issuer === '') location.searchParams.delete('iss');
  else location.searchParams.set('iss', issuer);
  return { ...headers, location: location.href };
}
