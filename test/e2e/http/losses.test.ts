import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
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

/** What a socket sees of one POST: what came, and how the connection ended. */
async function post({ hostname, port, pathname }: URL, message: object, headers: Record<string, string>) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  const all = {
    Host: `${hostname}:${port}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Content-Length': body.length,
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  socket.write(`POST ${pathname} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
  let heard = '';
  socket.on('data', (data) => {
    heard += data;
  });
  return new Promise<{ end: string; status?: string; text?: string }>((resolve) => {
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve({ end: code ?? 'error' }));
    socket.once('end', () => {
      const [top = '', text = ''] = heard.split('\r\n\r\n');
      resolve({ end: 'fin', status: top.split('\r\n', 1)[0]!, text });
    });
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

it.each(['closes', 'resets', 'closes-begun', 'closes-stream', 'cut', 'cut-stream'])(
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
    expect(direct).toMatchObject(how === 'resets' ? { end: 'ECONNRESET' } : { end: 'fin' });
    expect({ recorded, replayed }).toEqual({ recorded: direct, replayed: direct });
  },
);
