import { describe, expect, it } from 'vitest';
import * as trouble from '../../src/cassette/cassette-errors.ts';

const spot = { source: { file: 'a.yaml', text: 'one\n  two', line: 5 }, at: 6 };

describe('trouble with a cassette', () => {
  it.each([
    [trouble.notFound('a.yaml'), 'CASSETTE_NOT_FOUND'],
    [trouble.isDirectory('a.yaml'), 'CASSETTE_IS_DIRECTORY'],
    [trouble.unreadable('a.yaml', new Error('EACCES: permission denied')), 'CASSETTE_UNREADABLE'],
    [trouble.empty('a.yaml'), 'CASSETTE_EMPTY'],
    [trouble.tooLarge('a.yaml', 'it is huge', 'Stream it.'), 'CASSETTE_TOO_LARGE'],
  ])('names the file: %s', (error, code) => {
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^Cannot read cassette a\.yaml: [^\n]+\. \[CASSETTE_\w+\]\n {2}[^\n]+$/);
  });

  it.each(['cassettes/*.yaml', 'cassettes/a?.yaml'])(
    'says of a pattern that no file matches, and does not advise to record to it: %s',
    (pattern) => {
      const { code, problem } = trouble.notFound(pattern);
      expect([code, problem.why]).toEqual(['CASSETTE_NOT_FOUND', 'no file matches this pattern']);
      expect(problem.next).not.toContain('record -o');
    },
  );

  it.each(['main:cassettes/a.yaml', ':a.yaml', 'origin/main:./a.yaml'])(
    'says of a file in a revision of git who reads it: %s',
    (name) => {
      const { next } = trouble.notFound(name).problem;
      expect(next).toBe(`Only diff and report read revisions: git show ${name} > old.yaml`);
    },
  );

  it.each(['C:\\a.yaml', 'c:/a.yaml', 'http://a.example/b'])('takes no path for a revision: %s', (name) => {
    expect(trouble.notFound(name).problem.next).toContain('mcp-record record -o');
  });

  it.each([
    [trouble.notACassette(spot, 'it is no such thing'), 'CASSETTE_NOT_RECOGNIZED'],
    [trouble.newerFormat(spot, 'mcp-record/9'), 'CASSETTE_NEWER_FORMAT'],
    [trouble.badHeader(spot, 'it is odd', 'Mend it.'), 'CASSETTE_BAD_HEADER'],
    [trouble.badEvent(spot, 'it is odd', 'Mend it.'), 'CASSETTE_BAD_EVENT'],
    [trouble.damaged(spot, 'it is odd'), 'CASSETTE_DAMAGED'],
  ])('shows the line: %s', (error, code) => {
    expect(error.code).toBe(code);
    expect(error.message).toContain('\n  at a.yaml:6:3\n      two\n      ^\n');
  });

  it('tells a merge conflict from other damage, and shows where it begins', () => {
    const source = { ...spot.source, text: 'one\n<<<<<<< HEAD\ntwo' };
    expect(trouble.damaged({ source, at: 0 }, 'it is odd')).toMatchObject({
      code: 'CASSETTE_MERGE_CONFLICT',
      problem: { place: { line: 6, column: 1, text: '<<<<<<< HEAD' } },
    });
  });
});
