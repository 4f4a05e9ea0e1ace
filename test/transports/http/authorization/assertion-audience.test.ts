import { describe, expect, it } from 'vitest';
import { audienceOf } from '../../../../src/transports/http/authorization/assertion-audience.ts';

const jwt = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

describe('an assertion (RFC 7523)', () => {
  it('is for one or for several', () => {
    expect(audienceOf(jwt({ aud: 'http://as/' }))).toEqual(['http://as/']);
    expect(audienceOf(jwt({ aud: ['a', 'b', 1] }))).toEqual(['a', 'b']);
  });

  it.each(['', 'opaque', 'a.b.c', jwt({}), jwt(null), jwt({ aud: 1 })])('may be for nobody: %j', (text) => {
    expect(audienceOf(text)).toEqual([]);
  });
});
