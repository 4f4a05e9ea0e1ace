import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fixture, Running } from '../support/process.ts';
import { installIn } from '../support/project.ts';

const root = join(import.meta.dirname, '..', '..');
let projects = 0;

/** What each of its test files begins with. */
export const HEAD = `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { test } from 'mcp-record/vitest';
import { expect, vi } from 'vitest';

const server = JSON.parse(process.env.SERVER);
const connect = async (mcp, options) => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(await mcp.connect(server, options));
  return client;
};
const weather = async (client, city = 'Oslo') =>
  (await client.callTool({ name: 'weather', arguments: { city } })).content[0].text;
`;

/** How the tests of one file have ended, and what vitest says of those that failed. */
export interface FileRun {
  passed: number;
  failed: number;
  skipped: number;
  errors: string[];
}

/** What vitest reports as JSON. */
interface Report {
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; failureMessages: string[] }[];
  }[];
}

/** A project of a user, whose test file has these tests. */
export class VitestProject {
  readonly folder: string;

  constructor(parent: string, tests: string) {
    this.folder = join(parent, `project-${projects++}`);
    installIn(parent, ['vitest', '@modelcontextprotocol/client', '@modelcontextprotocol/sdk']);
    mkdirSync(this.folder);
    writeFileSync(join(this.folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(this.folder, 'vitest.config.js'), 'export default { test: { testTimeout: 60_000 } };');
    this.write(tests);
  }

  write(tests: string): void {
    writeFileSync(join(this.folder, 'weather.test.js'), HEAD + tests);
  }

  /** Runs the tests against a server that drifts so; `none`: there is no server. */
  async run(drift: string | undefined, ...args: string[]): Promise<{ status: number | null; said: string }> {
    const { command, args: own } = fixture('drifts.js', ...(drift === undefined ? [] : [drift]));
    const server = drift === 'none' ? { command: 'no-such-server' } : { command, args: own };
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const env = ['-u', 'CI', '-u', 'MCP_RECORD', `SERVER=${JSON.stringify(server)}`, 'NO_COLOR=1'];
    await using running = new Running({
      command: 'env',
      args: [
        ...env,
        process.execPath,
        vitest,
        'run',
        ...(args.includes('--root') ? [] : ['--root', this.folder]),
        ...args,
      ],
    }).read();
    running.child.stdin.end();
    const { stdout, stderr, status } = await running.ended;
    // The next run of a user removes it: see src/adapters/test/claim-across-processes.ts.
    rmSync(join(tmpdir(), `mcp-record-claims-${running.child.pid}`), { recursive: true, force: true });
    return { status, said: `${stdout}\n${stderr}` };
  }

  /**
   * Runs test files of these names and texts, and no others, in one start of vitest and in one process, as {@link run} does.
   * Gives how each has ended.
   */
  async runEach(
    drift: string | undefined,
    files: Readonly<Record<string, string>>,
    ...args: string[]
  ): Promise<Readonly<Record<string, FileRun>>> {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text);
    const report = join(this.folder, 'report.json');
    rmSync(report, { force: true });
    const json = ['--reporter=json', `--outputFile=${report}`];
    const { said } = await this.run(drift, '--no-isolate', '--maxWorkers=1', ...Object.keys(files), ...json, ...args);
    if (!existsSync(report)) throw new Error(said);
    const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
    return Object.fromEntries(
      testResults.map(({ name, message, assertionResults }) => {
        const count = (wanted: string) => assertionResults.filter(({ status }) => status === wanted).length;
        const errors = [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)].filter(Boolean);
        const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
        return [basename(name), { ...counts, errors }];
      }),
    );
  }

  /** The cassettes of a test file, by their names. */
  cassettesOf(file: string): string[] {
    return readdirSync(join(this.folder, '__cassettes__', file)).sort();
  }

  get cassettes(): string[] {
    return this.cassettesOf('weather.test.js');
  }

  read(cassette: string, file = 'weather.test.js'): string {
    return readFileSync(join(this.folder, '__cassettes__', file, cassette), 'utf8');
  }
}

/** A test that asks for the weather. */
export const ONE: string = `test('the weather', async ({ mcp }) => {
  expect(await weather(await connect(mcp))).toBe('Oslo has 20 degrees celsius');
});
`;
