import { expect, it } from 'vitest';
import { elementsOf, isJson, JsonText, jsonOf, mayHaveMember, parseJson } from '../../src/protocol/json-text.ts';
import { workOf } from '../support/work.ts';

it('keeps its text and gives its value, the same object each time', () => {
  const json = new JsonText('{"a":1.0}');
  expect(json.text).toBe('{"a":1.0}');
  expect(json.value).toEqual({ a: 1 });
  expect(json.value).toBe(json.value);
});

it('parses an undefined-looking value once, too', () => {
  expect(new JsonText('null').value).toBeNull();
});

it('throws when it is not JSON, when somebody looks', () => {
  const json = new JsonText('{');
  expect(() => json.value).toThrow(SyntaxError);
});

it('a text that is no JSON is told from one that is', () => {
  expect(['{"a":1}', ' null ', '{', '', '{"a":1} x'].map((text) => isJson(new JsonText(text)))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(['{"a":1}', 'null', '{', ''].map(parseJson)).toEqual([{ a: 1 }, null, undefined, undefined]);
});

it('a message without the name of a member, at any depth, has no such member', () => {
  const has = (text: string) => mayHaveMember(new JsonText(text), 'cursor');
  expect(has('{"params":{"cursor":"x"}}')).toBe(true);
  expect(has('{"params":{"\\u0063ursor":"x"}}')).toBe(true);
  expect(has('{"params":{"cursors":1}}')).toBe(false);
});

it('a single message is its own only element', () => {
  const json = new JsonText('{"id":1}');
  expect(elementsOf(json)).toEqual([json]);
});

it('the elements of a batch keep their own text', () => {
  const json = new JsonText('[ {"id":1.0, "x":"],"} ,\n{"id":2} , 3 ]');
  expect(elementsOf(json).map(({ text }) => text)).toEqual(['{"id":1.0, "x":"],"}', '{"id":2}', '3']);
  expect(elementsOf(new JsonText('[]'))).toEqual([]);
});

it('a batch twice as long is twice the work', () => {
  const batch = (length: number) => new JsonText(`[${Array(length).fill('{"id":1}').join()}]`);
  const [work, twice] = [500, 1_000].map((length) => workOf(() => elementsOf(batch(length))));
  expect(twice).toBeLessThan(work! * 2.1);
});

it('spells a value for people, and names one that is nested too deep for that', () => {
  expect([jsonOf({ a: [1] }), jsonOf(undefined)]).toEqual(['{"a":[1]}', '']);
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const spelt = jsonOf(JSON.parse(deep));
  // Node 26 writes it without its stack.
  expect(spelt === deep || spelt.includes('nested too deep')).toBe(true);
  const unspeakable = { toJSON: () => JSON.parse('x') };
  expect(() => jsonOf(unspeakable)).toThrow(SyntaxError);
});
