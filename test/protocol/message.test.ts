import { describe, expect, it } from 'vitest';
import {
  errorOf,
  isId,
  isNotification,
  isObject,
  isRequest,
  isResponse,
  paramsOf,
  resultOf,
} from '../../src/protocol/message.ts';

const kindsOf = (value: unknown) =>
  [isRequest(value) && 'request', isNotification(value) && 'notification', isResponse(value) && 'response'].filter(
    Boolean,
  );

describe('a message is of one kind, or of none', () => {
  it.each([
    [{ id: 1, method: 'ping' }, ['request']],
    [{ id: 0, method: 'ping' }, ['request']],
    [{ id: '', method: 'ping' }, ['request']],
    [{ method: 'notifications/initialized' }, ['notification']],
    [{ id: 1, result: {} }, ['response']],
    [{ id: 0, error: { code: 1, message: '' } }, ['response']],
    [{ error: { code: -32700, message: 'Parse error' } }, ['response']],
    [{ id: null, error: { code: -32700, message: 'Parse error' } }, ['response']],
    [{ id: null, method: 'ping' }, []],
    [{ id: 1, method: 'ping', result: {} }, ['request']],
    [{ id: 1 }, []],
    [[{ id: 1, method: 'ping' }], []],
    [null, []],
    ['text', []],
  ])('%j → %j', (value, kinds) => {
    expect(kindsOf(value)).toEqual(kinds);
  });
});

it('zero and the empty string are ids, null is not', () => {
  expect([0, '', 'a', 1.5, null, undefined, true].map(isId)).toEqual([true, true, true, true, false, false, false]);
});

it('an object is neither null nor a list', () => {
  expect([{}, [], null, 'a'].map(isObject)).toEqual([true, false, false, false]);
});

describe('what a message may hold', () => {
  it.each([undefined, null, 1, 'text', [1]])('is nothing where it holds %j, which is no object', (value) => {
    expect(paramsOf({ params: value })).toEqual({});
    expect(resultOf({ result: value })).toEqual({});
    expect(paramsOf(value)).toEqual({});
    expect(resultOf(value)).toEqual({});
  });

  it('is no error where it is null or absent, and one without members where it is no object', () => {
    expect([errorOf({ error: null, result: {} }), errorOf({ result: {} }), errorOf(null)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([errorOf({ error: 5 }), errorOf({ error: { code: 1 } })]).toEqual([{}, { code: 1 }]);
  });
});
