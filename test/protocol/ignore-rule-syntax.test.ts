import { describe, expect, it } from 'vitest';
import { ignoredExpressionIn, writtenIgnoreProblem } from '../../src/protocol/ignore-rule-syntax.ts';

describe('ignoredExpressionIn', () => {
  it.each(['/params/arguments/i', '/result/s', '/error/data/m', '/*/ims', '/id', '/params/a/b', '/*'])(
    '%s is a pointer',
    (written) => expect(ignoredExpressionIn(written)).toBeUndefined(),
  );
  it.each([
    ['/rain/', { source: 'rain', flags: '' }],
    ['/rain/i', { source: 'rain', flags: 'i' }],
    ['/params/', { source: 'params', flags: '' }],
    ['/result/(a|b)/', { source: 'result/(a|b)', flags: '' }],
    ['/results/i', { source: 'results', flags: 'i' }],
  ])('%s is an expression', (written, expression) => expect(ignoredExpressionIn(written)).toEqual(expression));
});

describe('writtenIgnoreProblem', () => {
  it.each(['/params/arguments/i', '/rain/i', '/20\\d\\d-\\d\\d/', '/id'])('%s can be used', (written) => {
    expect(writtenIgnoreProblem(written, [])).toBeUndefined();
  });

  it('says that an expression hides every text, and what to write', () => {
    expect(writtenIgnoreProblem('/.*/', ['match', 'ignore', 0])).toEqual({
      path: ['match', 'ignore', 0],
      why: '/.*/ matches every text, so that no text would be compared',
      next: expect.stringContaining('by a JSON Pointer'),
    });
  });

  it('refuses an expression that can backtrack', () => {
    expect(writtenIgnoreProblem('/(?=a)b/', [])?.why).toBeDefined();
  });
});
