import { describe, expect, it } from 'vitest';
import type { Ignore } from '../../../src/match/ignore-rules.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { keepIgnoredValues } from '../../../src/verify/update/keep-ignored-values.ts';

const kept = (recorded: string, live: string, ...pointers: string[]) =>
  keepIgnoredValues(new JsonText(recorded), new JsonText(live), { ignore: pointers });

describe('keepIgnoredValues', () => {
  it('puts the recorded token where the pointer leads, and touches nothing else', () => {
    const live = '{ "id":2,  "result":{"n":1.0,"taskId":"new"}}';
    expect(kept('{"id":1e0,"result":{"taskId":"old"}}', live, '/id', '/result/taskId')).toBe(
      '{ "id":1e0,  "result":{"n":1.0,"taskId":"old"}}',
    );
  });

  it('follows lists by position, and * to every element that both have', () => {
    expect(kept('{"a":[{"t":1},{"t":2}]}', '{"a":[{"t":7},{"t":8},{"t":9}]}', '/a/*/t')).toBe(
      '{"a":[{"t":1},{"t":2},{"t":9}]}',
    );
    expect(kept('{"a":[1,2]}', '{"a":[7,8]}', '/a/1')).toBe('{"a":[7,2]}');
  });

  it('leaves what only one of them has', () => {
    expect(kept('{}', '{"a":1}', '/a', '/b/c')).toBe('{"a":1}');
    expect(kept('{"a":1}', '{}', '/a')).toBe('{}');
  });

  it('keeps the whole where one pointer leads into what another names', () => {
    expect(kept('{"a":{"b":1}}', '{"a":{"b":2},"c":3}', '/a/b', '/a')).toBe('{"a":{"b":1},"c":3}');
  });
});

describe('recorded ids', () => {
  const ids = [
    { recorded: 'ord_00000001', live: 'ord_00000002' },
    { recorded: 'ord_00000002', live: 'ord_00000003' },
  ];
  const keptIds = (recorded: object, live: object, ...ignore: Ignore[]) =>
    JSON.parse(
      keepIgnoredValues(new JsonText(JSON.stringify(recorded)), new JsonText(JSON.stringify(live)), { ignore, ids }),
    );

  it('stand in the place of live ones, also where one is the live id of another', () => {
    expect(keptIds({}, { text: 'ord_00000003, ord_00000002, ord_00000004', xord_00000003: 'xord_00000003' })).toEqual({
      text: 'ord_00000002, ord_00000001, ord_00000004',
      xord_00000003: 'xord_00000003',
    });
    expect(keptIds({ a: 'ord_00000001,ord_00000002' }, { a: 'ord_00000003,ord_00000002' })).toEqual({
      a: 'ord_00000002,ord_00000001',
    });
  });

  it('stay with what they stand for, where a rule names the place of another', () => {
    const list = (...all: string[]) => ({ all });
    const two = list('ord_00000001', 'ord_00000002');
    for (const rule of ['/all/*', /ord_\d+/]) {
      expect(keptIds(two, list('ord_00000003', 'ord_00000002'), rule)).toEqual(list('ord_00000002', 'ord_00000001'));
      expect(keptIds(two, list('ord_00000009', 'ord_00000002'), rule)).toEqual(list('ord_00000009', 'ord_00000001'));
    }
    expect(keptIds(list('ord_00000007'), list('ord_00000009'), '/all/*')).toEqual(list('ord_00000007'));
    expect(keptIds({ t: 'at 1, 2' }, { t: 'at 3, 4' }, /\d+/)).toEqual({ t: 'at 1, 2' });
    expect(keptIds({ t: 'at 1, 2' }, { t: 'at 3' }, /\d+/)).toEqual({ t: 'at 3' });
  });

  it('that are short stand in a text where the recorded text has them, and in numbers', () => {
    const short = [{ recorded: '55', live: '27', isShort: true as const }];
    const json = (value: object) => new JsonText(JSON.stringify(value));
    const recorded = json({ text: 'cart 55: 3 items', id: 55, size: 3 });
    const live = json({ text: 'cart 27: 4 items', id: 27, size: 27, more: 'of 27' });
    expect(JSON.parse(keepIgnoredValues(recorded, live, { ignore: [], ids: short }))).toEqual({
      text: 'cart 55: 4 items',
      id: 55,
      size: 27,
      more: 'of 27',
    });
  });
});
