import { expect, it } from 'vitest';
import { rarestGram } from '../../../src/redact/fast-prefilter/rarest-gram.ts';

it.each([
  ['pscale_tkn_', 'e_t'],
  ['access-production-', 's-p'],
  ['pat', 'pat'],
  ['ghp_', 'hp_'],
  ['AccountKey=', 'ey='],
])('the gram of %s that ordinary text has least is %s', (start, gram) => {
  const at = rarestGram(start);
  expect(start.slice(at, at + 3)).toBe(gram);
});
