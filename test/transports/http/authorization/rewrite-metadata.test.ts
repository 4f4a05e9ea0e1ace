import { describe, expect, it } from 'vitest';
import {
  type RewrittenMetadata,
  rewriteMetadata,
} from '../../../../src/transports/http/authorization/rewrite-metadata.ts';

/** A document as the client gets it, where `X` is known to it as `<X>`, or `[X]` in a browser. */
function through(document: unknown) {
  const named: string[] = [];
  const { text, ...rest }: RewrittenMetadata = rewriteMetadata(JSON.stringify(document), {
    named: (uri) => void named.push(uri),
    through: (uri, as) => (as === 'browser' ? `[${uri}]` : `<${uri}>`),
  });
  return { document: JSON.parse(text), named, ...rest };
}

const issuer = { issuer: 'as', authorization_endpoint: 'authorize', token_endpoint: 'token' };

describe('metadata of a resource (§13, RFC 9728)', () => {
  it('names the resource and its authorization servers as the client reaches them, and all else as it was', () => {
    const document = { resource: 'r', authorization_servers: ['a', 'b'], scopes_supported: ['use'] };
    expect(through(document)).toEqual({
      document: { resource: '<r>', authorization_servers: ['<a>', '<b>'], scopes_supported: ['use'] },
      named: ['a', 'b'],
    });
  });

  it('may name no authorization server', () => {
    expect(through({ resource: 'r' })).toEqual({ document: { resource: '<r>' }, named: [] });
  });

  it('is signed no more, and offers no proofs of an address', () => {
    const untrue = { signed_metadata: 'eyJ', dpop_signing_alg_values_supported: ['ES256'] };
    expect(through({ resource: 'r', ...untrue }).document).toEqual({ resource: '<r>' });
  });

  it('is refused where tokens must be bound to the address', () => {
    expect(through({ resource: 'r', dpop_bound_access_tokens_required: true }).refusal).toMatch(/DPoP/);
    expect(through({ resource: 'r', dpop_bound_access_tokens_required: false }).refusal).toBeUndefined();
  });
});

describe('metadata of an authorization server (§13, RFC 8414)', () => {
  it('names itself and its endpoints as the client reaches them, and pages as a browser does', () => {
    const more = {
      registration_endpoint: 'register',
      jwks_uri: 'keys',
      code_challenge_methods_supported: ['S256'],
    };
    expect(through({ ...issuer, ...more })).toEqual({
      document: {
        issuer: '<as>',
        authorization_endpoint: '[authorize]',
        token_endpoint: '<token>',
        registration_endpoint: '<register>',
        jwks_uri: 'keys',
        code_challenge_methods_supported: ['S256'],
      },
      named: ['authorize', 'token', 'register'],
      issuer: { name: 'as', authorizationEndpoint: 'authorize', namesItself: false },
    });
  });

  it('offers no way in which a client would sign the address', () => {
    const methods = ['none', 'private_key_jwt', 'client_secret_post', 'client_secret_jwt'];
    const { document } = through({ ...issuer, token_endpoint_auth_methods_supported: methods });
    expect(document.token_endpoint_auth_methods_supported).toEqual(['none', 'client_secret_post']);
  });

  it('is told of with the name that it gives itself, and whether it announces that', () => {
    const announced = { ...issuer, authorization_response_iss_parameter_supported: true };
    const found = through(announced);
    expect(found.document).toMatchObject({ authorization_response_iss_parameter_supported: true });
    expect(found.issuer).toEqual({ name: 'as', authorizationEndpoint: 'authorize', namesItself: true });
    expect(through(issuer).issuer?.namesItself).toBe(false);
    expect(through({ issuer: 'as', token_endpoint: 'token' }).issuer).toBeUndefined();
  });
});

it.each(['', '<html>', '[]', '{"a":1}', '{ "resource": 1 }'])('what is no metadata stays as it is: %j', (text) => {
  const finding = { named: () => {}, through: () => 'x' };
  expect(rewriteMetadata(text, finding)).toEqual({ text });
});
