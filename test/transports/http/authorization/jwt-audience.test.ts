import { describe, expect, it } from 'vitest';
import { audienceOfJwt } from '../../../../src/transports/http/authorization/jwt-audience.ts';

const jwt = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

describe('an assertion (RFC 7523)', () => {
  it('is for one or for several', () => {
    expect(audienceOfJwt(jwt({ aud: 'http://as/' }))).toEqual(['http://as/']);
    expect(audienceOfJwt(jwt({ aud: ['a', 'b', 1] }))).toEqual(['a', 'b']);
  });

  it.each(['', 'opaque', 'a.b.c', jwt({}), jwt(null), jwt({ aud: 1 })])('may be for nobody: %j', (text) => {
    expect(audienceOfJwt(text)).toEqual([]);
  });
});
