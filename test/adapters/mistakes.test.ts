import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { beforeAll, expect, it } from 'vitest';
import { replayTransport, type SdkTransport } from '../../src/adapters/sdk.ts';
import type { CassetteOwner } from '../../src/adapters/test/claim-test-cassette.ts';
import { serverTests } from '../../src/adapters/test/interaction-tests.ts';
import type { Mcp } from '../../src/adapters/test/mcp-types.ts';
import { openMcp } from '../../src/adapters/test/open-mcp-in-any-runner.ts';
import { withMcp } from '../../src/adapters/test/with-mcp.ts';
import { openSession } from '../../src/modes/open-session.ts';
import { capabilities } from '../e2e/session/answers.ts';
import { recordSession, server } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { fixture } from '../support/process.ts';

/** What people do wrong, and what they read then: `npx vitest run test/adapters/mistakes -u` writes it anew. */

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const tape = at('weather.yaml');
beforeAll(async () => {
  await recordSession(tape);
  // The lines of the cassette are the same on machines that are slow.
  writeFileSync(tape, readFileSync(tape, 'utf8').replaceAll(/^ {2}after: \d+\n/gm, ''));
});

async function connected(transport: SdkTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  await client.connect(transport as Transport);
  return client;
}

const call = (client: Client, name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: args }).catch(() => undefined);

/** A test whose client asks a recorded server, and does not mind what is answered. */
const asking = (...calls: [name: string, args: Record<string, unknown>][]) =>
  inTest(async (mcp) => {
    const client = await connected((await mcp.server(tape, { onUnused: 'report' })).transport);
    for (const [name, args] of calls) await call(client, name, args);
    await client.close();
  });

const inTest =
  (run: (mcp: Mcp) => Promise<unknown>, owner: CassetteOwner = { file: at('a.test.js'), names: ['a test'] }) =>
  () =>
    withMcp(owner, run);

const connecting = (options: object, to: object = server()) =>
  inTest((mcp) => mcp.connect(to as ReturnType<typeof server>, options));

function cassetteOf(name: string, text: string): string {
  writeFileSync(at(name), text);
  return at(name);
}

const HEAD = 'format: mcp-record/1\ntransport: stdio\nevents:\n';

