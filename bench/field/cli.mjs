/** Helpers of drivers whose client is a program: each step is one run of it, or it stands between our client and the server. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { folderOf, load } from './installed.mjs';

/** Returns the command line of a program of a package. */
export const program = (subject, file, ...args) => [
  process.execPath,
  join(folderOf(subject), 'node_modules', file),
  ...args,
];

/** Runs a program, and returns what it prints. Throws its standard error if it fails. */
export async function print([command, ...args]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', (status, signal) => resolve(signal ?? status)));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (status !== 0) throw new Error(withoutMock(stderr) || stdout || `status ${status}`);
  return stdout || stderr;
}

/** Returns a standard error without the lines of the mock server, which a client hands on. */
const withoutMock = (text) => text.replaceAll(/^mcp-record: .*(?:\n {4}.*)*$/gm, '').trim();

/** Returns the steps of a client of the official SDK, in front of a bridge: `command` if the bridge speaks stdio, or `url`. */
export async function sdkInFront({ subject, command: words, url, timeout }) {
  const { Client } = await load(subject, '@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await load(subject, '@modelcontextprotocol/sdk/client/stdio.js');
  const { StreamableHTTPClientTransport } = await load(subject, '@modelcontextprotocol/sdk/client/streamableHttp.js');
  const options = { timeout, onprogress: () => {} };
  const client = new Client({ name: 'field', version: '1.0.0' });
  const transport = url
    ? new StreamableHTTPClientTransport(new URL(url))
    : new StdioClientTransport({ command: words[0], args: words.slice(1), stderr: 'ignore' });
  return {
    open: () => client.connect(transport, options),
    list: () => client.listTools(undefined, options),
    call: (tool, args) => client.callTool({ name: tool, arguments: args }, undefined, options),
    close: () => client.close(),
  };
}

/** Returns a port that is free now. */
export async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

/** Starts a bridge that listens, and waits until it accepts connections. Returns a function that ends it with SIGTERM and waits. */
export async function listening([command, ...args], url) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  for (let left = 600; child.exitCode === null && left > 0; left--) {
    try {
      await fetch(url, { method: 'OPTIONS' });
      return stop;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  await stop();
  throw new Error('the bridge does not listen');
}
