import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonTokenLines } from '../../../../src/html-report/browser/details/json-token-lines.ts';

const drawn = (text: string) =>
  jsonTokenLines(text)?.map(({ depth, tokens }) => '  '.repeat(depth) + tokens.map((token) => token.text).join(''));

it('JSON stands line by line, every token as it was written', () => {
  expect(drawn('{"n":1.0,"big":12345678901234567890,"list":[ ],"deep":{"a":[true,null,"x\\"y"]}}')).toEqual([
    '{',
    '  "n":1.0,',
    '  "big":12345678901234567890,',
    '  "list":[],',
    '  "deep":{',
    '    "a":[',
    '      true,',
    '      null,',
    '      "x\\"y"',
    '    ]',
    '  }',
    '}',
  ]);
});

it('an opening line knows the line that closes it', () => {
  expect(jsonTokenLines('{"a":[1],"b":{}}')?.map(({ closes }) => closes)).toEqual([
    5,
    3,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it('no JSON loses or gains a thing', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(drawn(text)!.join('\n'))).toEqual(JSON.parse(text));
    }),
  );
});

it('what is no JSON has no lines', () => {
  expect(['{"a":', 'hello', '', '[1]]'].map(jsonTokenLines)).toEqual([undefined, undefined, undefined, undefined]);
});
