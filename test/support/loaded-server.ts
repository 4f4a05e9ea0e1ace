import type { LoadJson } from '../../src/load/load-report.ts';
import { streamable1 } from '../e2e/http/clients.ts';
import { type Listening, record, serve } from '../e2e/http/processes.ts';
import { mcpRecord } from './command.ts';
import { fixture, run } from './process.ts';

/** Starts a server with a flaw in every n-th call. Without arguments it has none. */
export const loadedServer = (...args: string[]): Promise<Listening> => serve(fixture('loaded.js', ...args), '/mcp');

/** Records a session of a client with a server that has no flaw: a list, and a call of each tool. */
export async function recordLoadedServer({ url }: Listening, cassette: string): Promise<void> {
  await using recorder = await record(url, cassette, '--timing', 'none');
  const client = await streamable1(recorder.url);
  await client.request('tools/list');
  await client.request('tools/call', { name: 'weather', arguments: { city: 'Oslo' } });
  await client.request('tools/call', { name: 'ping', arguments: {} });
  await client.close();
  await recorder.stop();
}

/** Loads a server for a second, with figures unless it is refused with status 2. */
export async function loadedForSecond(cassette: string, { href }: URL, options: readonly string[]) {
  const { status, stdout, stderr } = await run(
    mcpRecord('load', '--json', '--for', '1s', ...options, '--http', href, cassette),
  );
  return { status, stderr: stderr.toString(), json: (status === 2 ? {} : JSON.parse(stdout.toString())) as LoadJson };
}
