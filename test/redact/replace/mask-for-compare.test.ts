import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { maskSecrets, wasRedacted } from '../../../src/redact/replace/mask-for-compare.ts';

const alike = maskSecrets(createRedactor({ env: {} }));

it('a live secret is compared as what is left of it in a cassette', () => {
  const live = { params: { password: 'hunter2hunter', city: 'Oslo' } };
  const recorded = { params: { password: '[redacted:password:7]', city: 'Oslo' } };
  expect(alike(live)).toEqual(alike(recorded));
  expect(alike(live)).not.toEqual(alike({ params: { ...live.params, city: 'Rome' } }));
  expect(alike(live)).not.toEqual(alike({ params: { city: 'Oslo' } }));
});

it('tells a redacted text', () => {
  expect([wasRedacted('a [redacted:token:1]'), wasRedacted('[redacted]')]).toEqual([true, false]);
});
