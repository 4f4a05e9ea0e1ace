import { execFile, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from './support/cassette.ts';
import { projectIn } from './support/project.ts';

const examples = join(import.meta.dirname, '..', 'examples');
const run = promisify(execFile);

/** Examples in other languages, with what shows that they can be run here. `.ci/examples.js` runs them, too, from the packed package. */
const FOREIGN = [
  { name: 'pytest', command: 'python3', args: ['-m', 'pytest', '--version'] },
  { name: 'go', command: 'go', args: ['version'] },
];

describe.each(FOREIGN)('the example $name', ({ name, command, args }) => {
  const isThere = spawnSync(command, args).status === 0;
  beforeEach(({ skip }) => skip(!isThere, `there is no ${name} on this machine`));

  it('passes', async () => {
    const { folder, env } = projectIn(temporaryFolder(), []);
    cpSync(join(examples, name), folder, { recursive: true });
    const { stdout } = await run('npm', ['test'], { cwd: folder, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' } });
    expect(stdout).toMatch(/ passed|^ok /m);
  });
});
