import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimAcrossProcesses } from '../../../src/adapters/test/claim-across-processes.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { HEAD, VitestProject } from '../vitest-project.ts';

const folder = temporaryFolder();
const [a, b] = ['a.test.js', 'b.test.js'].map((name) => join(folder, name)) as [string, string];
const cassette = join(folder, 'shared.yaml');
let runs = 0;
let runId = '';
const claim = (file: string) => claimAcrossProcesses({ file, names: ['one'], runId }, cassette);

beforeEach(() => {
  runId = `${process.pid}-of-the-test-${++runs}`;
  for (const file of [a, b]) {
    writeFileSync(file, '');
    utimesSync(file, 1, 1);
  }
});

describe('a cassette that two test files record', () => {
  it('belongs to the first one, in one run', () => {
    claim(a);
    claim(a);
    expect(() => claim(b)).toThrow(
      expect.objectContaining({ code: 'CASSETTE_CLAIMED', message: expect.stringContaining(a) }),
    );
    runId = `${runId}-later`;
    claim(b);
  });

  it('belongs to the second one when the first one was changed, or is gone', () => {
    claim(a);
    const later = new Date(Date.now() + 60_000);
    utimesSync(a, later, later);
    claim(b);
    rmSync(b);
    claim(a);
  });

  it('belongs to both where the runner does not say which run it is', () => {
    for (const file of [a, b]) claimAcrossProcesses({ file, names: ['one'] }, cassette);
  });
});

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
