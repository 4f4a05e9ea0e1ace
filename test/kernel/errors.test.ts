import { describe, expect, it } from 'vitest';
import { isOutOfFiles, McpRecordError, messageOf } from '../../src/kernel/errors.ts';

const problem = {
  code: 'CASSETTE_BAD',
  what: 'Cannot read a.yaml',
  why: 'it is damaged',
  next: 'Look at the line.',
};
const place = { file: 'a.yaml', line: 7 };

describe('an error', () => {
  it('says what, why and what next, with its code', () => {
    const error = new McpRecordError(problem);
    expect(error.message).toBe('Cannot read a.yaml: it is damaged. [CASSETTE_BAD]\n  Look at the line.');
    expect(error).toMatchObject({ name: 'McpRecordError', code: 'CASSETTE_BAD', problem });
  });

  it('ends its reason once, where that is a question', () => {
    const { message } = new McpRecordError({ ...problem, why: 'it has no member a: did you mean b?' });
    expect(message).toContain('did you mean b? [CASSETTE_BAD]');
  });

  it('shows the place, and the line with a caret under the column', () => {
    const placed = new McpRecordError({ ...problem, place: { ...place, column: 3, text: '- x: y' } });
    expect(placed.message.split('\n').slice(1)).toEqual([
      '  at a.yaml:7:3',
      '    - x: y',
      '      ^',
      '  Look at the line.',
    ]);
    expect(new McpRecordError({ ...problem, place }).message).toContain('\n  at a.yaml:7\n');
  });

  it('cuts a long line around the column', () => {
    const text = `${'a'.repeat(5000)}!${'b'.repeat(5000)}`;
    const { message } = new McpRecordError({ ...problem, place: { ...place, column: 5001, text } });
    const [, , shown = '', caret = ''] = message.split('\n');
    expect(shown.length).toBeLessThan(200);
    expect(shown[caret.indexOf('^')]).toBe('!');
  });

  it('carries what was expected, what came instead, and the cause', () => {
    const cause = new Error('below');
    const error = new McpRecordError({ ...problem, expected: 1, actual: undefined, cause });
    expect(error).toMatchObject({ expected: 1, cause });
    expect('actual' in error).toBe(true);
  });
});

it('anything thrown has a text', () => {
  expect([new Error('a'), 'b', undefined, { c: 1 }].map(messageOf)).toEqual(['a', 'b', 'undefined', '[object Object]']);
});

it('tells what the system means by no more open files from all else', () => {
  const refusal = (code: string) => Object.assign(new Error('too many'), { code });
  expect(['EMFILE', 'ENFILE', 'ENOSPC'].map((code) => isOutOfFiles(refusal(code)))).toEqual([true, true, false]);
  expect([undefined, null, 'EMFILE'].map(isOutOfFiles)).toEqual([false, false, false]);
});
