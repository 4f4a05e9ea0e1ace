import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { lint } from '../../src/lint/lint.ts';

const folder = join(import.meta.dirname, '..', '..', 'cassettes');
const cassettes = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

it.each(cassettes)('%s, recorded from real peers, keeps the protocol', (name) => {
  const violations = lint(loadCassette(join(folder, name)));
  expect(violations.map(({ rule, line, why }) => `${line} ${rule}: ${why}`)).toEqual([]);
});
