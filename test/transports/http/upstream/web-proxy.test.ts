import { describe, expect, it } from 'vitest';
import { webProxyFor } from '../../../../src/transports/http/upstream/web-proxy.ts';

const proxyFor = (url: string, env: Record<string, string>) => webProxyFor(new URL(url), env);

describe('the proxy of the environment', () => {
  it.each([
    ['http://a.example/', { HTTP_PROXY: 'http://p:3128' }, 'http://p:3128'],
    ['https://a.example/', { HTTPS_PROXY: 'http://p' }, 'http://p'],
    ['https://a.example/', { HTTPS_PROXY: 'p:3128' }, 'http://p:3128'],
    ['https://a.example/', { HTTPS_PROXY: 'https://p' }, 'https://p'],
    ['http://a.example/', { ALL_PROXY: 'http://p' }, 'http://p'],
    ['http://a.example/', { ALL_PROXY: 'http://all', http_proxy: 'http://p' }, 'http://p'],
    ['http://a.example/', { HTTP_PROXY: 'http://upper', http_proxy: 'http://p' }, 'http://p'],
    ['http://a.example/', { HTTPS_PROXY: 'http://p' }, undefined],
    ['http://a.example/', { HTTP_PROXY: '' }, undefined],
    ['http://a.example/', {}, undefined],
    ['http://localhost:3000/', { HTTP_PROXY: 'http://p' }, undefined],
    ['http://127.0.0.1/', { ALL_PROXY: 'http://p' }, undefined],
    ['http://[::1]/', { ALL_PROXY: 'socks5://p' }, undefined],
  ])('for %s with %j is %s', (url, env, origin) => {
    expect(proxyFor(url, env as Record<string, string>)?.origin).toBe(origin);
  });

  it.each([
    ['a.example', true],
    ['A.Example', true],
    ['.example', true],
    ['*.example', true],
    ['example', true],
    ['ample', false],
    ['a.example:443', true],
    ['a.example:8443', false],
    ['b.example, a.example', true],
    ['b.example a.example', true],
    ['*', true],
    ['', false],
    [', ,', false],
    ['10.0.0.1', false],
  ])('leaves out a.example where NO_PROXY is %j: %s', (exceptions, isStraight) => {
    const env = { ALL_PROXY: 'http://p', NO_PROXY: exceptions };
    expect(proxyFor('https://a.example/', env) === undefined).toBe(isStraight);
  });

  it('is given its credentials, and no one else', () => {
    const { origin, headers, port } = proxyFor('http://a.example/', { HTTP_PROXY: 'http://u:p%40@p:1' })!;
    expect({ origin, headers, port }).toEqual({
      origin: 'http://p:1',
      headers: { 'proxy-authorization': `Basic ${btoa('u:p@')}` },
      port: 1,
    });
  });

  it.each(['socks5://u:planted@p', 'http://', 'http://u:planted@p:x'])('that is no HTTP is refused: %s', (text) => {
    const use = () => proxyFor('http://a.example/', { HTTP_PROXY: text });
    expect(use).toThrow(expect.objectContaining({ code: 'USAGE_BAD_PROXY' }));
    expect(use).not.toThrow(/planted/);
  });
});
