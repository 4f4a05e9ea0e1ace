import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/redact/redactor.ts';
import { KINDS, PLACES, readable } from './planted.ts';

describe('no planted secret survives', () => {
  it(`in any of ${Object.keys(PLACES).length} places, of any of ${KINDS.length} kinds`, () => {
    const survivors: string[] = [];
    for (const [place, frameWith] of Object.entries(PLACES))
      for (const { kind, text, secret } of KINDS) {
        const frame = frameWith(text);
        expect(readable(frame).includes(secret), `${kind} in ${place}`).toBe(true);
        const seen = readable(createRedactor({ env: {} }).frame(frame));
        if (seen.includes(secret)) survivors.push(`${kind} in ${place}: ${seen.slice(0, 300)}`);
      }
    expect(survivors).toEqual([]);
  });
});
