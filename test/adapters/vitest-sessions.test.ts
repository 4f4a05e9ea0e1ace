import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { recordSession } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { type FileRun, HEAD, ONE, VitestProject } from './vitest-project.ts';

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

const PASSED = { passed: 1, failed: 0, skipped: 0, errors: [] };
const FAKE_TIME = `import { afterAll } from 'vitest';
afterAll(() => void vi.useRealTimers());
${ONE.replace('async ({ mcp }) => {', 'async ({ mcp }) => {\n  vi.useFakeTimers();\n')}`;
const SEVERAL = `
for (const city of ['Oslo', 'Rome', 'Bonn']) {
  test.concurrent(\`in \${city}\`, async ({ mcp, expect }) => {
    const [one, two] = [await connect(mcp), await connect(mcp, { name: 'second' })];
    expect(await weather(one, city)).toContain(city);
    expect(await weather(two, 'Kyiv')).toContain('Kyiv');
    expect(mcp.sessions.map((session) => session.received('tools/call').length)).toEqual([1, 1]);
  });
}
`;
const ROME = ONE.replace('connect(mcp))', "connect(mcp), 'Rome')");
const files = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${name}.test.js`, HEAD + text]));

/** Files that record their sessions, and run without the server from then on. */
const REPLAYED = files({
  'fake-time': FAKE_TIME,
  several: SEVERAL,
  repeated: ONE.replace("'the weather', ", "'the weather', { repeats: 2 }, "),
});
/** Those that fail by themselves, each for another reason. */
const FAILING = files({
  'fails-itself': ONE.replace("'Oslo has", "'Rome has"),
  twice: ONE + ONE,
});
/** What replaces a recorded test. */
const CHANGED = files({
  swallows: ONE.replace('connect(mcp))', "connect(mcp), 'Rome').catch(() => 'Oslo has 20 degrees celsius')"),
  two: `test('two', async ({ mcp }) => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect((await mcp.server(process.env.TAPE)).transport);
  await client.callTool({ name: 'other' }).catch(() => {});
  await weather(client, 'Rome');
});
`,
  shorter: "test('the weather', async ({ mcp }) => { await connect(mcp); });\n",
});
/** What replaces a recorded test, and is run with -u. */
const UPDATED = files({
  skips: "test('the weather', async ({ mcp, skip }) => { await connect(mcp); skip(); });\ntest('other', () => {});\n",
  anew: ONE.replace('.toBe(', '.toMatch(/Oslo/); void ('),
});

describe('a test with a session', () => {
  const project = new VitestProject(folder, ONE);
  const pathOf = (file: string) => join(project.folder, '__cassettes__', file, project.cassettesOf(file)[0]!);
  /** Gives a test file what `weather.test.js` has recorded. */
  const give = (file: string) => {
    cpSync(join(project.folder, '__cassettes__', 'weather.test.js'), join(project.folder, '__cassettes__', file), {
      recursive: true,
    });
  };
  const tapes = () => Object.keys(CHANGED).map((file) => readFileSync(pathOf(file), 'utf8'));
  let first: Awaited<ReturnType<VitestProject['run']>>;
  let again: typeof first;
  let recording: Readonly<Record<string, FileRun>>;
  let replay: Readonly<Record<string, FileRun>>;
  let changed: Readonly<Record<string, FileRun>>;
  let before: string[];
  let updated: Readonly<Record<string, FileRun>>;

  // Each start of vitest takes a second of a processor: one records all files, and one replays them.
  beforeAll(async () => {
    first = await project.run(undefined, 'weather');
    again = await project.run('none', 'weather');
    for (const file of Object.keys({ ...CHANGED, ...UPDATED })) give(file);
    recording = await project.runEach(undefined, { ...REPLAYED, ...FAILING });
    replay = await project.runEach('none', REPLAYED, '--sequence.shuffle', '--retry=2');
    before = tapes();
    process.env.TAPE = pathOf('weather.test.js');
    changed = await project.runEach('none', CHANGED);
    updated = await project.runEach('changed-text', UPDATED, '-u');
  });

  it('records itself, and runs without the server from then on', () => {
    expect([first.status, again.status]).toEqual([0, 0]);
    expect(project.cassettes).toEqual([expect.stringMatching(/^the-weather-[0-9a-f]{8}\.yaml$/)]);
  });

  it('says in the output of vitest what it recorded, without a reporter of ours', () => {
    expect(first.said).toContain(`${project.cassettes[0]} was recorded: nothing is redacted.`);
    expect(again.said).not.toContain('was recorded');
  });

  it('fails where it asks for what the cassette does not have, and keeps the cassette', () => {
    expect(changed['swallows.test.js']).toEqual({ passed: 0, failed: 1, skipped: 0, errors: [expect.anything()] });
    expect(changed['swallows.test.js']!.errors[0]).toContain('[SESSION_FELL_SHORT]');
    expect(changed['swallows.test.js']!.errors[0]).toContain('"Oslo" → "Rome"');
    expect(tapes()).toEqual(before);
  });

  it('says in one error what a call that the cassette does not have means, and hides no second cause', async () => {
    give('rome.test.js');
    writeFileSync(join(project.folder, 'rome.test.js'), HEAD + ROME);
    const { status, said } = await project.run('none', 'rome');
    expect([status, said.match(/FAIL|Cannot answer/g)]).toEqual([1, ['FAIL', 'Cannot answer']]);
    expect(said).toMatch(
      /^McpError: .*Cannot answer[\s\S]*"Oslo" → "Rome"[\s\S]*\[SESSION_FELL_SHORT\][\s\S]*\{ ignore: [\s\S]*MCP_RECORD=new[\s\S]*- +city: Oslo\n\+ +city: Rome/m,
    );
    const two = changed['two.test.js']!;
    expect([two.failed, two.errors.length]).toEqual([1, 2]);
    expect(two.errors.join()).toContain('Cannot answer tools/call "other"');
  });

  it('fails where it no longer asks for what the cassette has', () => {
    const shorter = changed['shorter.test.js']!;
    expect([shorter.failed, shorter.errors]).toEqual([1, [expect.stringContaining('1 recorded request never came')]]);
  });

  it('that skips itself replaces no cassette', () => {
    expect(updated['skips.test.js']).toEqual({ ...PASSED, skipped: 1 });
    expect(project.read(project.cassettes[0]!, 'skips.test.js')).toBe(project.read(project.cassettes[0]!));
  });

  it('that fails by itself says so alone, and leaves its recording beside the cassette', async () => {
    const { failed, errors } = recording['fails-itself.test.js']!;
    const kept = project.cassettesOf('fails-itself.test.js');
    expect(kept).toEqual([expect.stringMatching(/^the-weather-\w+\.recording\.yaml$/)]);
    expect([failed, errors]).toEqual([
      1,
      [
        expect.stringContaining("to be 'Rome has 20 degrees celsius'"),
        expect.stringMatching(`\\[RECORDING_KEPT\\][\\s\\S]*${kept[0]}`),
      ],
    ]);
    expect(errors.join()).not.toContain('SESSION_FELL_SHORT');
    const mended = files({ 'fails-itself': ONE });
    expect(await project.runEach(undefined, mended)).toEqual({ 'fails-itself.test.js': PASSED });
    expect(project.cassettesOf('fails-itself.test.js')).toEqual([expect.stringMatching(/^the-weather-\w{8}\.yaml$/)]);
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
    expect(updated['anew.test.js']).toEqual(PASSED);
    expect(project.read(project.cassettes[0]!, 'anew.test.js')).toContain('Oslo: 20 celsius');
    const { 'anew.test.js': anew } = UPDATED;
    expect(await project.runEach('none', { 'anew.test.js': anew! })).toEqual({ 'anew.test.js': PASSED });
  });

  it('goes on while its own time stands still', () => {
    expect([recording['fake-time.test.js'], replay['fake-time.test.js']]).toEqual([PASSED, PASSED]);
  });

  it('may have several, and several tests at once', () => {
    const three = { ...PASSED, passed: 3 };
    expect([recording['several.test.js'], replay['several.test.js']]).toEqual([three, three]);
    const cassettes = project.cassettesOf('several.test.js');
    expect(cassettes).toHaveLength(6);
    for (const cassette of cassettes) {
      const file = join(project.folder, '__cassettes__', 'several.test.js', cassette);
      expect(loadCassette(file).end).toBe('complete');
    }
  });

  it('is not that of another test of the same name', () => {
    const { failed, errors } = recording['twice.test.js']!;
    expect([failed, errors]).toEqual([1, [expect.stringContaining('[CASSETTE_CLAIMED]')]]);
  });

  it('may be repeated and retried', () => {
    expect([recording['repeated.test.js'], replay['repeated.test.js']]).toEqual([PASSED, PASSED]);
    expect(project.cassettesOf('repeated.test.js')).toHaveLength(1);
  });
});
