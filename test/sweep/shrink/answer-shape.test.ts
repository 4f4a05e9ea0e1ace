import { expect, it } from 'vitest';
import { jsonInText, keepsShape } from '../../../src/sweep/shrink/answer-shape.ts';

const rows = '{"rows":[{"id":1,"name":"Ada"},{"id":2,"name":"Bo"}]}';
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const tools = [{ name: 'weather', description: 'long' }, { name: 'save' }, { name: 'other' }];
const used = new Set(['save']);

it.each<[string, boolean, unknown, unknown]>([
  ['a shorter text', true, text('Oslo: sunny'), text('Oslo')],
  ['an empty text', false, text('Oslo: sunny'), text('')],
  ['a text that was empty', true, text(''), text('')],
  ['another text', false, text('Oslo: sunny'), text('Lima')],
  ['an empty list', false, text('Oslo'), { content: [] }],
  ['a list that was empty', true, { content: [] }, { content: [] }],
  ['fewer items', true, [{ a: 1 }, { a: 2 }, { a: 3 }], [{ a: 2 }]],
  ['an item that was not there', false, [{ a: 1 }], [{ a: 4 }]],
  ['a list in place of an object', false, { a: 1 }, []],
  ['an object in place of a list', false, [1], {}],
  ['a number in place of a text', false, 'a', 1],
  ['a missing member', false, { a: 1, b: 2 }, { a: 1 }],
  ['an answer without what is said about it', true, { a: 1, _meta: { b: 2 } }, { a: 1 }],
  ['JSON with fewer rows', true, text(rows), text('{"rows":[{"id":2,"name":"Bo"}]}')],
  ['JSON without rows', false, text(rows), text('{"rows":[]}')],
  ['JSON that is torn', false, text(rows), text('{"rows":[')],
  ['a list without an item that the client names', false, tools, [{ name: 'weather', description: 'long' }]],
  ['a list with the item that the client names', true, tools, [{ name: 'save' }]],
  ['a list in which this item has another name', false, tools, [{ name: 'sa' }]],
])('%s keeps the shape: %s', (_, keeps, whole, smaller) => {
  expect(keepsShape(whole, smaller, { mayLoseMembers: false, used })).toBe(keeps);
});

it('members may go where they only describe the server, but not those of JSON in a text', () => {
  const options = { mayLoseMembers: true, used };
  expect(keepsShape(tools, [{ name: 'weather' }, { name: 'save' }], options)).toBe(true);
  expect(keepsShape({ instructions: rows }, { instructions: '{"rows":[{"id":1}]}' }, options)).toBe(false);
});

it('JSON in a text is an object or an array', () => {
  expect(['[1]', ' {"a":1}', '1', '[city]', 'none'].map(jsonInText)).toEqual([
    [1],
    { a: 1 },
    undefined,
    undefined,
    undefined,
  ]);
});
