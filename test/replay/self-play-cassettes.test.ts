import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { deviations, selfPlay } from '../support/self-play.ts';

const folder = join(import.meta.dirname, '..', '..', 'cassettes');
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

describe('every recorded session', () => {
  it.each(files)('%s is the same session again when both its sides play it', (file) => {
    const cassette = loadCassette(join(folder, file));
    const { frames, findings } = selfPlay(cassette);
    expect(deviations(cassette, frames)).toEqual([]);
    expect(findings).toEqual([]);
  });
});
