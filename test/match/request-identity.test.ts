import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedKey, identityOf } from '../../src/match/request-identity.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { fuzzed } from '../support/fuzz.ts';
import { jsonText } from '../support/json.ts';

const call = (args: string, rest = '') =>
  new JsonText(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":${args}${rest}}}`);
const keyOf = (args: string, ignore: string[] = [], rest = '') => identityOf(call(args, rest), ignore).key;

describe('two requests are the same', () => {
  it('whatever the order of their keys, their ids, their white space and their _meta', () => {
    const one = new JsonText('{"id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":1,"y":2}}}');
    const other = new JsonText(
      '{ "params":{"_meta":{"progressToken":9},"arguments":{"y":2.0,"x":1},"name":"a"}, "method":"tools/call","id":"z"}',
    );
    expect(identityOf(other)).toEqual(identityOf(one));
  });

  it('where they only differ in what is ignored', () => {
    expect(keyOf('{"x":1,"at":5}', ['/params/arguments/at'])).toBe(keyOf('{"x":1}'));
    expect(keyOf('{"x":[1,2]}', ['/params/arguments/x/*'])).toBe(keyOf('{"x":[]}'));
    expect(keyOf('{"x":1}', ['/params/arguments/x'])).toBe(keyOf('{}'));
  });

  it('in the value of numbers that a double cannot hold', () => {
    expect(keyOf('{"n":1e400}')).toBe(keyOf('{"n":10e399}'));
    expect(keyOf('{"n":9007199254740993}')).not.toBe(keyOf('{"n":9007199254740992}'));
    expect(keyOf('{"n":1e400}')).not.toBe(keyOf('{"n":"1e400"}'));
  });
});

it('two requests ask the same, though their servers chose other states', () => {
  const asked = (state: string) => call('{}', `,"requestState":${state}`);
  expect(askedKey(asked('"a"'))).toBe(askedKey(asked('"b"')));
  expect(identityOf(asked('"a"')).key).not.toBe(identityOf(asked('"b"')).key);
  expect(askedKey(call('{"x":1}'))).not.toBe(askedKey(call('{"x":2}')));
});

describe('two requests are not the same', () => {
  it('with other params that are no object', () => {
    const keyOfParams = (params: string) => identityOf(new JsonText(`{"id":1,"method":"x/y","params":${params}}`)).key;
    expect(keyOfParams('[1]')).not.toBe(keyOfParams('[2]'));
    expect(keyOfParams('"a"')).not.toBe(keyOfParams('"b"'));
    expect(keyOfParams('"a"')).not.toBe(keyOfParams('{}'));
    expect(keyOfParams('null')).toBe(keyOfParams('{}'));
  });

  it('with another method, though everything is ignored', () => {
    const keys = ['tools/call', 'tools/list'].map(
      (method) => identityOf(new JsonText(`{"id":1,"method":"${method}"}`), ['', '/method']).key,
    );
    expect(keys).toEqual(['tools/call {}', 'tools/list {}']);
  });

  it('where a key is "__proto__", with or without something to ignore', () => {
    for (const ignore of [[], ['/params/arguments/at']]) {
      expect(keyOf('{"__proto__":{"a":1},"at":1}', ignore)).not.toBe(keyOf('{"__proto__":{"a":2},"at":1}', ignore));
    }
    const unknown = (params: string) => identityOf(new JsonText(`{"id":1,"method":"acme/do","params":${params}}`));
    expect(unknown('{"__proto__":{"a":1}}').key).not.toBe(unknown('{}').key);
  });

  it('where they nest too deep to be walked, unless they are spelt alike', () => {
    const nested = (leaf: number) => `{"deep":${'['.repeat(100_000)}${leaf}${']'.repeat(100_000)}}`;
    expect(keyOf(nested(1))).toBe(keyOf(nested(1)));
    const other = call(nested(1)).text.replace('"id":1', '"id":2');
    expect(identityOf(new JsonText(other)).key).toBe(keyOf(nested(1)));
    expect(keyOf(nested(1))).not.toBe(keyOf(nested(2)));
    expect(keyOf(nested(1))).not.toBe(keyOf('{}'));
  });

  it('where arguments differ in any way', () => {
    fc.assert(
      fc.property(jsonText(), jsonText(), (a, b) => {
        const same = identityOf(call(`{"v":${a}}`)).key === identityOf(call(`{"v":${b}}`)).key;
        expect(same).toBe(JSON.stringify(sorted(JSON.parse(a))) === JSON.stringify(sorted(JSON.parse(b))));
      }),
      fuzzed(1_000),
    );
  });
});

/** The same value as lists of pairs, in one order of keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { pairs: pairs.map(([key, item]) => [key, sorted(item)]) };
}

it('has a key for anything, also where its params are a list', () => {
  expect(identityOf(new JsonText('{"method":"ping","params":[1]}')).key).toBe('ping {"params":[1]}');
  expect(identityOf(new JsonText('[1]')).method).toBe('undefined');
});
