import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { blockYaml } from '../../../../src/html-report/browser/details/block-yaml.ts';
import { anyCharacter } from '../../../support/fuzz.ts';

it('is what a person would write', () => {
  const text = '{"method":"tools/call","params":{"a":[1.0,{"b":[],"c":"x\\ny"},[true,[null]]],"no":{}}}';
  expect(blockYaml(text, 4)?.join('\n')).toBe(
    [
      '    method: "tools/call"',
      '    params:',
      '      a:',
      '        - 1.0',
      '        - b: []',
      '          c: "x\\ny"',
      '        - - true',
      '          - - null',
      '      "no": {}',
    ].join('\n'),
  );
});

it('says in YAML what the JSON said', () => {
  const value = fc.oneof(
    fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 }),
    fc.array(fc.jsonValue({ stringUnit: 'binary' }), { minLength: 1 }),
  );
  fc.assert(
    fc.property(value, (json) => {
      const text = JSON.stringify(json);
      expect(parse(blockYaml(text, 2)!.join('\n'))).toEqual(JSON.parse(text));
    }),
  );
});

it.each(['{}', '[]', '7', '"x"', '{"a":', ''])('%s has no lines', (text) => {
  expect(blockYaml(text, 2)).toBeUndefined();
});
