import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSession } from '../session/run.ts';
import { streamable1 } from './clients.ts';
import { constellations } from './constellations.ts';
import { record, replay } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-http-resumption-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const COME_BACK = { method: 'tools/call', params: { name: 'come-back' } } as const;

/** A client of SDK 1, on a session that there is already if it is named. */
async function connected(url: URL, sessionId?: string) {
  const transport = new StreamableHTTPClientTransport(url, sessionId === undefined ? {} : { sessionId });
  const client = new Client({ name: 'resuming', version: '1.0.0' });
  await client.connect(transport as Transport);
  return { client, transport };
}

describe('a session with a server that has an event store', () => {
  it('is taken over by another client of SDK 1, from the last event that the first had (resumptionToken)', async () => {
    const resumable = constellations.find(({ name }) => name.endsWith('resumable'))!;
    const file = join(folder, 'cassette.yaml');
    {
      await using far = await resumable.start();
      await using recorder = await record(far.url, file);
      await runSession(await streamable1(recorder.url), resumable.steps);
      await recorder.stop();
    }
    await using mock = await replay(file);
    const first = await connected(mock.url);
    const token = await new Promise<string>((resolve) => {
      first.client
        .request(COME_BACK, ResultSchema, { onresumptiontoken: resolve })
        // Its connection is closed under it: the answer is for the other client.
        .catch(() => {});
    });
    const { sessionId } = first.transport;
    await first.client.close();

    const second = await connected(mock.url, sessionId);
    const answer = await second.client.request(COME_BACK, ResultSchema, {
      resumptionToken: token,
    });
    expect(answer).toEqual({ content: [{ type: 'text', text: 'welcome back' }] });
    await second.transport.terminateSession();
    await second.client.close();
    expect(mock.said.filter((line) => line.includes('Cannot answer'))).toEqual([]);
  });
});
