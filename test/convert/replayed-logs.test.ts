import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { sourceOf } from '../../src/convert/formats.ts';
import { cassetteText } from '../../src/convert/to/cassette.ts';
import { isRequest, isResponse } from '../../src/protocol/message.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { replayed } from '../support/command.ts';

const folder = temporaryFolder();
const fixtures = join(import.meta.dirname, '..', 'fixtures', 'convert');

/** Calls of tools that the file has, with their results. */
function callsIn(path: string) {
  const input = { file: path, text: readFileSync(join(fixtures, path), 'utf8') };
  const text = cassetteText(sourceOf(input)!.read(input), 'mcp-record 0');
  const values = parseCassette(text, path).events.flatMap(({ frame }) =>
    frame.kind === 'message' ? [frame.json.value] : [],
  );
  const calls = values.flatMap((value) => {
    if (!isRequest(value) || value.method !== 'tools/call') return [];
    const answer = values.find((other) => isResponse(other) && other.id === value.id) as { result: unknown };
    return [{ params: value.params as { name: string; arguments: Record<string, unknown> }, result: answer.result }];
  });
  return { text, calls };
}

/** A recording that mcporter 0.12.3 made of server-everything, and logs that were put together from public issues (from.test.ts names them). */
it.each([
  ['cassettes/mcporter.ndjson', 5],
  ['vscode.log', 1],
  ['claude-desktop.log', 1],
])('%s is replayed to an SDK client with the results that it has', async (path, count) => {
  const { text, calls } = callsIn(path);
  expect(calls).toHaveLength(count);
  const file = join(folder, `${path.replace('/', '-')}.yaml`);
  writeFileSync(file, text);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ ...replayed(file), stderr: 'ignore' }));
  await client.listTools();
  for (const { params, result } of calls) expect(await client.callTool(params)).toEqual(result);
  await client.close();
});
