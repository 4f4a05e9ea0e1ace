import { expect, it } from 'vitest';
import { claimedRevision } from '../../src/protocol/claimed-revision.ts';
import { META } from '../../src/protocol/meta.ts';

it.each([
  ['a request of 2026-07-28', { params: { _meta: { [META.protocolVersion]: '2026-07-28' } } }, '2026-07-28'],
  ['a request of an earlier revision', { params: { name: 'weather' } }, undefined],
  ['a revision that is no text', { params: { _meta: { [META.protocolVersion]: 1 } } }, undefined],
  ['what is no message', 'text', undefined],
])('%s states a revision, or none', (_, message, revision) => {
  expect(claimedRevision(message)).toBe(revision);
});
