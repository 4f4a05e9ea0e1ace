import { describe, expect, it } from 'vitest';
import { mayStandFor } from '../../../../src/transports/http/authorization/may-stand-for.ts';
import { ProxiedOrigins } from '../../../../src/transports/http/authorization/proxied-origins.ts';
import { parseUpstream } from '../../../../src/transports/http/upstream/parse-upstream.ts';

const FAR = 'https://mcp.example.com';
const HERE = 'http://127.0.0.1:3000';
const origin = (uri: string) => new URL(uri).origin;

describe('an authorization server that a server names', () => {
  it.each([
    'http://169.254.169.254',
    'http://2852039166',
    'http://0xa9.0xfe.0xa9.0xfe:80',
    'http://[::ffff:169.254.169.254]',
    'https://[fe80::1]',
    'http://[fd00:ec2::254]',
    'http://100.100.100.200',
    'http://metadata.google.internal',
    'http://METADATA.google.internal.',
  ])('%s is left to the client, wherever the server is', (uri) => {
    expect([FAR, HERE].map((upstream) => mayStandFor(origin(uri), upstream))).toEqual([false, false]);
  });

  it.each([
    'http://127.0.0.1:8080',
    'http://127.1',
    'http://localhost:6379',
    'http://localhost.',
    'http://a.localhost',
    'http://[::1]:80',
    'http://[::ffff:127.0.0.1]',
    'http://0.0.0.0',
    'http://0',
    'http://[::]',
  ])('%s is left to the client, unless the server is on this machine', (uri) => {
    expect([FAR, HERE, 'http://localhost'].map((upstream) => mayStandFor(origin(uri), upstream))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it.each(['https://auth.example.com', 'https://10.1.2.3', 'https://[2001:db8::1]', 'https://metadata.example.com'])(
    '%s is stood for',
    (uri) => {
      expect([FAR, HERE].map((upstream) => mayStandFor(origin(uri), upstream))).toEqual([true, true]);
    },
  );
});

describe('an origin that the recorder does not stand for', () => {
  const origins = () => new ProxiedOrigins({ upstream: parseUpstream(`${FAR}/mcp`), port: 8080, allowed: [] });

  it('keeps its address, and is refused at the address of the recorder', () => {
    const own = origins();
    own.named('http://169.254.169.254/latest');
    expect(own.through('http://169.254.169.254/latest', '127.0.0.1:8080')).toBe('http://169.254.169.254/latest');
    expect(own.behind('/.mcp-record/http/169.254.169.254/latest')).toEqual({ stranger: 'http://169.254.169.254' });
  });

  it('is every further one, if a server names them without end', () => {
    const own = origins();
    for (let n = 0; n < 1_001; n++) own.named(`https://auth-${n}.example.com`);
    expect(own.behind('/.mcp-record/https/auth-999.example.com/')).toHaveProperty('upstream');
    expect(own.behind('/.mcp-record/https/auth-1000.example.com/')).toHaveProperty('stranger');
  });
});
