import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../src/kernel/did-you-mean.ts';

const NAMES = ['client', 'server', 'after', 'end'];

describe('the nearest name', () => {
  it.each([
    ['cleint', 'client'],
    ['Server', 'server'],
    ['aftr', 'after'],
    ['ends', 'end'],
  ])('of %s is %s', (typed, name) => expect(didYouMean(typed, NAMES)).toBe(name));

  it.each(['banana', 'x', '', 'q'.repeat(100)])('of %s is none', (typed) => {
    expect(didYouMean(typed, NAMES)).toBeUndefined();
  });
});
