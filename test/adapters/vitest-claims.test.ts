import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { HEAD, VitestProject } from './vitest-project.ts';

const folder = temporaryFolder();

const shared = (city: string) => `${HEAD}
test('shared', async ({ mcp }) => {
  await weather(await connect(mcp, { cassette: 'shared.yaml' }), '${city}');
});
`;

it.each(['forks', 'threads'])('vitest -u with %s fails the second test file, and not the first', async (pool) => {
  const project = new VitestProject(folder, '');
  for (const [name, city] of Object.entries({ first: 'Oslo', second: 'Rome' }))
    writeFileSync(join(project.folder, `${name}.test.js`), shared(city));
  const args = ['-u', `--pool=${pool}`, 'first', 'second'];
  const { status, said } = await project.run(undefined, ...args);
  expect([status, said]).toEqual([1, expect.stringContaining('[CASSETTE_CLAIMED]')]);
  expect(said).toContain('1 failed | 1 passed');
  const alone = await project.run(undefined, ...args.slice(0, -1));
  expect(alone.status).toBe(0);
  writeFileSync(join(project.folder, 'second.test.js'), shared('Oslo'));
  expect(await project.run('none', 'first', 'second')).toMatchObject({ status: 0 });
});
