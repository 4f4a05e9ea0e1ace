import { expect, it } from 'vitest';
import { nextHop } from '../../../../src/transports/http/upstream/next-hop.ts';
import { parseUpstream } from '../../../../src/transports/http/upstream/parse-upstream.ts';

const env = { http_proxy: 'http://ann:secret@web:3128', https_proxy: 'http://web:3128' };

it('a server that is reached straight is asked for a path', () => {
  const hop = nextHop(parseUpstream('http://far.example/mcp'));
  expect(hop).toMatchObject({ isSecure: false, hostname: 'far.example', port: 80, headers: {} });
  expect(hop.target('/mcp?a=1')).toBe('/mcp?a=1');
});

it('a web proxy is asked for the whole URL, and told who asks', () => {
  const hop = nextHop(parseUpstream('http://far.example:8080/mcp', env));
  expect(hop).toMatchObject({ isSecure: false, hostname: 'web', port: 3128 });
  expect(hop.target('/mcp')).toBe('http://far.example:8080/mcp');
  expect(JSON.stringify(hop.headers)).toContain(Buffer.from('ann:secret').toString('base64'));
});

it('no path makes a web proxy ask another host', () => {
  const hop = nextHop(parseUpstream('http://far.example/mcp', env));
  for (const path of ['@other.example/', '.other.example/', ':9/', '?a=b', '//other.example/'])
    expect(new URL(hop.target(path)).host, path).toBe('far.example');
  expect(hop.target('*')).toBe('http://far.example');
});

it('what is encrypted is for the server alone: the web proxy that passes it on is told nothing', () => {
  const hop = nextHop(parseUpstream('https://far.example/mcp', env));
  expect(hop).toMatchObject({ isSecure: true, hostname: 'far.example', port: 443, headers: {} });
  expect(hop.target('/mcp')).toBe('/mcp');
});
