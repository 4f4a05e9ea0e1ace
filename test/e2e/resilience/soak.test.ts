import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const bench = join(import.meta.dirname, '..', '..', '..', 'bench', 'soak.js');

it('keeps what both sides saw of random sessions, however they end, and mixes none with another', {
  timeout: 300_000,
}, () => {
  const seed = Date.now() % 100_000;
  const output = execFileSync(process.execPath, [bench, '--rounds', '3', '--seed', String(seed), '--json']);
  expect(JSON.parse(output.toString())).toMatchObject({ seed, rounds: 3, stdioSessions: 3 });
});
