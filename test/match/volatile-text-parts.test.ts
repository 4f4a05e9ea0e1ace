import { expect, it } from 'vitest';
import { areTimes, partsOf, shapeOf } from '../../src/match/volatile-text-parts.ts';

it.each([
  ['Order ord_8f3a.', ['literal: Order ', 'value: ord_8f3a', 'literal: .']],
  ['no digits here', ['literal: no digits here']],
  ['0a0b0c0d-1111-2222-3333-444455556666!', ['uuid: 0a0b0c0d-1111-2222-3333-444455556666', 'literal: !']],
  ['at 2026-11-26T10:00:00Z, 12:30', ['literal: at ', 'date: 2026-11-26T10:00:00Z', 'literal: , ', 'time: 12:30']],
  ['took 12ms', ['literal: took ', 'value: 12ms']],
])('%s is divided into values and the text between them', (text, parts) => {
  expect(partsOf(text).map((part) => `${part.kind}: ${part.text}`)).toEqual(parts);
  expect(
    partsOf(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

it('values of one form have its expression, and whether it depends on the time', () => {
  expect(shapeOf(['2026-01-01', '2026-12-31'])).toMatchObject({ source: '\\d{4}-\\d\\d-\\d\\d', isTime: true });
  expect(shapeOf(['12', '7'])).toMatchObject({ source: '\\d+', isSpecific: false, isTime: false });
  expect(shapeOf(['a b', 'c'])).toBeUndefined();
  expect(areTimes(['12:30', '13:00'])).toBe(true);
  expect(areTimes(['12', 'x y'])).toBe(false);
});
