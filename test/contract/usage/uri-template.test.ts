import { expect, it } from 'vitest';
import { isExpansionOf } from '../../../src/contract/usage/uri-template.ts';

it.each([
  ['file:///{path}', 'file:///a/b.txt', true],
  ['file:///{path}', 'http://a', false],
  ['db://{table}/rows/{id}', 'db://users/rows/7', true],
  ['db://{table}/rows/{id}', 'db://users/columns/7', false],
  ['db://{table}.json', 'db://users.json', true],
  ['db://{table}.json', 'db://users.xml', false],
  ['ab{x}ba', 'aba', false],
  ['a{x}b{y}b', 'ab', false],
  ['static://one', 'static://one', true],
  ['static://one', 'static://one/more', false],
])('%s, %s: %s', (template, uri, expected) => {
  expect(isExpansionOf(template, uri)).toBe(expected);
});
