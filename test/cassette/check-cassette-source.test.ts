import { expect, it } from 'vitest';
import { checkCassetteSource } from '../../src/cassette/check-cassette-source.ts';

it.each(['a.yaml', { file: 'a', events: [] }])('takes a path and a value: %j', (source) => {
  checkCassetteSource(source);
});

it.each<[unknown, string]>([
  [undefined, 'nothing'],
  [null, 'nothing'],
  ['', 'an empty text'],
  [[], 'a list'],
  [{}, 'an object without events'],
  [() => {}, 'a function'],
  [5, 'a number'],
])('says what stands in place of a cassette: %s', (source, name) => {
  const refused = { code: 'OPTION_BAD_VALUE', message: expect.stringContaining(`in its place stands ${name}.`) };
  expect(() => checkCassetteSource(source)).toThrow(expect.objectContaining(refused));
  expect(() => checkCassetteSource(source, 'Call it.')).toThrow('Call it.');
});
