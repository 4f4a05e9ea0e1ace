import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { keepIgnoredValues } from '../../../src/verify/update/keep-ignored-values.ts';

const kept = (recorded: string, live: string, ...pointers: string[]) =>
  keepIgnoredValues(new JsonText(recorded), new JsonText(live), pointers);

describe('keepRecorded', () => {
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
