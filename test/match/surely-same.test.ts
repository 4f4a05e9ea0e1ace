import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityOf } from '../../src/match/identity.ts';
import { areSurelySame } from '../../src/match/surely-same.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { fuzzed } from '../support/fuzz.ts';
import { jsonText } from '../support/json.ts';

const call = (args: string, rest = '') =>
  new JsonText(`{"id":1,"method":"tools/call","params":{"name":"a","arguments":${args}${rest}}}`);
const same = (one: JsonText, other: JsonText) => areSurelySame('tools/call', one, other);

describe('two calls are surely the same', () => {
  it('whatever their ids, their _meta and the order of their keys', () => {
    const one = call('{"x":[1,{"y":null}],"z":"a"}', ',"_meta":{"progressToken":1}');
    const other =
      '{"params":{"arguments":{"z":"a","x":[1,{"y":null}]},"name":"a"},"id":2,"method":"tools/call"}';
    expect(same(one, new JsonText(other))).toBe(true);
  });

  it('only where their identities are equal', () => {
    const pair = fc.tuple(jsonText(), jsonText()).chain(([a, b]) => fc.constantFrom([a, a], [a, b] as const));
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [one, other] = [call(a), call(b)];
        if (same(one, other)) expect(identityOf(one).key).toBe(identityOf(other).key);
      }),
      fuzzed(),
    );
  });
});

it.each([
  ['a value differs', '{"x":1}', '{"x":2}'],
  ['one has more', '{"x":1}', '{"x":1,"y":null}'],
  ['a key has another name', '{"x":null}', '{"y":null}'],
  ['a list is no object', '{"x":[]}', '{"x":{}}'],
  ['a key is inherited', '{"toString":null}', '{"x":null}'],
  ['a double would round a number', '{"n":9007199254740993}', '{"n":9007199254740993}'],
  [
    'they are too deep to be walked',
    `${'['.repeat(70)}${']'.repeat(70)}`,
    `${'['.repeat(70)}${']'.repeat(70)}`,
  ],
])('two calls are not surely the same where %s', (_, one, other) => {
  expect(same(call(one), call(other))).toBe(false);
});

it('nothing is sure of a method that the protocol does not know, nor of params that are no object', () => {
  expect(areSurelySame('acme/do', call('{}'), call('{}'))).toBe(false);
  const list = new JsonText('{"id":1,"method":"tools/call","params":[]}');
  expect(same(list, list)).toBe(false);
});
