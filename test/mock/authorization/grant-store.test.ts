import { expect, it } from 'vitest';
import { GRANTS_MAX, GrantStore } from '../../../src/mock/authorization/grant-store.ts';

it('remembers ten thousand of each, and of more forgets the oldest', () => {
  const store = new GrantStore();
  const grant = { client: 'a', scopes: [], resource: 'r' };
  const first = store.addGrant(grant);
  const token = store.addRefreshToken(first);
  const code = store.addCode({ ...grant, redirectUri: 'u', challenge: 'c', issuedAt: 0 });
  store.addClient({ id: 'first' });
  const known = () => [store.grant(first), store.refreshToken(token), store.code(code), store.client('first')];
  for (let count = 1; count < GRANTS_MAX; count++) {
    store.addClient({ id: `${count}` });
    store.addRefreshToken(store.addGrant(grant));
    store.addCode({ ...grant, redirectUri: 'u', challenge: 'c', issuedAt: 0 });
  }
  expect(known()).not.toContain(undefined);
  store.addClient({ id: 'one more' });
  store.addRefreshToken(store.addGrant(grant));
  store.addCode({ ...grant, redirectUri: 'u', challenge: 'c', issuedAt: 0 });
  expect(known()).toEqual(Array(4).fill(undefined));
});

it('knows nothing after a reset', () => {
  const store = new GrantStore();
  const grant = store.addGrant({ client: 'a', scopes: [], resource: 'r' });
  store.addClient({ id: 'a' });
  store.reset();
  expect([store.grant(grant), store.client('a')]).toEqual([undefined, undefined]);
});
