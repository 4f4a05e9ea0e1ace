import { describe, expect, it } from 'vitest';
import {
  isRepeatable,
  rewriteAuthorizationRedirect,
} from '../../../../src/transports/http/authorization/rewrite-issuer-in-redirect.ts';

const CLIENT = 'http://localhost:3000/callback';
const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const asked = { response_type: 'code', redirect_uri: CLIENT, state: 's' };

describe('an authorization request', () => {
  it('is repeatable where it says all of itself', () => {
    expect(isRepeatable('GET', query(asked))).toBe(true);
  });

  it.each<[string, string, Record<string, string>]>([
    ['it is posted', 'POST', asked],
    ['only its head is wanted', 'HEAD', asked],
    ['it was pushed, and may be good once', 'GET', { ...asked, request_uri: 'urn:1' }],
    ['it is signed', 'GET', { ...asked, request: 'eyJ' }],
    ['it wants a token at once', 'GET', { ...asked, response_type: 'token' }],
    ['it names nobody to come back to', 'GET', { response_type: 'code' }],
    ['it is another page', 'GET', {}],
  ])('is not repeatable where %s', (_, method, fields) => {
    expect(isRepeatable(method, query(fields))).toBe(false);
  });
});

describe('an authorization response (RFC 6749, 4.1.2)', () => {
  const address = `https://as.example/authorize?${query(asked)}`;
  const known = (issuer: string) => (issuer === 'https://as.example' ? 'http://us/as' : issuer);
  const response = (location: string) => rewriteAuthorizationRedirect(location, address, known);

  it('names the issuer as the client knows it, and nothing else of it changes', () => {
    const before = `${CLIENT}?code=a%2Bb~c&iss=https%3A%2F%2Fas.example&state=s#end`;
    const after = `${CLIENT}?code=a%2Bb~c&iss=http%3A%2F%2Fus%2Fas&state=s#end`;
    expect(response(before)).toBe(after);
  });

  it.each(['https://as.example/', 'https://evil.example', ''])(
    'leaves an issuer that nobody described for the client to refuse: %j',
    (iss) => {
      const location = `${CLIENT}?${query({ code: 'c', iss })}`;
      expect(response(location)).toBe(location);
    },
  );

  it('may name no issuer', () => {
    expect(response(`${CLIENT}?code=c`)).toBe(`${CLIENT}?code=c`);
  });

  it('may go back to an application by a scheme of its own', () => {
    const own = 'cursor://mcp/callback';
    const request = `https://as.example/authorize?${query({ ...asked, redirect_uri: own })}`;
    expect(rewriteAuthorizationRedirect(`${own}?code=c`, request, known)).toBe(`${own}?code=c`);
    expect(rewriteAuthorizationRedirect('cursor://mcp/other?code=c', request, known)).toBeUndefined();
  });

  it.each([
    ['a page to log in', '/login?code=1'],
    ['another host', 'http://evil.example/callback?code=c'],
    ['another port', 'http://localhost:3001/callback?code=c'],
    ['another path', 'http://localhost:3000/callback/x?code=c'],
    ['an error, which a browser with cookies may not get', `${CLIENT}?error=login_required&state=s`],
    ['a code beside an error', `${CLIENT}?error=x&code=c`],
    ['nothing in it', CLIENT],
    ['no address', 'http://['],
  ])('is not what leads to %s', (_, location) => {
    expect(response(location)).toBeUndefined();
  });

  it('is none where the request named no address to come back to', () => {
    const request = `https://as.example/authorize?${query({ redirect_uri: 'back' })}`;
    expect(rewriteAuthorizationRedirect('back?code=c', request, known)).toBeUndefined();
  });
});
