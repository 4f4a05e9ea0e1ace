import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fastSameIdentity } from '../../src/match/fast-same-identity.ts';
import { identityOf } from '../../src/match/request-identity.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { fuzzed } from '../support/fuzz.ts';
import { jsonText } from '../support/json.ts';

const call = (args: string, rest = '') =>
  new JsonText(`{"id":1,"method":"tools/call","params":{"name":"a","arguments":${args}${rest}}}`);
const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const same = (one: JsonText, other: JsonText) => fastSameIdentity('tools/call', one, other);

describe('two calls are surely the same', () => {
  it('whatever their ids, their _meta and the order of their keys', () => {
    const one = call('{"x":[1,{"y":null}],"z":"a"}', ',"_meta":{"progressToken":1}');
    const other = '{"params":{"arguments":{"z":"a","x":[1,{"y":null}]},"name":"a"},"id":2,"method":"tools/call"}';
    expect(same(one, new JsonText(other))).toBe(true);
  });

  it('as deep as anything is walked', () => {
    expect(same(call(lists(62)), call(lists(62)))).toBe(true);
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
  ['a double would round the one', '{"n":1.0000000000000000001}', '{"n":1}'],
  ['a double would round the other', '{"n":1}', '{"n":1.0000000000000000001}'],
  ['a number is no object', '{"x":1}', '{"x":{}}'],
  ['an object is no number', '{"x":{}}', '{"x":1}'],
  ['a text is no object', '{"x":"a"}', '{"x":{"0":"a"}}'],
  ['an object is no text', '{"x":{"0":"a"}}', '{"x":"a"}'],
  ['null is no object', '{"x":null}', '{"x":{}}'],
  ['an object is not null', '{"x":{}}', '{"x":null}'],
  ['they are too deep to be walked by a level', lists(63), lists(63)],
  ['they are far too deep to be walked', lists(100_000), lists(100_000)],
])('two calls are not surely the same where %s', (_, one, other) => {
  expect(same(call(one), call(other))).toBe(false);
});

it('nothing is sure of a method that the protocol does not know, nor of params that are no object', () => {
  expect(fastSameIdentity('acme/do', call('{}'), call('{}'))).toBe(false);
  const list = new JsonText('{"id":1,"method":"tools/call","params":[]}');
  for (const [one, other] of [
    [list, list],
    [list, call('{}')],
    [call('{}'), list],
  ] as const)
    expect(same(one, other)).toBe(false);
});
