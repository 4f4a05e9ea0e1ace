import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { VitestProject } from '../../../adapters/vitest-project.ts';
import { server } from '../../../e2e/verify/session.ts';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { run } from '../../../support/process.ts';

const parent = temporaryFolder();
const VITEST = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules', 'vitest', 'vitest.mjs');

describe('prune of a project of Vitest', () => {
  const one = (name: string, city: string) => `test('${name}', async ({ mcp }) => {
  await weather(await connect(mcp), '${city}');
});
`;
  const BOTH = one('one', 'Oslo') + one('two', 'Rome');

  /** All tests have run in it, once for all that follows. */
  let recorded: VitestProject;
  beforeAll(async () => {
    recorded = new VitestProject(parent, BOTH);
    expect(await recorded.run(undefined)).toMatchObject({ status: 0 });
    expect(recorded.cassettes).toHaveLength(2);
  });

  /** Runs `prune` in a copy of the project with other tests, or fewer. */
  async function pruned(tests: string, ...args: string[]) {
    const vitest = new VitestProject(parent, tests);
    cpSync(join(recorded.folder, '__cassettes__'), join(vitest.folder, '__cassettes__'), { recursive: true });
    const { command, args: own } = mcpRecord(
      'prune',
      '--',
      process.execPath,
      VITEST,
      'run',
      '--root',
      vitest.folder,
      ...args,
    );
    const env = ['-u', 'CI', `SERVER=${JSON.stringify(server())}`, 'COLUMNS=1000'];
    const { stdout, stderr } = await run({ command: 'env', args: [...env, command, ...own], cwd: vitest.folder });
    return { removed: `${stdout}`.match(/removed/g)?.length ?? 0, left: vitest.cassettes.length, said: `${stderr}` };
  }

  it.each<[name: string, tests: string, args: string[]]>([
    ['skipped', BOTH.replace("test('two'", "test.skip('two'"), []],
    ['in a suite that is skipped', `${one('one', 'Oslo')}describe.skip('all', () => {\n${one('two', 'Rome')}});`, []],
    ['not the only one', BOTH.replace("test('one'", "test.only('one'"), []],
    ['left out by a filter', BOTH, ['-t', 'one']],
    [
      'skipped while it runs',
      BOTH.replace("'two', async ({ mcp }) => {", "'two', async ({ mcp, skip }) => {\n  skip();"),
      [],
    ],
    ['skipped with all others', BOTH.replaceAll("test('", "test.skip('"), []],
  ])('keeps the cassette of a test that is %s', async (_, tests, args) => {
    const { removed, left, said } = await pruned(`import { describe } from 'vitest';\n${tests}`, ...args);
    expect([removed, left]).toEqual([0, 2]);
    expect(said).toMatch(/Kept \d cassettes? of weather\.test\.js that no test used/);
  });

  it('removes that of a test that is gone', async () => {
    const { removed, left, said } = await pruned(one('one', 'Oslo'));
    expect([removed, left]).toEqual([1, 1]);
    expect(said).not.toContain('Kept');
  });
});
