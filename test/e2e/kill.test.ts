import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const bench = join(import.meta.dirname, '..', '..', 'bench', 'kill.js');

it('leaves a tape that loads and lacks no finished call, whenever the recorder is killed', {
  timeout: 60_000,
}, () => {
  const seed = Date.now() % 100_000;
  const output = execFileSync(process.execPath, [bench, '--rounds', '5', '--seed', String(seed), '--json']);
  expect(JSON.parse(output.toString())).toEqual({ seed, kills: 5, loaded: 5, torn: 5, withLostCalls: 0 });
});
