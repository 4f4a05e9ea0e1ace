import { expect, it } from 'vitest';
import { yamlPackage } from '../../../../src/cassette/read/yaml/load-yaml-package.ts';

it('the yaml package is loaded once', () => {
  expect(yamlPackage().parse('a: 1')).toEqual({ a: 1 });
  expect(yamlPackage()).toBe(yamlPackage());
});
