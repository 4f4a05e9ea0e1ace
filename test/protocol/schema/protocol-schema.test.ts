import { expect, it } from 'vitest';
import { createSchemaProblem } from '../../../src/protocol/schema/json-schema.ts';
import { definitionBreaches, definitionsOf, readProtocolSchema } from '../../../src/protocol/schema/protocol-schema.ts';

it('reads the definitions of a revision, and has none of an unknown one', () => {
  for (const revision of ['2025-03-26', '2026-07-28'])
    expect(definitionsOf(readProtocolSchema(revision)!)).toHaveProperty('CallToolRequest');
  expect(readProtocolSchema('2024-11-05')).toBeUndefined();
  expect(readProtocolSchema('../../package')).toBeUndefined();
});

// Whoever checks messages takes this for granted: it would take longer than the messages of most sessions.
it.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])('the schema of %s is a valid one', (revision) => {
  expect(createSchemaProblem()(readProtocolSchema(revision)!)).toBeUndefined();
});

it('returns all that a value breaks of a definition', () => {
  const breaches = (revision: string, name: string, value: unknown) =>
    definitionBreaches(revision, name, value).map(({ path, why }) => `${path} ${why}`);
  expect(breaches('2025-11-25', 'Tool', { name: 'a', inputSchema: { type: 'object' } })).toEqual([]);
  expect(
    breaches('2025-11-25', 'Tool', { name: 'a', title: 1, inputSchema: {}, annotations: { readOnlyHint: 'yes' } }),
  ).toEqual([
    '/annotations/readOnlyHint must be boolean',
    "/inputSchema must have required property 'type'",
    '/title must be string',
  ]);
  expect(breaches('2025-11-25', 'DiscoverResult', {})).toEqual([]);
  expect(breaches('2024-11-05', 'Tool', {})).toEqual([]);
});
