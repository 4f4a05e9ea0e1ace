import { describe, expect, it } from 'vitest';
import { DuplicateKeys } from '../../../src/cassette/read/duplicate-keys.ts';

describe('the keys of nested mappings', () => {
  it('are told apart by mapping', () => {
    const keys = new DuplicateKeys();
    const outer = keys.open();
    expect(keys.add('a', outer)).toBe(true);
    const inner = keys.open();
    expect(keys.add('a', inner)).toBe(true);
    expect(keys.add('a', inner)).toBe(false);
    keys.close(inner);
    expect(keys.add('b', outer)).toBe(true);
    expect(keys.add('a', outer)).toBe(false);
  });

  it('are told apart when there are many', () => {
    const keys = new DuplicateKeys();
    for (let round = 0; round < 2; round++) {
      const mark = keys.open();
      const names = Array.from({ length: 100 }, (_, n) => `key ${n}`);
      expect(names.map((name) => keys.add(name, mark))).not.toContain(false);
      expect(names.map((name) => keys.add(name, mark))).not.toContain(true);
      keys.close(mark);
    }
  });
});
