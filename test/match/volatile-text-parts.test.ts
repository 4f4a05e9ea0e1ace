import { describe, expect, it } from 'vitest';
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
  expect(shapeOf(['2026-01-01', '2026-12-31'])).toMatchObject({ source: '\\d{4}-[01]\\d-[0-3]\\d', isTime: true });
  expect(shapeOf(['12', '7'])).toMatchObject({ source: '\\d+', isSpecific: false, isTime: false });
  expect(shapeOf(['a b', 'c'])).toBeUndefined();
  expect(areTimes(['12:30', '13:00'])).toBe(true);
  expect(areTimes(['12', 'x y'])).toBe(false);
});

describe('the form of a time', () => {
  const DATE = '\\d{4}-[01]\\d-[0-3]\\d';
  const TIME = '[0-2]\\d:[0-5]\\d:[0-5]\\d';

  it.each([
    [['2026-07-28T09:00:01.120Z', '2026-07-28T09:00:03.001Z'], `${DATE}T${TIME}\\.\\d{3}Z`],
    [['2026-07-28T09:00:01.120004Z', '2026-07-28T09:00:03.000001Z'], `${DATE}T${TIME}\\.\\d{6}Z`],
    [['2026-07-28T09:00:01.12Z', '2026-07-28T09:00:03.001Z'], `${DATE}T${TIME}\\.\\d+Z`],
    [['2026-07-28T09:00:01Z', '2026-07-28T09:00:03.001Z'], `${DATE}T${TIME}(\\.\\d{3})?Z`],
    [['2026-07-28T09:00:01Z', '2026-07-28T09:00:03Z'], `${DATE}T${TIME}Z`],
    [['2026-07-28T09:00:01+02:00', '2026-07-28T09:00:03-01:00'], `${DATE}T${TIME}[+-]\\d\\d:\\d\\d`],
    [['2026-07-28T09:00:01+0200', '2026-07-28T09:00:03-0100'], `${DATE}T${TIME}[+-]\\d{4}`],
    [['2026-07-28T09:00:01Z', '2026-07-28T09:00:03+01:00'], `${DATE}T${TIME}(Z|[+-]\\d\\d:?\\d\\d)`],
    [['2026-07-28 09:00:01', '2026-07-28 09:00:03'], `${DATE} ${TIME}`],
    [['2026-07-28 09:00', '2026-07-28T09:00:03'], `${DATE}[T ][0-2]\\d:[0-5]\\d(:[0-5]\\d)?`],
    [['9:00 AM', '10:30 PM'], '[0-2]?\\d:[0-5]\\d [AP]M'],
    [['9:00AM', '10:30'], '[0-2]?\\d:[0-5]\\d([AP]M)?'],
    [['9:00AM', '10:30 PM'], '[0-2]?\\d:[0-5]\\d ?[AP]M'],
  ])('of %j has what all have', (values, source) => {
    const shape = shapeOf(values);
    expect(shape).toMatchObject({ source, isTime: true, isPassing: true });
    for (const value of values) expect(value).toMatch(new RegExp(`^(?:${shape!.source})$`));
  });

  it('has none of the days and hours that there are not', () => {
    const { source } = shapeOf(['2026-07-28T09:00:01.120Z'])!;
    expect('0000-99-99T99:99:99.000Z').not.toMatch(new RegExp(source));
    expect('2026-07-28T09:00:01Z').not.toMatch(new RegExp(source));
  });
});
