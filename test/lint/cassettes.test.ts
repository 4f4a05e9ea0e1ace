import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { EVERY_RULE } from '../../src/lint/every-rule.ts';
import { lint } from '../../src/lint/lint.ts';

const folder = join(import.meta.dirname, '..', '..', 'cassettes');
const cassettes = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

// Servers may still ask for what 2026-07-28 has deprecated, and two do: sampling and roots.
it.each(cassettes)('%s, recorded from real peers, keeps the protocol', (name) => {
  const cassette = loadCassette(join(folder, name));
  const violations = lint(cassette, EVERY_RULE).filter(({ rule }) => rule !== 'deprecated');
  expect(violations.map(({ rule, line, why }) => `${line} ${rule}: ${why}`)).toEqual([]);
});
