import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from 'jose';
import type { KeyAndCertificate } from '../../../src/transports/http/forward-proxy/certificate-authority.ts';

/** The access token that the authorization server issues. No cassette may hold it. */
export const ACCESS_TOKEN = 'planted-access-token-2718281828';

export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Passes a request on to a plain server. */
export function passOn(port: number, from: IncomingMessage, to: ServerResponse): void {
  const { method, url, headers } = from;
  const host = `127.0.0.1:${port}`;
  const far = request({ host: '127.0.0.1', port, method, path: url, headers: { ...headers, host } }, (answer) => {
    to.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
    // Of other answers, the client hears head and body at once, and may end then.
    if (answer.headers['content-type'] === 'text/event-stream') to.flushHeaders();
    answer.pipe(to);
  });
  far.on('error', () => to.destroy());
  to.on('close', () => far.destroy());
  from.pipe(far);
}

/** A plain server under the name localhost with TLS, and an end that closes it. */
export async function securedServer(port: number, certificate: KeyAndCertificate, listener?: RequestListener) {
  const server = createSecureServer(certificate, listener ?? ((from, to) => passOn(port, from, to)));
  return {
    url: new URL(`https://localhost:${await listening(server)}/mcp`),
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * The same, for clients with an access token of its authorization server alone. The client authenticates by a signed
 * assertion (private_key_jwt, RFC 7523), and unless the scheme is `Bearer`, the token is bound to a key of the client (DPoP,
 * RFC 9449): each names the address that it is for, and another address is refused.
 */
export async function authorizedServer(
  port: number,
  certificate: KeyAndCertificate,
  scheme: 'DPoP' | 'Bearer' = 'DPoP',
) {
  const isBound = scheme === 'DPoP';
  const clientKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const refusals: string[] = [];
  let thumbprint: string | undefined;

  const issuer = createSecureServer(certificate, async (from, to) => {
    const origin = `https://localhost:${issuerPort}`;
    if (from.url !== '/token') return void json(to, 200, metadata(origin));
    const form = new URLSearchParams(await text(from));
    try {
      if (isBound) thumbprint = await proven(from, `${origin}/token`);
      const audience = [origin, `${origin}/`, `${origin}/token`];
      await jwtVerify(form.get('client_assertion') ?? '', clientKey.publicKey as KeyObject, { audience });
      json(to, 200, { access_token: ACCESS_TOKEN, token_type: scheme, expires_in: 300 });
    } catch (error) {
      refusals.push((error as Error).message);
      json(to, 400, { error: 'invalid_client', error_description: (error as Error).message });
    }
  });
  const issuerPort = await listening(issuer);
  const server = await securedServer(port, certificate, async (from, to) => {
    const { url } = server;
    const described = `${url.origin}/.well-known/oauth-protected-resource/mcp`;
    if (from.url?.startsWith('/.well-known/oauth-protected-resource'))
      return void json(to, 200, { resource: url.href, authorization_servers: [`https://localhost:${issuerPort}`] });
    if (from.headers.authorization === undefined) {
      const challenge = `${scheme} resource_metadata="${described}"`;
      return void to.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    try {
      if (from.headers.authorization !== `${scheme} ${ACCESS_TOKEN}`) throw new Error('another token');
      if (isBound && (await proven(from, url.href, ACCESS_TOKEN)) !== thumbprint) throw new Error('another key');
    } catch (error) {
      refusals.push((error as Error).message);
      return void to.writeHead(401, { 'www-authenticate': `${scheme} error="invalid_token"` }).end();
    }
    const { authorization: _, dpop: __, ...headers } = from.headers;
    passOn(port, Object.assign(from, { headers }), to);
  });
  return {
    url: server.url,
    issuer: `https://localhost:${issuerPort}`,
    clientKey: clientKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    refusals,
    ...endOf(server, issuer),
  };
}

/** Ends a server together with its authorization server. */
export function endOf(server: Disposable, issuer: Pick<SecureServer, 'close' | 'closeAllConnections'>): Disposable {
  return {
    [Symbol.dispose]() {
      server[Symbol.dispose]();
      issuer.close();
      issuer.closeAllConnections();
    },
  };
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['ES256'],
    dpop_signing_alg_values_supported: ['ES256'],
  };
}

export function json(to: ServerResponse, status: number, value: unknown): void {
  to.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Checks the proof of a request (RFC 9449, 4.3), and returns the thumbprint of its key. */
async function proven({ method, headers }: IncomingMessage, uri: string, token?: string): Promise<string> {
  const { payload, protectedHeader } = await jwtVerify(String(headers.dpop), EmbeddedJWK, { typ: 'dpop+jwt' });
  const { htm, htu, ath } = payload;
  if (htm !== method || htu !== uri) throw new Error(`the proof is for ${htm} ${htu}, and not for ${method} ${uri}`);
  if (token !== undefined && ath !== createHash('sha256').update(token).digest('base64url'))
    throw new Error('the proof is of another token');
  return calculateJwkThumbprint(protectedHeader.jwk as JWK);
}
