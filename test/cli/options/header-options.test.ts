import { describe, expect, it } from 'vitest';
import { headersFrom } from '../../../src/cli/options/header-options.ts';
import { describeOnPosix } from '../../support/on-posix.ts';

const env = { PATH: process.env.PATH, TOKEN: 'from-env', EMPTY: '' };
const headers = (...texts: string[]) => headersFrom(texts, env);

function refuses(text: string, why: string): void {
  expect(() => headers(text)).toThrow(expect.objectContaining({ code: 'USAGE_BAD_HEADER' }));
  expect(() => headers(text)).toThrow(why);
  expect(() => headers(text)).not.toThrow(/from-env/);
}

describe('a header of the command line', () => {
  it.each([
    ['X-Key: a b', { 'x-key': 'a b' }],
    ['X-Key:', { 'x-key': '' }],
    ['Authorization: Bearer env:TOKEN', { authorization: 'Bearer from-env' }],
    ['X: xcmd:printf a', { x: 'xcmd:printf a' }],
  ])('%s is %j', (text, expected) => {
    expect(headers(text)).toEqual(expected);
  });

  it.each([
    ['X: env:NOBODY', 'the variable NOBODY is not set'],
    ['X: env:EMPTY', 'the variable EMPTY is empty'],
    ['no header', 'it is not a name, a colon and a value'],
  ])('%s is refused: %s', refuses);
});

describeOnPosix('shell', 'a header that a command prints', () => {
  it.each([
    ['X: cmd:printf a; printf b', { x: 'ab' }],
    ['X:cmd:printf "$TOKEN"', { x: 'from-env' }],
    ['Authorization: Bearer env:TOKEN cmd:echo " two  words "', { authorization: 'Bearer from-env two  words' }],
    ['X: cmd:printf env:TOKEN', { x: 'env:TOKEN' }],
  ])('%s is %j', (text, expected) => {
    expect(headers(text)).toEqual(expected);
  });

  it.each([
    ['X: cmd:printf "$TOKEN"; exit 7', 'its command ended with 7: printf "$TOKEN"; exit 7'],
    ['X: cmd:kill -TERM $$', 'its command ended with SIGTERM: '],
    ['X: cmd:true', 'its command printed nothing: true'],
    ['X: cmd:printf "$TOKEN\\n$TOKEN"', 'it is not a name, a colon and a value'],
  ])('%s is refused: %s, and nothing that was printed is told', refuses);
});
