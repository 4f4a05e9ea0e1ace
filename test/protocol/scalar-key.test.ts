import { expect, it } from 'vitest';
import { JsonText } from '../../src/protocol/json-text.ts';
import { scalarKeyAt } from '../../src/protocol/scalar-key.ts';

const idOf = (text: string) => scalarKeyAt(new JsonText(text), ['id']);

it('tells a number from the string of its digits', () => {
  expect(idOf('{"id":1}')).toBe('1');
  expect(idOf('{"id":"1"}')).toBe('"1"');
});

it('takes zero and the empty string for ids, and nothing that is neither number nor string', () => {
  expect(['0', '""', 'null', 'true', '{}', '[]'].map((id) => idOf(`{"id":${id}}`))).toEqual([
    '0',
    '""',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(idOf('{}')).toBeUndefined();
});

it('is the same for every spelling of a string', () => {
  expect(idOf('{"id":"\\u0061"}')).toBe(idOf('{"id":"a"}'));
});

it('is the same for every spelling of a number that parsing does not change', () => {
  expect(['1', '1.0', '1e0', '10E-1'].map((id) => idOf(`{"id":${id}}`))).toEqual(Array(4).fill('1'));
});

it('tells integers apart that parsing would merge', () => {
  expect(idOf('{"id":9007199254740993}')).toBe('9007199254740993');
  expect(idOf('{"id":9007199254740993}')).not.toBe(idOf('{"id":9007199254740992}'));
});

it('follows a path through objects and lists', () => {
  const json = new JsonText('{"params":{"_meta":{"progressToken":7},"list":["a"]}}');
  expect(scalarKeyAt(json, ['params', '_meta', 'progressToken'])).toBe('7');
  expect(scalarKeyAt(json, ['params', 'list', 0])).toBe('"a"');
  expect(scalarKeyAt(json, ['params', 0])).toBeUndefined();
  expect(scalarKeyAt(json, ['nothing', 'here'])).toBeUndefined();
});
