import { describe, expect, it } from 'vitest';
import * as trouble from '../../src/cassette/cassette-errors.ts';

const spot = { source: { file: 'a.yaml', text: 'one\n  two', line: 5 }, at: 6 };

describe('trouble with a tape', () => {
  it.each([
    [trouble.notFound('a.yaml'), 'TAPE_NOT_FOUND'],
    [trouble.isDirectory('a.yaml'), 'TAPE_IS_DIRECTORY'],
    [trouble.unreadable('a.yaml', new Error('EACCES: permission denied')), 'TAPE_UNREADABLE'],
    [trouble.empty('a.yaml'), 'TAPE_EMPTY'],
    [trouble.tooLarge('a.yaml', 'it is huge', 'Stream it.'), 'TAPE_TOO_LARGE'],
  ])('names the file: %s', (error, code) => {
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^Cannot read cassette a\.yaml: [^\n]+\. \[TAPE_\w+\]\n {2}[^\n]+$/);
  });

  it.each([
    [trouble.notACassette(spot, 'it is no such thing'), 'TAPE_NOT_A_CASSETTE'],
    [trouble.newerFormat(spot, 'mcp-record/9'), 'TAPE_NEWER_FORMAT'],
    [trouble.badHeader(spot, 'it is odd', 'Mend it.'), 'TAPE_BAD_HEADER'],
    [trouble.badEvent(spot, 'it is odd', 'Mend it.'), 'TAPE_BAD_EVENT'],
    [trouble.damaged(spot, 'it is odd'), 'TAPE_DAMAGED'],
  ])('shows the line: %s', (error, code) => {
    expect(error.code).toBe(code);
    expect(error.message).toContain('\n  at a.yaml:6:3\n      two\n      ^\n');
  });

  it('tells a merge conflict from other damage, and shows where it begins', () => {
    const source = { ...spot.source, text: 'one\n<<<<<<< HEAD\ntwo' };
    expect(trouble.damaged({ source, at: 0 }, 'it is odd')).toMatchObject({
      code: 'TAPE_MERGE_CONFLICT',
      problem: { place: { line: 6, column: 1, text: '<<<<<<< HEAD' } },
    });
  });
});
