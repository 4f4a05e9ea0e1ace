import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { run } from '../../support/process.ts';
import { VitestProject } from '../vitest-project.ts';

const folder = temporaryFolder();
const distOf = (name: string) => JSON.stringify(new URL(`../../../dist/adapters/${name}.js`, import.meta.url).href);
const HEAD = `import { test } from 'node:test';
import { mockServer, tool } from ${distOf('mock')};
import { openMcp, verifyServer, withMcp } from ${distOf('testing')};
const handlers = [tool('add', () => 3, { once: true })];
const owner = { file: import.meta.filename, names: ['sums', 'adds'] };
`;
let files = 0;

/** Runs tests of node:test, in a process of their own. */
async function nodeTest(code: string, ...args: string[]): Promise<{ status: number | null; said: string }> {
  const file = join(folder, `${++files}.test.mjs`);
  writeFileSync(file, HEAD + code);
  // The file is a test of this runner, too, where it finds this variable.
  const command = ['-u', 'NODE_TEST_CONTEXT', process.execPath, '--test', ...args, file];
  const { stdout, stderr, status } = await run({ command: 'env', args: command });
  return { status, said: `${stdout}\n${stderr}` };
}

const LEFT: [name: string, code: string, said: string][] = [
  [
    'openMcp without finish',
    'const mcp = openMcp(owner);\n  await mcp.server({});',
    'Cannot tell whether the test "sums > adds" went as recorded',
  ],
  ['a mock that is never finished', 'await mockServer({ handlers });', 'add'],
  ['a mock whose outcome nobody reads', 'await (await mockServer({ handlers })).finish();', 'was never called'],
  ['a reset whose outcome nobody reads', 'await (await mockServer({ handlers })).reset();', 'was never called'],
  ['withMcp without await', 'void withMcp(owner, (mcp) => mcp.server({ handlers }));', 'was never called'],
  ['verifyServer without await', "void verifyServer('none.yaml', { command: 'none' });", 'there is no such file'],
];

const FINE = `await (await mockServer({})).finish();
  await withMcp(owner, (mcp) => mcp.server({}));
  await verifyServer('none.yaml', { command: 'none' }).catch(() => {});
  const left = await mockServer({ handlers });
  (await left.finish()).failures;
  openMcp(owner);
  const mcp = openMcp(owner);
  await mcp.server({});
  await mcp.finish({ passed: true });`;

const inTest = (code: string) => `test('adds', async () => {\n  ${code}\n});`;

describe.each([[[]], [['--test-force-exit']]])('a process of node:test %j', (args) => {
  it.each(LEFT)('fails with %s', async (_, code, said) => {
    const ended = await nodeTest(inTest(code), ...args);
    expect(ended).toEqual({
      status: 1,
      said: expect.stringMatching(/SESSION_UNCHECKED|SESSION_FELL_SHORT|CASSETTE_NOT_FOUND/),
    });
    if (args.length === 0) expect(ended.said).toContain(said);
  });

  it('passes where all has ended', async () => {
    expect(await nodeTest(inTest(FINE), ...args)).toEqual({
      status: 0,
      said: expect.not.stringContaining('mcp-record:'),
    });
  });
});

it('a process that leaves early says what it has not checked, and with an error of its own only that', async () => {
  const left = `const mcp = openMcp(owner);\nawait mcp.server({});\nvoid withMcp(owner, () => new Promise(() => {}));`;
  const zero = await nodeTest(`${left}\nprocess.exit(0);`);
  expect(zero).toMatchObject({ status: 1, said: expect.stringContaining('Cannot tell how withMcp ends') });
  expect(zero.said).toContain('mcp.finish was never called');
  const three = await nodeTest(`${left}\nprocess.exit(3);`);
  expect(three).toEqual({ status: 1, said: expect.not.stringContaining('SESSION_UNCHECKED') });
});

it('a test of Vitest ends what openMcp has opened', async () => {
  const project = new VitestProject(
    folder,
    `import { tool } from 'mcp-record/mock';
import { openMcp } from 'mcp-record/testing';
const opened = async (name) => {
  const mcp = openMcp({ file: import.meta.filename, names: [name] });
  await mcp.server({ handlers: [tool('add', () => 3, { once: true })] });
  return mcp;
};
test('forgets it', () => opened('forgets it'));
test('has ended it', async () => {
  const mcp = await opened('has ended it');
  await mcp.finish({ passed: false });
});
`,
  );
  const { status, said } = await project.run('none', '--reporter=verbose');
  expect([status, said]).toEqual([1, expect.stringContaining('The handler of tools/call "add"')]);
  expect(said).toMatch(/× .*forgets it/);
  expect(said).toMatch(/✓ .*has ended it/);
});
