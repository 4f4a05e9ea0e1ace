import { describe, expect, it } from 'vitest';
import { createForeignSchemaCompiler } from '../../../src/protocol/schema/foreign-json-schema.ts';

const compile = createForeignSchemaCompiler();

describe('a schema of a stranger', () => {
  it('gives the place, the keyword and the value of each violation', () => {
    const check = compile({ type: 'object', properties: { n: { type: 'number' } }, required: ['m'] });
    expect(check({ n: 1, m: 2 })).toEqual([]);
    expect(check({ n: '1' })).toEqual([
      { keyword: 'required', path: '', value: { n: '1' }, text: expect.stringContaining("'m'") },
      { keyword: 'type', path: '/n', value: '1', text: expect.stringContaining('must be number') },
    ]);
  });

  it.each([
    ['of RE2', '^(a+)+$', 'aaaa', `${'a'.repeat(50)}b`],
    ['that RE2 does not have accepts every text', '^(?=a)a', 'b', undefined],
  ])('has patterns in linear time: one %s', (_, pattern, good, bad) => {
    const check = compile({ type: 'string', pattern });
    expect(check(good)).toEqual([]);
    if (bad !== undefined) expect(check(bad)).toMatchObject([{ keyword: 'pattern' }]);
  });

  it('may have the id of another one', () => {
    const one = compile({ $id: 'urn:x:a', type: 'number' });
    const two = compile({ $id: 'urn:x:a', type: 'string' });
    expect([one(1), two('1')]).toEqual([[], []]);
    expect([one('1').length, two(1).length]).toEqual([1, 1]);
  });

  it('is refused if it is invalid, or refers to what is not there', () => {
    expect(() => compile({ type: 'no-type' })).toThrow();
    expect(() => compile({ $ref: '#/$defs/none' })).toThrow();
  });
});
