import { describe, expect, it } from 'vitest';
import { parseListenAddress } from '../../../src/cli/options/listen-address.ts';

describe('where to listen (§14, "Bind the loopback")', () => {
  it.each([
    ['8080', { hostname: '127.0.0.1', port: 8080 }],
    ['127.0.0.1:0', { hostname: '127.0.0.1', port: 0 }],
    ['localhost:8080', { hostname: 'localhost', port: 8080 }],
    ['[::1]:8080', { hostname: '::1', port: 8080 }],
  ])('is on this machine: %s', (text, address) => {
    expect(parseListenAddress(text)).toEqual(address);
  });

  it.each(['0.0.0.0:8080', '[::]:8080', '192.168.1.7:8080', 'example.com:80', ':8080', '127.0.0.1:65536', ''])(
    'is nowhere else: "%s"',
    (text) => {
      expect(() => parseListenAddress(text)).toThrow(expect.objectContaining({ code: 'USAGE_BAD_LISTEN' }));
    },
  );
});
