import { describe, expect, it, vi } from 'vitest';
import { givenHeaders, headersFrom } from '../../../src/cli/options/header-options.ts';
import { describeOnPosix } from '../../support/on-posix.ts';

const env = { PATH: process.env.PATH, TOKEN: 'from-env', EMPTY: '' };
const headers = (...texts: string[]) => headersFrom(texts, env).headers;

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

describe('a value that a variable has given', () => {
  it.each([
    ['X-Team: env:TOKEN', { 'x-team': ['from-env'] }],
    ['Authorization: Bearer env:TOKEN', { authorization: ['from-env'] }],
    ['X: env:TOKEN env:OTHER', { x: ['from-env', 'other'] }],
    ['X: from-env', {}],
  ])('in %s is the secret of %j', (text, secrets) => {
    expect(headersFrom([text], { ...env, OTHER: ' other ' }).headerSecrets).toEqual(secrets);
  });

  it('is not asked for where there is no server at a URL', async () => {
    expect(await givenHeaders(undefined, ['X: env:NOBODY'], env)).toEqual({ headers: {}, headerSecrets: {} });
  });

  it.each([
    ['X-Team: env:SHORT', true],
    ['X-Team: env:WORD', true],
    ['X-Team: env:LONGER', false],
    ['X-Team: blue', false],
  ])('in %s is named if it is too short or too like a word: %s', async (text, isNamed) => {
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await givenHeaders('http://127.0.0.1/mcp', [text], { SHORT: 'q7W', WORD: 'production', LONGER: 'blueberry' });
    const said = printed.mock.calls.map(([line]) => String(line)).join('');
    printed.mockRestore();
    expect(said.includes('"x-team"') && said.includes('[HEADER_NOT_REDACTED]')).toBe(isNamed);
    expect(said).not.toMatch(/q7W|production|blueberry/);
  });
});

describeOnPosix('shell', 'a value that a command prints', () => {
  it.each([
    ['X-Team: cmd:printf blueberry', { 'x-team': ['blueberry'] }],
    ['X: env:TOKEN cmd:printf b', { x: ['from-env', 'b'] }],
  ])('in %s is the secret of %j', (text, secrets) => {
    expect(headersFrom([text], env).headerSecrets).toEqual(secrets);
  });
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
