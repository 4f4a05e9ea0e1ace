#!/usr/bin/env node
/**
 * `protected.js same|other [iss] [page] [repeats]`: a server on `@modelcontextprotocol/sdk` 1.x for those who have a token for its very URL.
 * Its authorization server is at its own origin or at another one, and gives no token for any other resource; with `iss`
 * it names itself to those whom it sends back (RFC 9207), and with `page` it shows a page to a browser without its cookie.
 * With `repeats`, a tool repeats every code and token that it has issued.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { InvalidTargetError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import {
  createOAuthMetadata,
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
  mcpAuthRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const [, , where, ...options] = process.argv;
const iss = options.includes('iss');
const hasPage = options.includes('page');
const repeats = options.includes('repeats');
const clients = new Map();
const codes = new Map();
const tokens = new Map();

function provider(issuer, audience) {
  const issue = (scopes) => {
    const token = { access: `planted-access-${randomUUID()}`, refresh: `planted-refresh-${randomUUID()}` };
    tokens.set(token.access, scopes);
    tokens.set(token.refresh, scopes);
    return {
      access_token: token.access,
      refresh_token: token.refresh,
      token_type: 'bearer',
      expires_in: 3600,
    };
  };
  const requireAudience = (resource) => {
    if (resource?.href !== audience) throw new InvalidTargetError(`There is no token for ${resource?.href}`);
  };
  return {
    clientsStore: {
      getClient: (id) => clients.get(id),
      registerClient(client) {
        const registered = { ...client, client_id: randomUUID() };
        clients.set(registered.client_id, registered);
        return registered;
      },
    },
    async authorize(_client, { state, codeChallenge, redirectUri, resource, scopes }, response) {
      requireAudience(resource);
      if (hasPage && response.req.headers.cookie !== 'user=somebody') {
        response.send('<form>Who are you?</form>');
        return;
      }
      const code = `planted-code-${randomUUID()}`;
      codes.set(code, { codeChallenge, scopes });
      const back = new URL(redirectUri);
      back.searchParams.set('code', code);
      if (state !== undefined) back.searchParams.set('state', state);
      if (iss) back.searchParams.set('iss', issuer);
      response.redirect(302, back.href);
    },
    challengeForAuthorizationCode: async (_client, code) => codes.get(code)?.codeChallenge,
    async exchangeAuthorizationCode(_client, code, _verifier, _redirect, resource) {
      requireAudience(resource);
      return issue(codes.get(code)?.scopes);
    },
    async exchangeRefreshToken(_client, refresh, _scopes, resource) {
      requireAudience(resource);
      console.error('refreshed');
      return issue(tokens.get(refresh));
    },
    async verifyAccessToken(token) {
      if (!tokens.has(token)) throw new InvalidTokenError('Nobody has issued that token');
      const expiresAt = Math.floor(Date.now() / 1000) + 3600;
      return { token, clientId: '', scopes: ['use'], expiresAt, resource: new URL(audience) };
    },
  };
}

/** Listens on a free port. */
function listening(handler) {
  const server = createServer((request, response) => handler(request, response));
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
  });
}

let serve;
let issue;
const origin = await listening((...exchange) => serve(...exchange));
const issuer = where === 'other' ? await listening((...exchange) => issue(...exchange)) : origin;

const resourceServerUrl = new URL('/mcp', origin);
const issuerUrl = new URL(where === 'other' ? '/tenant' : '/', issuer);
const baseUrl = new URL(issuer);
const tokensFor = provider(issuerUrl.href, resourceServerUrl.href);
const routes = { provider: tokensFor, issuerUrl, baseUrl, resourceServerUrl, scopesSupported: ['use'] };
const oauthMetadata = {
  ...createOAuthMetadata(routes),
  ...(iss && { authorization_response_iss_parameter_supported: true }),
};

const app = createMcpExpressApp();
serve = app;
if (where === 'other') {
  const authorizing = createMcpExpressApp();
  issue = authorizing;
  // Where RFC 8414 (3.1) has the metadata of an issuer with a path.
  authorizing.get('/.well-known/oauth-authorization-server/tenant', (_, response) => response.json(oauthMetadata));
  authorizing.use(mcpAuthRouter(routes));
  app.get('/.well-known/oauth-protected-resource/mcp', (_, response) =>
    response.json({ resource: resourceServerUrl.href, authorization_servers: [issuerUrl.href] }),
  );
} else {
  app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl }));
  app.use(mcpAuthRouter(routes));
}

const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resourceServerUrl);
const bearer = requireBearerAuth({
  verifier: tokensFor,
  resourceMetadataUrl,
  expectedResource: resourceServerUrl,
});
app.all('/mcp', bearer, async (request, response) => {
  const server = new McpServer({ name: 'protected-server', version: '1.0.0' });
  server.registerTool('whoami', {}, () => ({ content: [{ type: 'text', text: 'somebody' }] }));
  if (repeats)
    server.registerTool('debug', {}, () => ({
      content: [...codes.keys(), ...tokens.keys()].map((text) => ({ type: 'text', text: `x ${text} y` })),
    }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  if (request.method !== 'POST') return response.status(405).end();
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});
