import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/kernel/did-you-mean.ts';

const NAMES = ['client', 'server', 'after', 'end'];

describe('the nearest name', () => {
  it.each([
    ['cleint', 'client'],
    ['Server', 'server'],
    ['aftr', 'after'],
    ['ends', 'end'],
  ])('of %s is %s', (typed, name) => expect(nearest(typed, NAMES)).toBe(name));

  it.each(['banana', 'x', '', 'q'.repeat(100)])('of %s is none', (typed) => {
    expect(nearest(typed, NAMES)).toBeUndefined();
  });
});
