import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { text } from 'node:stream/consumers';
import type { KeyAndCertificate } from '../../../src/transports/http/forward-proxy/certificate-authority.ts';
import { ACCESS_TOKEN, endOf, json, listening, passOn, securedServer } from './authorized-server.ts';

/** What the authorization server names as the issuer in its response: itself, as RFC 9207 wants it, another one, or none. */
export type NamedIssuer = 'own' | 'another' | 'none';

/**
 * A plain server with TLS, for clients that have logged in: they register, are redirected with a code, and exchange it
 * with their proof (PKCE). The authorization server says that it names itself in the response (RFC 9207).
 */
export async function loginServer(port: number, certificate: KeyAndCertificate, named: NamedIssuer) {
  /** Challenges by the code that was issued for them. */
  const challenges = new Map<string, string>();
  const refusals: string[] = [];

  const issuer = createSecureServer(certificate, async (from, to) => {
    const origin = `https://localhost:${issuerPort}`;
    const { pathname, searchParams: asked } = new URL(from.url ?? '', origin);
    if (pathname === '/register')
      return json(to, 201, { ...JSON.parse(await text(from)), client_id: 'registered-client' });
    if (pathname === '/authorize') {
      const code = randomUUID();
      challenges.set(code, asked.get('code_challenge') ?? '');
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state') ?? '');
      if (named !== 'none') back.searchParams.set('iss', named === 'own' ? origin : 'https://another.example');
      return void to.writeHead(302, { location: back.href }).end();
    }
    if (pathname === '/token') return exchange(new URLSearchParams(await text(from)), to);
    json(to, 200, metadata(origin));
  });
  const exchange = (form: URLSearchParams, to: ServerResponse) => {
    const challenge = challenges.get(form.get('code') ?? '');
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge === proof)
      return json(to, 200, { access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 300 });
    refusals.push('the verifier does not fit the code');
    json(to, 400, { error: 'invalid_grant' });
  };
  const issuerPort = await listening(issuer);
  const server = await securedServer(port, certificate, (from: IncomingMessage, to: ServerResponse) => {
    const { url } = server;
    if (from.url?.startsWith('/.well-known/oauth-protected-resource'))
      return json(to, 200, { resource: url.href, authorization_servers: [`https://localhost:${issuerPort}`] });
    const { authorization, ...headers } = from.headers;
    if (authorization === `Bearer ${ACCESS_TOKEN}`) return passOn(port, Object.assign(from, { headers }), to);
    const described = `${url.origin}/.well-known/oauth-protected-resource/mcp`;
    to.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${described}"` }).end();
  });
  return {
    url: server.url,
    issuer: `https://localhost:${issuerPort}`,
    refusals,
    ...endOf(server, issuer),
  };
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  };
}
