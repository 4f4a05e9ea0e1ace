import { expect, it } from 'vitest';
import { valueWithoutIgnored } from '../../src/contract/value-without-ignored.ts';
import { JsonText } from '../../src/protocol/json-text.ts';

it('compares numbers by their exact value, and not what is ignored', () => {
  const of = (number: string) => valueWithoutIgnored(new JsonText(`{"id":${number},"a":${number}}`), ['/id']);
  expect(of('9007199254740993')).not.toEqual(of('9007199254740992'));
  expect(of('1.0')).toEqual({ a: 1 });
  expect(valueWithoutIgnored(undefined, [])).toBeUndefined();
});

it('takes what is nested too deep to be walked as its text', () => {
  const deep = `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  expect(valueWithoutIgnored(new JsonText(deep), ['/a/*'])).toBe(deep);
});
