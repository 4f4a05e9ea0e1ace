import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import { replayTransport } from '../../../src/adapters/sdk.ts';
import { openMcp } from '../../../src/adapters/test/open-mcp-in-any-runner.ts';
import { replayOutcome } from '../../../src/replay/findings/replay-outcome.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { contract, overHttp } from './contract.ts';

const folder = temporaryFolder();
let starts = 0;

contract({
  name: 'a recorded server in this process',
  manyClients: false,
  async start(cassette) {
    const mock = await mockServer(cassette);
    return { transport: () => mock.transport, end: mock.finish };
  },
});

contract({
  name: 'a recorded server over HTTP',
  manyClients: true,
  async start(cassette) {
    const mock = await mockServer(cassette, { over: 'http' });
    return { url: mock.url, transport: overHttp(mock.url), end: mock.finish };
  },
});

contract({
  name: 'a recorded server as a command line',
  manyClients: true,
  async start(cassette) {
    const mock = await mockServer(cassette, { over: 'stdio' });
    const { command, args } = mock;
    return {
      transport: () => new StdioClientTransport({ command, args, stderr: 'ignore' }),
      end: mock.finish,
    };
  },
});

contract({
  name: 'a recorded server behind handlers, as a command line',
  manyClients: true,
  async start(cassette) {
    const mock = await mockServer({ over: 'stdio', cassette, handlers: [] });
    const { command, args } = mock;
    return {
      transport: () => new StdioClientTransport({ command, args, stderr: 'ignore' }),
      end: mock.finish,
    };
  },
});

contract({
  name: 'a cassette as a transport',
  manyClients: false,
  async start(cassette) {
    const transport = replayTransport(cassette);
    return { transport: () => transport, end: () => transport.outcome };
  },
});

contract({
  name: 'a session of a test',
  manyClients: false,
  async start(recorded) {
    // No two tests have one cassette.
    const cassette = join(folder, `${starts++}.yaml`);
    cpSync(recorded, cassette);
    const mcp = openMcp({ file: import.meta.filename, names: [cassette] });
    const options = { cassette, mode: 'replay', onMiss: 'report', onUnused: 'report' } as const;
    const transport = await mcp.connect({ command: 'never-started' }, options);
    const end = async () => {
      await mcp.finish({ passed: true });
      const { findings } = await mcp.sessions[0]!.finish({ passed: true });
      return replayOutcome(findings, { onUnused: 'report' });
    };
    return { transport: () => transport, end };
  },
});
