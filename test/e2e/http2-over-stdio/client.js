#!/usr/bin/env node
/**
 * `client.js URL` or `client.js -- COMMAND ARG…`: a client of revision 2026-07-28 on the official SDK, over HTTP, or over
 * HTTP/2 on the standard streams of a server that it starts. Prints what it got.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fetchOn, ORIGIN, startServer } from './pipes.js';

const [first, ...command] = process.argv.slice(2);
const started = first === '--' ? startServer(command) : undefined;
const url = new URL(started ? `${ORIGIN}/mcp` : first);
const transport = new StreamableHTTPClientTransport(url, started && { fetch: fetchOn(started.session) });
const client = new Client(
  { name: 'over-pipes', version: '1' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
const call = (name, args = {}, options = undefined) => client.callTool({ name, arguments: args }, options);

await client.connect(transport);
const tools = await client.listTools();
const sums = await Promise.all([call('add', { a: 1, b: 2 }), call('add', { a: 3, b: 4 })]);
const progress = [];
const counted = await call('count', { to: 3 }, { onprogress: (one) => progress.push(one) });
const abort = new AbortController();
const cancelled = await call('waits', {}, { signal: abort.signal, onprogress: () => abort.abort() }).catch(
  ({ message }) => message,
);
const echo = await call('echo', { message: 'the connection is still there' });
const fails = await call('fails').catch(({ message }) => message);
await client.close();
if (started) {
  started.session.close(() => started.child.stdin.end());
  if (started.child.exitCode === null) await new Promise((resolve) => started.child.once('exit', resolve));
}
console.log(
  JSON.stringify({ tools: tools.tools.map(({ name }) => name), sums, progress, counted, cancelled, echo, fails }),
);
