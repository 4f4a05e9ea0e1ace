import { describe, expect, it } from 'vitest';
import {
  allowedOrigin,
  type HostNames,
  isOurs,
  toUpstreamHeaders,
  towardsClient,
} from '../../../../src/transports/http/proxy/rewrite-host-and-origin.ts';

const names: HostNames = {
  upstream: { host: 'far.example', origin: 'https://far.example' },
  port: 8080,
  allowed: ['devbox'],
};

describe('names (§14)', () => {
  it('of ours are the server’s upstream', () => {
    expect(toUpstreamHeaders(['HOST', '127.0.0.1:8080', 'Origin', 'http://localhost:8080', 'X', 'y'], names)).toEqual([
      'HOST',
      'far.example',
      'Origin',
      'https://far.example',
      'X',
      'y',
    ]);
  });

  it('of others pass unchanged, so that the server’s own checks still fail', () => {
    const others = ['Host', '127.0.0.1:9999', 'Origin', 'http://localhost:6274'];
    expect(toUpstreamHeaders(others, names)).toEqual(others);
  });

  it('are ours with our port, or by permission', () => {
    const authorities = ['127.0.0.1:8080', 'localhost:8080', 'localhost', 'devbox:1', 'far.example'];
    expect(authorities.filter((authority) => isOurs(authority, names))).toEqual([
      '127.0.0.1:8080',
      'localhost:8080',
      'devbox:1',
    ]);
  });

  it('of the server’s are ours towards the client', () => {
    const told = (uri: string) => towardsClient(uri, names.upstream, 'localhost:8080');
    expect(told('https://far.example/a?b#c')).toBe('http://localhost:8080/a?b#c');
    expect(told('https://other.example/a')).toBe('https://other.example/a');
    expect(told('http://far.example/a')).toBe('http://far.example/a');
    expect(told('/a')).toBe('/a');
  });
});

describe('the origin that a server lets read its answer (Fetch, "CORS protocol")', () => {
  it.each([
    ['https://far.example', 'http://devbox:5173', 'http://devbox:5173'],
    ['https://far.example', 'http://localhost:5173', 'https://far.example'],
    ['*', 'http://devbox:5173', '*'],
    ['http://localhost:5173', 'http://localhost:5173', 'http://localhost:5173'],
  ])('%s, asked by a page of %s, is %s', (value, origin, expected) => {
    expect(allowedOrigin(value, ['Origin', origin], names)).toBe(expected);
  });

  it('stays where no page asked', () => {
    expect(allowedOrigin('https://far.example', [], names)).toBe('https://far.example');
  });
});
