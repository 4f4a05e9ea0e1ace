/** How long a client that asks for the newest era first takes to connect to a cassette of the older one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const name = 'era';

const root = join(import.meta.dirname, '..');
const program = join(root, 'bin', 'mcp-record.js');
const cassette = join(root, 'cassettes', 'everything.yaml');

export async function run({ quick }) {
  const rounds = quick ? 1 : 11;
  const stdio = () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'replay', cassette],
      stderr: 'ignore',
    });
  const server = spawn(process.execPath, [program, 'replay', cassette, '--http', '--listen', '127.0.0.1:0']);
  const [line] = await once(createInterface({ input: server.stderr }), 'line');
  const url = new URL(/listening on (\S+)/.exec(line)[1]);
  const http = () => new StreamableHTTPClientTransport(url);
  try {
    return [
      row('auto, over stdio: two processes', await medians(rounds, stdio, 'auto'), '< 300 ms'),
      row('the same without the question', await medians(rounds, stdio, 'legacy')),
      row('auto, over HTTP', await medians(rounds, http, 'auto'), '< 300 ms'),
    ];
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

const row = (what, value, goal) => ({ what, unit: 'ms', values: { 'client 2.4.0': value }, goal });

async function medians(rounds, transport, mode) {
  const took = [];
  for (let round = 0; round < rounds; round++) {
    const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode } });
    const began = performance.now();
    await client.connect(transport());
    took.push(performance.now() - began);
    await client.close();
  }
  return took.sort((a, b) => a - b)[rounds >> 1];
}
