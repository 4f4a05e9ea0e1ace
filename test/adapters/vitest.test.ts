import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordSession } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { run } from '../support/process.ts';
import { ONE, VitestProject } from './vitest-project.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = temporaryFolder();

describe('a test with a session', () => {
  it('has mock servers, faults, matchers, and is told by a reporter what it recorded', async () => {
    const project = new VitestProject(
      folder,
      `${ONE}
test('all of it', async ({ mcp }) => {
  mcp.faults([{ do: 'error-reply', when: { method: 'tools/call' }, message: 'no weather today' }]);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect((await mcp.server(process.env.TAPE)).transport);
  await expect(weather(client)).rejects.toThrow('no weather today');
  expect(mcp).toHaveReceivedRequest('tools/call', { arguments: { city: 'Oslo' } });
  expect(mcp).toMatchSession(process.env.TAPE);
});
`,
    );
    const reporter = ['--reporter=default', `--reporter=${join(root, 'test', 'adapters', 'reporter.js')}`];
    expect(await project.run(undefined, ...reporter, '-t', 'the weather')).toMatchObject({
      status: 0,
      said: expect.stringMatching(/mcp-record: 1 recorded, 0 replayed\n {2}recorded .*the-weather-\w+\.yaml/),
    });
    process.env.TAPE = join(project.folder, '__cassettes__', 'weather.test.js', project.cassettes[0]!);
    expect(await project.run('none', ...reporter)).toMatchObject({
      status: 0,
      said: expect.stringContaining('mcp-record: 0 recorded, 2 replayed'),
    });
  });

  it('may be that of a server, by each recorded interaction', async () => {
    const project = new VitestProject(folder, '');
    const cassette = join(project.folder, 'cassette.yaml');
    await recordSession(cassette);
    project.write(`import { testServer } from 'mcp-record/vitest';
testServer(${JSON.stringify(cassette)}, () => server);
`);
    const good = await project.run(undefined, '--reporter=verbose');
    expect(good).toMatchObject({ status: 0, said: expect.stringContaining('tools/call "weather"') });
    const { status, said } = await project.run('changed-text');
    expect([status, said]).toEqual([1, expect.stringMatching(/-\s+"text": "Oslo has 20 degrees celsius"/)]);
  });

  it('says what to install where vitest is not there', async () => {
    const lonely = temporaryFolder();
    cpSync(join(root, 'dist'), join(lonely, 'dist'), { recursive: true });
    cpSync(join(root, 'package.json'), join(lonely, 'package.json'));
    mkdirSync(join(lonely, 'node_modules'), { recursive: true });
    for (const name of ['yaml', 'jest-diff']) {
      symlinkSync(join(root, 'node_modules', name), join(lonely, 'node_modules', name));
    }
    const args = [
      '--input-type=module',
      '-e',
      `await import(${JSON.stringify(join(lonely, 'dist/adapters/vitest.js'))})`,
    ];
    const { stderr } = await run({ command: process.execPath, args });
    expect(stderr).toContain('[PEER_MISSING]');
    expect(stderr).toContain('npm install -D "vitest@^3 || ^4 || ^5"');
  });
});
