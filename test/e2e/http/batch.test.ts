import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { record, replay, server } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-http-batch-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const add = (id: number, a: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'add', arguments: { a, b: 1 } },
});
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

/** Opens a session, asks in batches, and tells how each was answered. */
async function session(url: URL) {
  let own = {};
  const post = async (message: unknown) => {
    const headers = { ...HEADERS, ...own };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
    const id = response.headers.get('mcp-session-id');
    if (id !== null) own = { 'mcp-session-id': id };
    const text = await response.text();
    const data = [...text.matchAll(/^(?:data: )?([[{].*)$/gm)].flatMap(([, json]) => JSON.parse(json!));
    const isArray = text.startsWith('[');
    const sums = data.map((message) => [message.id, message.result?.content?.[0].text]).sort();
    return { status: response.status, type: response.headers.get('content-type'), isArray, sums };
  };
  await post(initialize);
  const said = [
    await post([initialized, initialized]),
    await post([add(1, 1), add(2, 2), initialized]),
    await post([add(3, 3)]),
  ];
  await fetch(url, { method: 'DELETE', headers: own });
  return said;
}

describe('batches of 2025-03-26', () => {
  it.each(['json', 'sse'])('that an SDK 1 server answers as %s are replayed as they were', async (form) => {
    const file = join(folder, `${form}.yaml`);
    await using far = await server('sdk-1.js', form);
    const direct = await session(far.url);
    {
      await using recorder = await record(far.url, file);
      expect(await session(recorder.url)).toEqual(direct);
      await recorder.stop();
    }
    await using mock = await replay(file);
    expect(await session(mock.url)).toEqual(direct);
    expect(direct.map(({ status }) => status)).toEqual([202, 200, 200]);
    expect(direct[1]!.sums).toEqual([
      [1, '2'],
      [2, '3'],
    ]);
    expect(mock.said.filter((line) => line.includes('Cannot answer'))).toEqual([]);
  });
});
