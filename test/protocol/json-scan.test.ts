import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  elementsIn,
  type JsonPath,
  literalEnd,
  locate,
  locateId,
  membersIn,
  skipSpace,
  stringEnd,
  valueEnd,
} from '../../src/protocol/json-scan.ts';
import { isObject } from '../../src/protocol/message.ts';
import { jsonText } from '../support/json.ts';

/** Every path there is in `value`, its root first. */
function pathsOf(value: unknown, here: JsonPath = []): JsonPath[] {
  if (Array.isArray(value)) return [here, ...value.flatMap((item, index) => pathsOf(item, [...here, index]))];
  if (!isObject(value)) return [here];
  return [here, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...here, key]))];
}

const valueAt = (value: unknown, path: JsonPath) =>
  path.reduce((at, step) => (at as Record<string | number, unknown>)[step], value);

const found = (text: string, ...path: JsonPath) => {
  const span = locate(text, path);
  return span && text.slice(span.start, span.end);
};

describe('locate', () => {
  it('finds what parsing finds, at every path of any JSON', () => {
    fc.assert(
      fc.property(jsonText({ repeats: true }), (text) => {
        const value: unknown = JSON.parse(text);
        for (const path of pathsOf(value)) {
          expect(JSON.parse(found(text, ...path)!)).toEqual(valueAt(value, path));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds nothing where parsing finds nothing', () => {
    expect(found('{"a":[1]}', 'b')).toBeUndefined();
    expect(found('{"a":[1]}', 'a', 1)).toBeUndefined();
    expect(found('{"a":[1]}', 'a', 'length')).toBeUndefined();
    expect(found('{"a":[1]}', 0)).toBeUndefined();
    expect(found('[]', 0)).toBeUndefined();
    expect(found('{}', '')).toBeUndefined();
    expect(found('"a"', 'a')).toBeUndefined();
    expect(found('["a",1]', 'a')).toBeUndefined();
  });

  it('takes the last of a repeated key, as a parser does', () => {
    expect(found('{"id":1,"x":{"id":3},"id":2}', 'id')).toBe('2');
  });

  it('does not take a key for another that it begins, or whose escapes it spells out', () => {
    expect(found('{"ab":1,"\\u0061":2}', 'a')).toBe('2');
    expect(found('{"\\\\u0061":1}', 'a')).toBeUndefined();
    expect(found('{"a\\"":1}', 'a\\"')).toBeUndefined();
    expect(found('{"a\\"":1}', 'a"')).toBe('1');
  });

  it('gives the value without the white space around it', () => {
    expect(found(' \n{ "a" :\t[ 1 , {"b": 2 } ] } ', 'a', 1)).toBe('{"b": 2 }');
  });
});

describe('the elements of a list', () => {
  it('are found in one pass, each as it is written', () => {
    const text = ' [ {"id":1.0, "x":"],"} ,\n[2,3] , "," ,4 ] ';
    expect(elementsIn(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      '{"id":1.0, "x":"],"}',
      '[2,3]',
      '","',
      '4',
    ]);
  });

  it('are none in an empty list, and where there is no list', () => {
    expect([' [ ] ', '{"a":[1]}', '1'].map(elementsIn)).toEqual([[], [], []]);
  });
});

describe('the steps', () => {
  it('pass white space, and nothing that only looks like it', () => {
    expect(skipSpace(' \t\r\nx', 0)).toBe(4);
    expect(skipSpace('\u00a0x', 0)).toBe(0);
    expect(skipSpace('   ', 0)).toBe(3);
  });

  it('pass a string to its own closing quote', () => {
    expect(stringEnd('"a",', 0)).toBe(3);
    expect(stringEnd('"a\\"b"', 0)).toBe(6);
    expect(stringEnd('"a\\\\"b"', 0)).toBe(5);
    expect(stringEnd('""', 0)).toBe(2);
    expect(stringEnd('"open\\"', 0)).toBe(-1);
  });

  it('pass a literal as JSON spells it', () => {
    const ends = ['-1.5e+3,', '1.25', '1e5', '1E-10', '0123', 'true', 'nullx', '+1', '.5', '1.', '-', 'NaN'].map(
      (text) => literalEnd(text, 0),
    );
    expect(ends).toEqual([7, 4, 3, 5, 1, 4, 4, -1, -1, 1, -1, -1]);
  });

  it('pass a value of any shape to its end', () => {
    expect(['{"a":"}"}x', '[[],[]]]', '1}', 'true]', '"," ,', '12'].map((text) => valueEnd(text, 0))).toEqual([
      9, 7, 1, 4, 3, 2,
    ]);
  });
});

describe('an id that is known to be there', () => {
  it('lies where a look at all of the text finds it', () => {
    fc.assert(
      fc.property(jsonText({ repeats: true }), (text) => {
        const value: unknown = JSON.parse(text);
        fc.pre(isObject(value) && Object.hasOwn(value, 'id'));
        expect(locateId(text)).toEqual(locate(text, ['id']));
      }),
    );
  });

  it.each([
    ['{"result":{"id":1},"id":2}', '2'],
    ['{"id":1,"id":2}', '2'],
    ['{"name":"id", "id" : "a" }', '"a"'],
    ['{"text":"\\"id\\":1","id":2}', '2'],
    ['{"id":1,"\\u0069d":2}', '2'],
  ])('is found in %s', (text, token) => {
    const span = locateId(text);
    expect(text.slice(span?.start, span?.end)).toBe(token);
  });
});

it('the members of an object are its keys and values, in order', () => {
  const text = ' { "2" : 1.0 , "1":[{"a":{}}],"\\u0041" : "x,}" } ';
  expect(membersIn(text).map(({ key, start, end }) => [key, text.slice(start, end)])).toEqual([
    ['2', '1.0'],
    ['1', '[{"a":{}}]'],
    ['A', '"x,}"'],
  ]);
  for (const none of ['{}', ' { } ', '[]', '1', '"{"']) expect(membersIn(none)).toEqual([]);
});
