import { expect, it } from 'vitest';
import { unresolvedReferences } from '../../../src/contract/schema/unresolved-references.ts';

it('returns references to definitions that a schema does not have', () => {
  const a = { $ref: '#/$defs/A' };
  expect(unresolvedReferences({ properties: { a }, $defs: { A: {} } })).toEqual([]);
  expect(
    unresolvedReferences({ properties: { a, b: { anyOf: [a, { $ref: '#/$defs/toString' }] } }, $defs: {} }),
  ).toEqual(['#/$defs/A', '#/$defs/toString']);
  expect(unresolvedReferences({ a: { $ref: '#/$defs/A/type' }, $defs: { A: { type: 'string' } } })).toEqual([]);
  expect(unresolvedReferences({ a: { $ref: '#/$defs/A/type/no' }, $defs: { A: { type: 'string' } } })).toHaveLength(1);
});

it('decodes references', () => {
  const $defs = { 'a/b': {}, 'c d': {}, 'e%': {} };
  const allOf = ['#/$defs/a~1b', '#/$defs/c%20d', '#/$defs/e%'].map(($ref) => ({ $ref }));
  expect(unresolvedReferences({ $defs, allOf })).toEqual([]);
});

it('leaves out anchors, other documents, and values that are no schemas', () => {
  const [a, other] = [{ $ref: '#/$defs/A' }, { $ref: 'https://example.com/a.json' }];
  expect(unresolvedReferences({ allOf: [{ $ref: '#a' }, { $ref: '#' }, other], default: a, enum: [a] })).toEqual([]);
  expect(unresolvedReferences({ allOf: [{ $id: 'https://example.com/b', ...a }] })).toEqual([]);
});