const mistakes: [name: string, make: () => Promise<unknown>][] = [
  ['an unknown mode', connecting({ mode: 'reply' })],
  ['an unknown mode in the environment', connecting({ env: { MCP_RECORD: 'once' } })],
  ['no cassette under CI', connecting({ cassette: at('none.yaml'), env: { CI: 'true' } })],
  ['nothing to record', () => openSession({ cassette: at('none.yaml'), mode: 'record' })],
  ['another argument', asking(['weather', { city: 'Rome' }])],
  ['another tool', asking(['wether', { city: 'Oslo' }])],
  ['one call too many', asking(['weather', { city: 'Oslo' }], ['weather', { city: 'Oslo' }])],
  [
    'calls that are no longer made',
    inTest(async (mcp) => (await connected((await mcp.server(tape)).transport)).close()),
  ],
  [
    'two tests of one name',
    async () => {
      const file = at('twice.test.js');
      await openMcp({ file, names: ['same'], id: 'first' }).connect(server(), { mode: 'passthrough' });
      await openMcp({ file, names: ['same'], id: 'second' }).connect(server(), { mode: 'passthrough' });
    },
  ],
  [
    'a cassette that is no YAML',
    () => replay(cassetteOf('no-yaml.yaml', `${HEAD}- client: { method: ping\n- server: 7\n`)),
  ],
  [
    'a cassette with a mistyped event',
    () => replay(cassetteOf('typo.yaml', `${HEAD}- clint: { jsonrpc: "2.0", id: 1, method: ping }\n`)),
  ],
  [
    'a cassette of a later format',
    () => replay(cassetteOf('later.yaml', HEAD.replace('mcp-record/1', 'mcp-record/9'))),
  ],
  ['no cassette at all', () => replay(cassetteOf('notes.yaml', 'shopping:\n- milk\n'))],
  [
    'a folder for a cassette',
    () => {
      mkdirSync(at('folder.yaml'));
      return replay(at('folder.yaml'));
    },
  ],
  ['a command that is not there', connecting({ mode: 'record' }, { command: 'wether-server' })],
  [
    'a server that ends at once',
    async () => {
      const mcp = openMcp({ file: at('dies.test.js'), names: ['a test'] });
      await connected(await mcp.connect(fixture('drifts.js', 'crash', 'x'), { mode: 'record' }))
        .then((client) => call(client, 'weather', { city: 'Oslo' }))
        .catch(() => {});
      const dies = openMcp({ file: at('dies.test.js'), names: ['another'] });
      const broken = {
        command: process.execPath,
        args: ['-e', 'console.error("cannot find the database"); process.exit(1)'],
      };
      await connected(await dies.connect(broken, { mode: 'record' })).catch(() => {});
      await expect(mcp.finish({ passed: false })).rejects.toThrow('[RECORDING_KEPT]');
      await dies.finish({ passed: false });
    },
  ],
  [
    'a server that is not there',
    async () => {
      const mcp = openMcp({ file: at('nobody.test.js'), names: ['a test'] });
      await connected(await mcp.connect({ url: 'http://127.0.0.1:1/mcp' }, { mode: 'record' })).catch(() => {});
      await mcp.finish({ passed: false });
    },
  ],
  ['a URL that is none', connecting({ mode: 'record' }, { url: 'localhost/mcp' })],
  ['a fault that is none', inTest(async (mcp) => mcp.faults([{ do: 'dorp' }]))],
  ['a fault with a bad parameter', inTest(async (mcp) => mcp.faults([{ do: 'latency', delay: '5s' }]))],
  [
    'a fault that has no meaning here',
    inTest(async (mcp) => {
      await mcp.server(tape);
      mcp.faults([{ do: 'slice' }]);
    }),
  ],
  [
    'a fault that never happens',
    inTest(async (mcp) => {
      mcp.faults([{ do: 'cut', when: { tool: 'wether' } }]);
      await call(await connected((await mcp.server(tape)).transport), 'weather', { city: 'Oslo' });
    }),
  ],
  [
    'a client that is not closed',
    inTest(async (mcp) => {
      const { command, args } = await mcp.server(tape, { over: 'stdio', onUnused: 'report' });
      await connected(new StdioClientTransport({ command, args, stderr: 'ignore' }) as SdkTransport);
    }),
  ],
  ['a server that has changed', inTest((mcp) => mcp.client(tape, server('changed-text')))],
  ['a server that lost a tool', inTest((mcp) => mcp.client(tape, server('renamed-tool')))],
  [
    'a contract that is broken',
    async () => {
      for (const { run } of serverTests(tape, () => server('new-required-argument'))) await run();
    },
  ],
  [
    'a server that cannot be connected',
    inTest((mcp) =>
      mcp.client(tape, () => {
        throw new Error('no database');
      }),
    ),
  ],
  ['a message before the connection', () => replayTransport(tape).send({ jsonrpc: '2.0', method: 'ping' })],
];

const replay = (cassette: string) => openSession({ cassette, mode: 'replay' });

/** The text without what differs between machines and runs. */
function settled(text: string): string {
  return (
    text
      .replaceAll(folder, 'test')
      .replaceAll(join(import.meta.dirname, '..', '..'), '.')
      .replaceAll(process.execPath, 'node')
      // Windows.
      .replaceAll(/(?<=(?:test|\.)\S*)\\(?=\S)/g, '/')
      .replaceAll(/process \d+/g, 'process 4711')
      .replaceAll(/\b\d+ ms\b/g, '7 ms')
      .replaceAll(/in \d+\.\d s/g, 'in 0.1 s')
  );
}

/** What a runner draws, in short. */
function words(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

it.each(mistakes)('%s is told in words that help', async (name, make) => {
  const error: unknown = await make().then(
    () => 'Nothing was said.',
    (thrown: unknown) => thrown,
  );
  const { expected, actual } = error as { expected?: unknown; actual?: unknown };
  const drawn = expected === undefined ? '' : `\nexpected ${words(expected)}\nactual   ${words(actual)}\n`;
  const said = error instanceof Error ? `${error.message}\n${drawn}` : `${error}\n`;
  await expect(settled(said)).toMatchFileSnapshot(`__golden__/${name.replaceAll(/\W+/g, '-')}.txt`);
});
