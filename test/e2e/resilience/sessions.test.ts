import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const bench = join(import.meta.dirname, '..', '..', '..', 'bench', 'sessions.js');

it('one recorder holds more sessions at once than cassettes may be open, and each has a whole cassette of its own', {
  timeout: 300_000,
}, () => {
  const output = execFileSync(process.execPath, [bench, '--sessions', '1200', '--connections', '20', '--json']);
  expect(JSON.parse(output.toString())).toMatchObject({
    sessions: 1200,
    cassettes: 1200,
    status: 0,
    troubles: 0,
  });
});
