import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { record, replay, server } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-losses-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const clientInfo = { name: 'c', version: '1' };
const OPEN = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };

/** What a client without a library sees of one POST: status, body, and how the connection ended. */
function post(url: URL, message: object, headers: Record<string, string> = {}) {
  const all = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  return new Promise<{ status?: number; text: string; end: string }>((resolve) => {
    let text = '';
    const asking = request(url, { method: 'POST', headers: all, agent: false }, (response) => {
      const { statusCode: status = 0 } = response;
      const over = (end: string) => resolve({ status, text, end });
      response.setEncoding('utf8').on('data', (data) => {
        text += data;
      });
      response.once('end', () => over('end'));
      response.once('error', (error: NodeJS.ErrnoException) => over(`${error.code} ${error.message}`));
    });
    asking.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ text, end: `${error.code} ${error.message}` }),
    );
    asking.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  });
}

/** How the call ends that the server does not survive, in a session of its own. */
async function called(url: URL) {
  const opened = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: OPEN }),
  });
  const session = opened.headers.get('mcp-session-id') ?? '';
  await opened.text();
  return post(url, { id: 1, method: 'tools/call', params: { name: 'first' } }, { 'mcp-session-id': session });
}

it.each(['closes', 'resets', 'closes-begun', 'closes-stream', 'resets-stream'])(
  'a connection that the server lost is lost alike by the recorder and in the replay: %s',
  async (how) => {
    await using far = await server('breaks.js', how);
    const direct = await called(far.url);
    const file = join(folder, `${how}.yaml`);
    await using recorder = await record(far.url, file);
    const recorded = await called(recorder.url);
    await recorder.stop();
    await using mock = await replay(file);
    const replayed = await called(mock.url);
    expect(direct.end).not.toBe('end');
    expect({ recorded, replayed }).toEqual({ recorded: direct, replayed: direct });
  },
);
