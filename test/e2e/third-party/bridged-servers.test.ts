import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableHTTPClientTransport as StreamableHttp2 } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerTo, called, GREEN } from '../../cli/commands/live/forks.ts';
import { type Command, mcpRecord, program } from '../../support/command.ts';
import { run } from '../../support/process.ts';
import { streamable1 } from '../http/clients.ts';
import { listen, record } from '../http/processes.ts';
import { client2Over } from '../session/client-2.ts';
import type { Peer } from '../session/peer.ts';
import { type Bridge, bridge } from './bridge.ts';
import { type Installed, install } from './installed.ts';

let folder: string;
let installed: Installed;
let states = 0;

const SDKS: [name: string, connect: (url: URL) => Promise<Peer>][] = [
  ['SDK 1', streamable1],
  ['SDK 2', (url) => client2Over(new StreamableHttp2(url))],
];

/** A server over stdio, calls that change its state, and one that shows the state. */
interface Served {
  /** The server in a state of its own. `empty` takes away what calls have changed. */
  fresh(): { command: Command; empty(): void };
  change(): Parameters<typeof called>;
  show(): Parameters<typeof called>;
  shown: string;
}

const graph = { name: 'Ada', entityType: 'person', observations: ['wrote the first program'] };
const SERVERS: [name: string, served: Served][] = [
  [
    'server-memory',
    {
      fresh() {
        const file = join(folder, `memory-${states++}.jsonl`);
        const server = program('@modelcontextprotocol/server-memory', 'dist/index.js');
        return { command: { ...server, env: { MEMORY_FILE_PATH: file } }, empty: () => rmSync(file) };
      },
      change: () => ['create_entities', { entities: [graph] }],
      show: () => ['read_graph'],
      shown: 'wrote the first program',
    },
  ],
  [
    'server-filesystem',
    {
      fresh() {
        const files = join(folder, 'files');
        const empty = () => {
          rmSync(files, { recursive: true, force: true });
          mkdirSync(files);
        };
        empty();
        return { command: program('@modelcontextprotocol/server-filesystem', 'dist/index.js', files), empty };
      },
      change: () => ['write_file', { path: join(folder, 'files', 'note.txt'), content: 'from the prefix' }],
      show: () => ['read_text_file', { path: join(folder, 'files', 'note.txt') }],
      shown: 'from the prefix',
    },
  ],
];

const textOf = async (peer: Peer, call: Parameters<typeof called>) =>
  JSON.stringify(await peer.request(...called(...call)));

describe.runIf(process.env.THIRD_PARTY)('a server over stdio that mcp-proxy serves over HTTP', () => {
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-record-bridged-')));
    installed = await install(folder);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true }), 60_000);

  describe.each(SERVERS)('%s', (server, { fresh, change, show, shown }) => {
    it.each(SDKS)('is forked by a client on %s, over HTTP on both sides', async (sdk, connect) => {
      const { command, empty } = fresh();
      const [cassette, file] = ['before', 'after'].map((part) => join(folder, `${server}-${sdk}-${part}.yaml`)) as [
        string,
        string,
      ];
      {
        await using far = await bridge(installed, command);
        await using recorder = await record(far.url, cassette);
        const peer = await connect(recorder.url);
        await peer.request(...called(...change()));
        await peer.close();
        await recorder.stop();
      }
      empty();
      {
        await using far = await bridge(installed, command);
        const words = ['--http', far.url.href, '--listen', '127.0.0.1:0', '-o', file, answerTo(cassette, change()[0])];
        await using fork = await listen(
          mcpRecord('fork', ...words),
          (line) => /(http:\/\/127\.0\.0\.1:\S+\/mcp)/.exec(line)?.[1],
        );
        const peer = await connect(fork.url);
        expect(await textOf(peer, show())).toContain(shown);
        await peer.close();
        await fork.stop();
      }
      empty();
      await using far = await bridge(installed, command);
      const { stdout, status } = await run(mcpRecord('verify', '--http', far.url.href, file));
      expect([status, stdout.toString()]).toEqual(GREEN);
    });

    it.each(SDKS)('is killed and started again under a client on %s', async (sdk, connect) => {
      const { command } = fresh();
      const file = join(folder, `${server}-${sdk}-restarted.yaml`);
      const bridges: Bridge[] = [await bridge(installed, command)];
      const [{ url, port }] = bridges as [Bridge];
      await using recorder = await record(url, file, '--restart-on', 'crash');
      const peer = await connect(recorder.url);
      await peer.request(...called(...change()));
      await bridges[0]![Symbol.asyncDispose]();
      const text = textOf(peer, show());
      bridges.push(await bridge(installed, command, port));
      expect(await text).toContain(shown);
      await peer.close();
      await recorder.stop();
      await bridges[1]![Symbol.asyncDispose]();
      const { stdout } = await run(mcpRecord('lint', file));
      expect(stdout.toString()).toContain('0 errors, 0 warnings');
    });
  });
});
