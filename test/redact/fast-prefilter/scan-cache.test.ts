import { expect, it } from 'vitest';
import { cachedScan } from '../../../src/redact/fast-prefilter/scan-cache.ts';
import { emptyTrigramTable, MAY_HOLD, mark } from '../../../src/redact/fast-prefilter/trigram-scan.ts';

it('remembers a look at the same text until more is known', () => {
  for (const length of [10, 300, 200_000]) {
    const marks = emptyTrigramTable();
    let known = 0;
    const look = cachedScan(marks, () => known);
    const seen = `${'.'.repeat(length)}abc`;
    expect(look(seen).bits).toBe(0);
    mark(marks, 'abc', MAY_HOLD.known);
    expect(look(seen).bits).toBe(length === 300 ? 0 : MAY_HOLD.known);
    expect(cachedScan(marks, () => 0)(seen).bits).toBe(MAY_HOLD.known);
    known++;
    expect(look(seen).ends(MAY_HOLD.known)).toEqual([seen.length]);
    expect(look(seen.replace('abc', 'abd')).bits).toBe(0);
  }
});
