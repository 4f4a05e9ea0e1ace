import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { recordSession } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { HEAD, ONE, VitestProject } from './vitest-project.ts';

const folder = temporaryFolder();

const RELATIVE = `${HEAD}import { testServer } from 'mcp-record/vitest';

testServer('cassettes/drifts.yaml', () => server);
test('uses a cassette beside its file', async ({ mcp }) => {
  const { transport } = await mcp.server('cassettes/drifts.yaml', { onUnused: 'report', onDifference: 'report' });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  expect(mcp).not.toMatchSession('cassettes/drifts.yaml');
  await mcp.client('cassettes/drifts.yaml', server);
  const own = await connect(mcp, {
    mode: 'replay',
    cassette: './cassettes/drifts.yaml',
    onUnused: 'report',
    onDifference: 'report',
  });
  await own.ping();
  const missing = await mcp.server('cassettes/none.yaml').catch((error) => error);
  console.log(missing.message);
});
`;

describe('a test with a session', () => {
  it('records itself, and runs without the server from then on', async () => {
    const project = new VitestProject(folder, ONE);
    expect(await project.run(undefined)).toMatchObject({ status: 0 });
    expect(project.cassettes).toEqual([expect.stringMatching(/^the-weather-[0-9a-f]{8}\.yaml$/)]);
    expect(await project.run('none')).toMatchObject({ status: 0 });
  });

  it('says in the output of vitest what it recorded, without a reporter of ours', async () => {
    const project = new VitestProject(folder, ONE);
    const { said } = await project.run(undefined);
    expect(said).toContain(`${project.cassettes[0]} was recorded: nothing is redacted.`);
    expect((await project.run('none')).said).not.toContain('was recorded');
  });

  it('fails where it asks for what the cassette does not have, and keeps the cassette', async () => {
    const project = new VitestProject(folder, ONE);
    await project.run(undefined);
    const tape = project.read(project.cassettes[0]!);
    project.write(ONE.replace('connect(mcp))', "connect(mcp), 'Rome').catch(() => 'Oslo has 20 degrees celsius')"));
    const { status, said } = await project.run('none');
    expect(status).toBe(1);
    expect(said).toContain('[SESSION_FELL_SHORT]');
    expect(said).toContain('"Oslo" → "Rome"');
    expect(project.read(project.cassettes[0]!)).toBe(tape);
  });

  it('says in one error what a call that the cassette does not have means, and hides no second cause', async () => {
    const project = new VitestProject(folder, ONE);
    await project.run(undefined);
    const inRome = ONE.replace('connect(mcp))', "connect(mcp), 'Rome')");
    project.write(inRome);
    const { status, said } = await project.run('none');
    expect([status, said.match(/FAIL|Cannot answer/g)]).toEqual([1, ['FAIL', 'Cannot answer']]);
    expect(said).toMatch(
      /^McpError: .*Cannot answer[\s\S]*"Oslo" → "Rome"[\s\S]*\[SESSION_FELL_SHORT\][\s\S]*\{ ignore: [\s\S]*MCP_RECORD=new[\s\S]*- +city: Oslo\n\+ +city: Rome/m,
    );
    project.write(
      `test('two', async ({ mcp }) => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect((await mcp.server(process.env.TAPE)).transport);
  await client.callTool({ name: 'other' }).catch(() => {});
  await weather(client, 'Rome');
});
`,
    );
    process.env.TAPE = join(project.folder, '__cassettes__', 'weather.test.js', project.cassettes[0]!);
    const two = await project.run('none');
    expect([two.status, two.said.match(/FAIL/g)]).toEqual([1, ['FAIL', 'FAIL']]);
    expect(two.said).toContain('Cannot answer tools/call "other"');
  });

  it('fails where it no longer asks for what the cassette has', async () => {
    const project = new VitestProject(folder, ONE);
    await project.run(undefined);
    project.write("test('the weather', async ({ mcp }) => { await connect(mcp); });\n");
    const { status, said } = await project.run('none');
    expect([status, said]).toEqual([1, expect.stringContaining('1 recorded request never came')]);
  });

  it('that skips itself replaces no cassette', async () => {
    const project = new VitestProject(folder, ONE);
    await project.run(undefined);
    const [name] = project.cassettes;
    const tape = project.read(name!);
    project.write("test('the weather', async ({ mcp, skip }) => { await connect(mcp); skip(); });\n");
    const { status, said } = await project.run(undefined, '-u');
    expect([status, said]).toEqual([0, expect.stringContaining('1 skipped')]);
    expect(project.read(name!)).toBe(tape);
  });

  it('that fails by itself says so alone, and leaves its recording beside the cassette', async () => {
    const project = new VitestProject(folder, ONE.replace("'Oslo has", "'Rome has"));
    const { status, said } = await project.run(undefined);
    expect([status, said]).toEqual([1, expect.not.stringContaining('SESSION_FELL_SHORT')]);
    expect(said).toContain("to be 'Rome has 20 degrees celsius'");
    expect(project.cassettes).toEqual([expect.stringMatching(/^the-weather-\w+\.recording\.yaml$/)]);
    expect(said).toContain(project.cassettes[0]);
    expect(said).toContain('[RECORDING_KEPT]');
    project.write(ONE);
    expect(await project.run(undefined)).toMatchObject({ status: 0 });
    expect(project.cassettes).toEqual([expect.stringMatching(/^the-weather-\w{8}\.yaml$/)]);
  });

  it.each([
    ['--root of the project', {}, []],
    ['--root of the folder of the test', {}, ['--root', 'inner']],
    ['projects', { projects: ['inner'] }, []],
  ])('finds a cassette of a relative path beside its file with %s', async (_, config, args) => {
    const project = new VitestProject(folder, "test('none', () => {});");
    mkdirSync(join(project.folder, 'inner', 'cassettes'), { recursive: true });
    await recordSession(join(project.folder, 'inner', 'cassettes', 'drifts.yaml'));
    writeFileSync(join(project.folder, 'vitest.config.js'), `export default { test: ${JSON.stringify(config)} };`);
    writeFileSync(join(project.folder, 'inner', 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(project.folder, 'inner', 'vitest.config.js'),
      'export default { test: { testTimeout: 60_000 } };',
    );
    writeFileSync(join(project.folder, 'inner', 'a.test.js'), RELATIVE);
    const { status, said } = await project.run(
      undefined,
      ...args.map((word) => (word === 'inner' ? join(project.folder, word) : word)),
    );
    expect([status, said]).toEqual([0, expect.stringContaining('passed')]);
    expect(said).toContain('inner/cassettes/none.yaml');
  });

  it('is recorded anew by -u, and replayed under CI', async () => {
    const project = new VitestProject(folder, ONE.replace('.toBe(', '.toMatch(/Oslo/); void ('));
    await project.run(undefined);
    await project.run('changed-text', '-u');
    expect(project.read(project.cassettes[0]!)).toContain('Oslo: 20 celsius');
    expect(await project.run('none')).toMatchObject({ status: 0 });
  });

  it('goes on while its own time stands still', async () => {
    const project = new VitestProject(
      folder,
      ONE.replace('async ({ mcp }) => {', 'async ({ mcp }) => {\n  vi.useFakeTimers();\n'),
    );
    expect(await project.run(undefined)).toMatchObject({ status: 0 });
    expect(await project.run('none')).toMatchObject({ status: 0 });
  });

  it('may have several, and several tests at once', async () => {
    const project = new VitestProject(
      folder,
      `
for (const city of ['Oslo', 'Rome', 'Bonn']) {
  test.concurrent(\`in \${city}\`, async ({ mcp, expect }) => {
    const [one, two] = [await connect(mcp), await connect(mcp, { name: 'second' })];
    expect(await weather(one, city)).toContain(city);
    expect(await weather(two, 'Kyiv')).toContain('Kyiv');
    expect(mcp.sessions.map((session) => session.received('tools/call').length)).toEqual([1, 1]);
  });
}
`,
    );
    expect(await project.run(undefined)).toMatchObject({ status: 0 });
    expect(project.cassettes).toHaveLength(6);
    expect(await project.run('none', '--sequence.shuffle')).toMatchObject({ status: 0 });
    for (const cassette of project.cassettes) {
      const file = join(project.folder, '__cassettes__', 'weather.test.js', cassette);
      expect(loadCassette(file).end).toBe('complete');
    }
  });

  it('is not that of another test of the same name', async () => {
    const project = new VitestProject(folder, ONE + ONE);
    const { status, said } = await project.run(undefined);
    expect([status, said]).toEqual([1, expect.stringContaining('[CASSETTE_CLAIMED]')]);
  });

  it('may be repeated and retried', async () => {
    const project = new VitestProject(folder, ONE.replace("'the weather', ", "'the weather', { repeats: 2 }, "));
    expect(await project.run(undefined)).toMatchObject({ status: 0 });
    expect(await project.run('none', '--retry=2')).toMatchObject({ status: 0 });
    expect(project.cassettes).toHaveLength(1);
  });
});
