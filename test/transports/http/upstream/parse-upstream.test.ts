import { describe, expect, it } from 'vitest';
import { parseUpstream, targetOf } from '../../../../src/transports/http/upstream/parse-upstream.ts';

describe('the URL of a server', () => {
  it('is taken apart', () => {
    expect(parseUpstream('https://far.example/api/mcp?key=1')).toEqual({
      origin: 'https://far.example',
      isSecure: true,
      hostname: 'far.example',
      port: 443,
      host: 'far.example',
      path: '/api/mcp',
      search: '?key=1',
    });
    expect(parseUpstream('http://[::1]:3000')).toMatchObject({
      hostname: '::1',
      port: 3000,
      host: '[::1]:3000',
      path: '/',
    });
  });

  it.each(['far.example/mcp', 'ftp://far.example', 'https://user:secret@far.example/mcp'])('cannot be %j', (url) => {
    expect(() => parseUpstream(url)).toThrow(expect.objectContaining({ code: 'USAGE_BAD_URL' }));
    expect(() => parseUpstream(url)).not.toThrow('secret');
  });
});

describe('the target of a request', () => {
  const upstream = parseUpstream('https://far.example/api/mcp?key=1');
  const target = (text: string, method = 'POST') =>
    targetOf({ method, target: text }, upstream, (authority) => authority === 'localhost:8080');

  it.each([
    ['/', '/api/mcp?key=1'],
    ['/api/mcp', '/api/mcp?key=1'],
    ['/api/mcp?session=2', '/api/mcp?session=2'],
    ['/.well-known/oauth-protected-resource/api/mcp', '/.well-known/oauth-protected-resource/api/mcp'],
    ['//evil.example/x', '//evil.example/x'],
    ['http://localhost:8080/x?y', '/x?y'],
    ['http://localhost:8080', '/api/mcp?key=1'],
  ])('%s is %s of the one server', (text, path) => {
    expect(target(text)).toEqual({ path });
  });

  it('is * where OPTIONS asks about the server itself (RFC 9112, 3.2.4)', () => {
    expect(target('*', 'OPTIONS')).toEqual({ path: '*' });
  });

  it.each([
    ['http://evil.example/x', 421],
    ['http://localhost:8080@evil.example/', 421],
    ['https://localhost:8080/', 400],
    ['*', 400],
    ['evil.example:443', 400],
  ])('%s is refused with %i', (text, refusal) => {
    expect(target(text)).toMatchObject({ refusal });
  });
});
