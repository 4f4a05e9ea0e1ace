import { describe, expect, it } from 'vitest';
import {
  checkPartPointer,
  escapeStep,
  isPartPointer,
  parsePointer,
  pointerOf,
} from '../../src/protocol/json-pointer.ts';

describe('a JSON Pointer', () => {
  it('is cut into its steps, of which the root has none', () => {
    expect(parsePointer('')).toEqual([]);
    expect(parsePointer('/')).toEqual(['']);
    expect(parsePointer('/params/arguments/0')).toEqual(['params', 'arguments', '0']);
  });

  it('has slashes and tildes in its steps, escaped as RFC 6901 says, of which ~01 is a tilde and a one', () => {
    expect(parsePointer('/a~1b/m~0n/~01')).toEqual(['a/b', 'm~n', '~1']);
    for (const step of ['a/b', 'm~n', '~1', '~01', '/', '~']) {
      expect(parsePointer(`/${escapeStep(step)}`)).toEqual([step]);
    }
    expect(escapeStep(7)).toBe('7');
  });

  it('is refused without its first slash, and it is said how one looks', () => {
    expect(() => parsePointer('params/name')).toThrow(
      expect.objectContaining({
        code: 'USAGE_BAD_POINTER',
        message: expect.stringMatching(
          /Cannot use "params\/name" as a JSON Pointer.*it does not begin with a slash.*such as \/params\//s,
        ),
      }),
    );
  });
});

describe('a pointer of a part that is not compared', () => {
  it.each(['/result', '/params/arguments/now', '/*/text', '/'])('may be %s', (pointer) => {
    expect(() => checkPartPointer(pointer)).not.toThrow();
    expect(isPartPointer(pointer)).toBe(true);
  });

  it.each(['', '/*'])('is not "%s", which is the whole message', (pointer) => {
    const error = { code: 'USAGE_BAD_POINTER', message: expect.stringContaining('the whole message') };
    expect(() => checkPartPointer(pointer)).toThrow(expect.objectContaining(error));
    expect(isPartPointer(pointer)).toBe(false);
  });
});

it('the pointer of a path has escaped steps', () => {
  expect(pointerOf(['result', 'a/b', 0, 'c~d'])).toBe('/result/a~1b/0/c~0d');
});
