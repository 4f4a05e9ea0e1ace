import { expect, it } from 'vitest';
import { minimizeValue } from '../../../src/sweep/shrink/minimize-value.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests read members of values of any form
type Loose = any;

const text = 'a long text about the weather in Oslo and elsewhere';

it.each<[string, unknown, (value: Loose) => boolean, unknown]>([
  ['loses all members', { a: 1, b: [2] }, () => true, {}],
  ['keeps the members that are needed', { a: 1, b: { c: 2, d: 3 } }, (value) => value.b?.d === 3, { b: { d: 3 } }],
  [
    'keeps the items that are needed',
    [{ n: 1, more: 1 }, { n: 2 }],
    (value) => value.some((one: Loose) => one.n === 1),
    [{ n: 1 }],
  ],
  ['has an empty text', { text }, (value) => 'text' in value, { text: '' }],
  ['has a short text', { text }, (value) => value.text?.length > 0, { text: 'a long t' }],
  ['has half a text', { text }, (value) => value.text?.includes('about'), { text: text.slice(0, 25) }],
  [
    'has less JSON in a text',
    { json: JSON.stringify({ list: [{ id: 1 }, { id: 2 }], more: text }) },
    (value) => {
      try {
        return JSON.parse(value.json).list.length > 0;
      } catch {
        return false;
      }
    },
    { json: '{"list":[{}]}' },
  ],
  ['keeps a short text, since it may be a name', { name: 'weather' }, (value) => 'name' in value, { name: 'weather' }],
  ['keeps numbers', { n: 12345 }, (value) => 'n' in value, { n: 12345 }],
])('a smaller value %s', async (_, value, accepts, smaller) => {
  expect(await minimizeValue(value, async (one) => accepts(one))).toEqual(smaller);
});
