import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRedacted, placeholderOf, placeholdersIn } from '../../../src/redact/replace/placeholder-format.ts';
import { placeholderName, renamePlaceholders, sparing, variablesIn } from '../../../src/redact/replace/placeholders.ts';

describe('a placeholder', () => {
  it('is read as it was written, whatever its name was made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 999_999 }), (name, n) => {
        const placeholder = placeholderOf(placeholderName(name), n);
        const text = `a ${placeholder} b`;
        expect(placeholdersIn(text)).toEqual([{ start: 2, end: text.length - 2, name: placeholderName(name), n }]);
        expect(JSON.stringify(placeholder)).toBe(`"${placeholder}"`);
        expect([isRedacted(placeholder), isRedacted(text)]).toEqual([true, false]);
      }),
    );
  });

  it.each([
    ['apiKey', 'apiKey'],
    ['X-Api-Key', 'X-Api-Key'],
    ['--auth-token', 'auth-token'],
    ['my key/№1', 'my-key-1'],
    ['', 'secret'],
    ['密码', 'secret'],
  ])('calls %j %s', (name, plain) => {
    expect(placeholderName(name)).toBe(plain);
  });

  it('may be swallowed with what is around it, never cut', () => {
    const [first, second] = [
      { start: 10, end: 20 },
      { start: 30, end: 40 },
    ];
    const span = (start: number, end: number) => ({ start, end });
    const kept = [span(0, 10), span(20, 30), span(5, 25), span(9, 20), span(0, 50), span(40, 45)];
    const cut = [span(0, 15), span(15, 35), span(10, 20), span(12, 14), span(5, 35), span(35, 50), span(39, 40)];
    expect(sparing([first, second], [...kept, ...cut])).toEqual(kept);
    expect(sparing([], cut)).toEqual(cut);
  });
});

it('placeholders get other numbers at once, so that two may change places', () => {
  const changes = new Map([
    ['[redacted:id:1]', '[redacted:id:2]'],
    ['[redacted:id:2]', '[redacted:id:1]'],
  ]);
  const text = 'a [redacted:id:1] b [redacted:id:2] c [redacted:id:3]';
  expect(renamePlaceholders(text, changes)).toBe('a [redacted:id:2] b [redacted:id:1] c [redacted:id:3]');
  expect(renamePlaceholders('no placeholder', changes)).toBe('no placeholder');
});

it('the variables of a text are those that hold credentials', () => {
  expect(variablesIn('[redacted:API_TOKEN:1] [redacted:customer:1] [redacted:HOME:1]')).toEqual(['API_TOKEN']);
});
