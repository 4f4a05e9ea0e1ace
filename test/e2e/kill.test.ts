import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const bench = join(import.meta.dirname, '..', '..', 'bench', 'kill.js');

it.each([
  { answers: 'short', of: [] },
  { answers: 'too long to be held', of: ['--bytes', '6000000'] },
])(
  'leaves a cassette that loads and lacks no finished call, whenever the recorder is killed: answers $answers',
  ({ of }) => {
    const seed = Date.now() % 100_000;
    const args = [bench, '--rounds', '5', '--seed', `${seed}`, ...of, '--json'];
    const output = execFileSync(process.execPath, args);
    expect(JSON.parse(output.toString())).toEqual({ seed, kills: 5, loaded: 5, torn: 5, withLostCalls: 0 });
  },
);
