import { describe, expect, it } from 'vitest';
import { normalAuthority, parseNamedHosts } from '../../../../src/transports/http/forward-proxy/named-hosts.ts';

const named = (...texts: string[]) =>
  [...parseNamedHosts(texts)].map(([key, { upstream, endpoint }]) => [key, upstream.origin, endpoint]);

describe('the hosts of a forward proxy', () => {
  it('are names, names with ports, and URLs of endpoints', () => {
    expect(
      named(
        'mcp.example.com, Auth.Example.com:8443',
        'https://api.example.com/v1/mcp,http://127.0.0.1:3000/mcp,[::1]:9',
      ),
    ).toEqual([
      ['mcp.example.com:443', 'https://mcp.example.com', undefined],
      ['auth.example.com:8443', 'https://auth.example.com:8443', undefined],
      ['api.example.com:443', 'https://api.example.com', '/v1/mcp'],
      ['127.0.0.1:3000', 'http://127.0.0.1:3000', '/mcp'],
      ['[::1]:9', 'https://[::1]:9', undefined],
    ]);
  });

  it('may be named twice, and keep their endpoint', () => {
    expect(named('https://a.example/mcp,a.example,a.example/mcp')).toEqual([
      ['a.example:443', 'https://a.example', '/mcp'],
    ]);
  });

  it.each([
    ['', 'it is neither a host name nor a URL'],
    ['a.example,', 'it is neither a host name nor a URL'],
    ['a b', 'it is neither a host name nor a URL'],
    ['ftp://a.example', '"ftp:" is not HTTP'],
    ['*.example.com', 'hosts are named one by one, without *'],
    ['https://a.example/mcp?key=1', 'it has a query or a fragment'],
    ['http://a.example:9,https://a.example:9', 'the same port is named with http and with https'],
    ['a.example/one,a.example/two', 'another endpoint of the same server is named'],
  ])('are refused: %s', (text, why) => {
    expect(() => named(text)).toThrow(`${why}. [USAGE_BAD_PROXY_HOST]`);
  });

  it('are refused with a password, which is not repeated', () => {
    expect(() => named('https://user:planted@a.example')).toThrow(
      /^(?!.*planted).*"a\.example" with --proxy: a password in a URL is seen by everyone/s,
    );
  });
});

describe('the authority of a request', () => {
  it.each([
    ['MCP.Example.com:443', undefined, 'mcp.example.com:443'],
    ['mcp.example.com', 443, 'mcp.example.com:443'],
    ['mcp.example.com', undefined, undefined],
    ['mcp.example.com:0443', undefined, 'mcp.example.com:443'],
    ['0x7f.1:80', undefined, '127.0.0.1:80'],
    ['[0:0::1]:80', undefined, '[::1]:80'],
    ['mcp.example.com:70000', undefined, undefined],
    ['mcp.example.com:', 443, undefined],
    ['user@mcp.example.com:443', undefined, undefined],
    ['mcp.example.com:443/path', undefined, undefined],
    ['https://mcp.example.com', 443, undefined],
    ['', 443, undefined],
  ])('%s (port %s) is %s', (text, port, authority) => {
    expect(normalAuthority(text, port)).toBe(authority);
  });
});
