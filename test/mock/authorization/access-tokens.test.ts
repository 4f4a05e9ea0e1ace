import { expect, it } from 'vitest';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { AccessTokens } from '../../../src/mock/authorization/access-tokens.ts';

const [issuer, audience] = ['http://127.0.0.1:1', 'http://127.0.0.1:1/mcp'];
const claims = { issuer, audience, client: 'a', scopes: ['x', 'y'], grant: 'g' };

it('verifies who issued a token, whom it is for, and that its key is its own', async () => {
  const clock = new ManualClock();
  const [tokens, others] = [await AccessTokens.create(clock), await AccessTokens.create(clock)];
  const token = await tokens.sign(claims, 10);
  const verify = (one: string, resource = audience, by = issuer) =>
    tokens.verify(one, { issuer: by, audience: ['http://127.0.0.1:1/sse', resource] });
  expect(await verify(token)).toEqual({ grant: 'g', scopes: ['x', 'y'] });
  const strange = { why: 'The access token was not issued by this authorization server' };
  expect(await verify(token, `${audience}/other`)).toEqual({ why: 'The access token was issued for another resource' });
  expect(await verify(token, audience, 'http://localhost:1')).toEqual(strange);
  expect(await verify(await others.sign(claims, 10))).toEqual(strange);
  expect(await verify('x')).toEqual(strange);
  clock.advance(10_000);
  expect(await verify(token)).toEqual({ why: 'The access token expired' });
});

it('shows its public key alone', async () => {
  const { keySet } = await AccessTokens.create(new ManualClock());
  expect(keySet.keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']]);
});
