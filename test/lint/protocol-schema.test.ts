import { expect, it } from 'vitest';
import { definitionsOf, readProtocolSchema } from '../../src/lint/protocol-schema.ts';

it('reads the definitions of a revision, and has none of an unknown one', () => {
  for (const revision of ['2025-03-26', '2026-07-28'])
    expect(definitionsOf(readProtocolSchema(revision)!)).toHaveProperty('CallToolRequest');
  expect(readProtocolSchema('2024-11-05')).toBeUndefined();
  expect(readProtocolSchema('../../package')).toBeUndefined();
});
