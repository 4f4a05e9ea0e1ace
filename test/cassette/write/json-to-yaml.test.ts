import { describe, expect, it } from 'vitest';
import { jsonToYaml, jsonToYamlPieces, KEY_LENGTH_MAX } from '../../../src/cassette/write/json-to-yaml.ts';
import { JSON_DEPTH_MAX } from '../../../src/protocol/json-scan.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

/** What usual messages become by way of their bytes, in pieces they become as texts. */
function yamlOf(json: string, column: number): string | undefined {
  const yaml = jsonToYaml(json, column);
  expect(jsonToYamlPieces(json, column)?.join('')).toBe(yaml);
  return yaml;
}

describe('JSON as block YAML', () => {
  it('stands two columns in from its key', () => {
    expect(yamlOf('{"a":{"b":[1,{"c":null}],"d":[]}}', 0)).toBe(
      '\n  a:\n    b:\n      - 1\n      - c: null\n    d: []',
    );
    expect(yamlOf('[[true,[false]],{}]', 2)).toBe('\n    - - true\n      - - false\n    - {}');
    expect(yamlOf('{}', 2)).toBe(' {}');
  });

  it('reads over white space', () => {
    expect(yamlOf(' { "a" : [ 1 , 2 ] ,\t"b":{ } }\r', 0)).toBe('\n  a:\n    - 1\n    - 2\n  b: {}');
  });

  it('keeps number lexemes', () => {
    expect(yamlOf('[1.0,-0,1e400,1E+2,123456789012345678901234]', 0)).toBe(
      '\n  - 1.0\n  - -0\n  - 1e400\n  - 1E+2\n  - 123456789012345678901234',
    );
  });

  it.each([
    '',
    ' ',
    '1',
    '"a"',
    'null',
    'Listening on port 3000',
    '{',
    '{}}',
    '{} {}',
    '[1,]',
    '[,1]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '[01]',
    '[+1]',
    '[1.]',
    '[.5]',
    '[1e]',
    '[-]',
    '[NaN]',
    '[tru]',
    '[nullx]',
    '["a]',
    '["\\x"]',
    '["\\u12"]',
    '["\t"]',
    '["\0"]',
    `["${'a'.repeat(300)}\t"]`,
    '[1 2]',
    '{"a" 1}',
    '\ufeff{}',
    '{}\u00a0',
    '/**/{}',
  ])('is nothing for %j, which is no JSON object or array', (text) => {
    expect(yamlOf(text, 0)).toBeUndefined();
  });

  it('is nothing for a repeated key, also when it is written in another way', () => {
    expect(yamlOf('{"a":1,"a":1}', 0)).toBeUndefined();
    expect(yamlOf('{"a":1,"\\u0061":1}', 0)).toBeUndefined();
    expect(yamlOf('{"a":{"a":1},"b":{"a":1}}', 0)).toBeDefined();
  });

  it('is nothing for half a surrogate pair', () => {
    expect(yamlOf('["\\ud83d"]', 0)).toBeUndefined();
    expect(yamlOf('["\ud83d"]', 0)).toBeUndefined();
    expect(yamlOf('{"\\ud83d":1}', 0)).toBeUndefined();
    expect(yamlOf('["\\ud83d\\ude00"]', 0)).toBe('\n  - 😀');
  });

  it('is nothing for what is nested too deeply', () => {
    expect(yamlOf(nested(JSON_DEPTH_MAX), 0)).toBeDefined();
    expect(yamlOf(nested(JSON_DEPTH_MAX + 1), 0)).toBeUndefined();
    expect(yamlOf(nested(100_000), 0)).toBeUndefined();
  });

  it('is nothing for a key that is too long, as it is or as it would be written', () => {
    const keyed = (key: string) => yamlOf(JSON.stringify({ [key]: 1 }), 0);
    expect(keyed('k'.repeat(KEY_LENGTH_MAX))).toBeDefined();
    expect(keyed('k'.repeat(KEY_LENGTH_MAX + 1))).toBeUndefined();
    expect(keyed('\x01'.repeat(KEY_LENGTH_MAX))).toBeUndefined();
  });
});
