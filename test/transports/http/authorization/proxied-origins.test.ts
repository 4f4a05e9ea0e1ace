import { describe, expect, it } from 'vitest';
import { ProxiedOrigins } from '../../../../src/transports/http/authorization/proxied-origins.ts';
import { parseUpstream } from '../../../../src/transports/http/upstream/parse-upstream.ts';

const HOST = '127.0.0.1:8080';

/** The fronts of a server that has named `auth.example.com`. */
function fronts(): ProxiedOrigins {
  const made = new ProxiedOrigins({
    upstream: parseUpstream('https://up.example/mcp'),
    port: 8080,
    allowed: [],
  });
  made.named('https://auth.example.com/tenant');
  return made;
}

describe('an address for the client', () => {
  it.each([
    ['https://up.example', 'http://127.0.0.1:8080'],
    ['https://up.example/', 'http://127.0.0.1:8080/'],
    ['https://UP.example:443/mcp?a=1', 'http://127.0.0.1:8080/mcp?a=1'],
    ['https://auth.example.com', 'http://127.0.0.1:8080/.mcp-record/https/auth.example.com'],
    ['https://auth.example.com/a%20b/', 'http://127.0.0.1:8080/.mcp-record/https/auth.example.com/a%20b/'],
    ['https://other.example/token', 'https://other.example/token'],
    ['http://up.example/mcp', 'http://up.example/mcp'],
    ['https://user@auth.example.com/', 'https://user@auth.example.com/'],
    ['/relative', '/relative'],
    ['urn:a', 'urn:a'],
  ])('of %s is %s, and but for its origin it is the same, letter by letter', (uri, ours) => {
    expect(fronts().through(uri, HOST)).toBe(ours);
  });

  it.each([
    ['https://up.example/authorize', 'http://127.0.0.1:8080/.mcp-record/browser/https/up.example/authorize'],
    ['https://auth.example.com/a?b', 'http://127.0.0.1:8080/.mcp-record/browser/https/auth.example.com/a?b'],
    ['https://other.example/authorize', 'https://other.example/authorize'],
  ])('of the page %s is %s', (uri, ours) => {
    expect(fronts().through(uri, HOST, 'browser')).toBe(ours);
  });
});

describe('what a path stands for', () => {
  it.each([
    ['/.mcp-record/https/auth.example.com/token?a=1', '/token?a=1'],
    ['/.mcp-record/https/auth.example.com', '/'],
    [
      '/.well-known/oauth-authorization-server/.mcp-record/https/auth.example.com',
      '/.well-known/oauth-authorization-server',
    ],
    [
      '/.well-known/oauth-authorization-server/.mcp-record/https/auth.example.com/tenant',
      '/.well-known/oauth-authorization-server/tenant',
    ],
    [
      '/.mcp-record/https/auth.example.com/tenant/.well-known/openid-configuration',
      '/tenant/.well-known/openid-configuration',
    ],
  ])('%s is %s there', (path, theirs) => {
    expect(fronts().behind(path)).toMatchObject({
      upstream: { origin: 'https://auth.example.com' },
      path: theirs,
    });
  });

  it('is what it was made of', () => {
    const uri = 'https://auth.example.com/tenant/authorize?prompt=consent';
    const path = fronts().through(uri, HOST, 'browser').replace(`http://${HOST}`, '');
    expect(fronts().behind(path)).toEqual({ browser: uri });
  });

  it.each([
    '/.mcp-record/https/169.254.169.254/latest/meta-data',
    '/.mcp-record/http/auth.example.com/token',
    '/.mcp-record/https/auth.example.com:8443/token',
    '/.mcp-record/https/auth.example.com@evil.example/token',
    '/.mcp-record/https/evil.example%2f@auth.example.com/token',
    '/.mcp-record/browser/https/evil.example/',
    '/.well-known/x/.mcp-record/https/evil.example',
    '/.mcp-record/https/ /',
  ])('%s is a stranger', (path) => {
    expect(fronts().behind(path)).toMatchObject({ stranger: expect.stringMatching(/^https?:\/\//) });
  });

  it.each([
    '/mcp',
    '/.well-known/oauth-protected-resource/mcp',
    '/.mcp-record',
    '/.mcp-record/ftp/x/',
    '/a/.mcp-record/https/x/',
  ])('%s is the server’s own', (path) => {
    expect(fronts().behind(path)).toBeUndefined();
  });
});

describe('a resource', () => {
  it.each([
    ['http://127.0.0.1:8080/mcp', 'https://up.example/mcp'],
    ['http://localhost:8080', 'https://up.example'],
    ['http://127.0.0.1:8081/mcp', 'http://127.0.0.1:8081/mcp'],
    ['https://127.0.0.1:8080/mcp', 'https://127.0.0.1:8080/mcp'],
    ['urn:mcp', 'urn:mcp'],
  ])('%s is %s to who issues the tokens', (uri, theirs) => {
    expect(fronts().resource(uri)).toBe(theirs);
  });
});
