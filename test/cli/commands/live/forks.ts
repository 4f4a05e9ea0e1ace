import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { loadCassette } from '../../../../src/cassette/read/load-cassette.ts';
import type { WireMessage } from '../../../e2e/session/peer.ts';
import { said, temporaryFolder } from '../../../support/cassette.ts';
import { type Command, mcpRecord, program } from '../../../support/command.ts';
import { run } from '../../../support/process.ts';

/** A folder for what servers write. */
export const folder: string = realpathSync(temporaryFolder());
let memories = 0;

export function forked(place: string, output: string, { command, args, env }: Command, ...options: string[]): Command {
  const words = mcpRecord('fork', '-o', output, ...options, place, '--', command, ...args);
  return { ...words, ...(env && { env }) };
}

/** server-memory with a memory of its own. */
export function memory(): Command {
  const server = program('@modelcontextprotocol/server-memory', 'dist/index.js');
  return { ...server, env: { MEMORY_FILE_PATH: join(folder, `memory-${memories++}.jsonl`) } };
}

export async function verified(file: string, { command, args, env }: Command, ...options: string[]) {
  const verify = mcpRecord('verify', ...options, file, '--', command, ...args);
  const { stdout, status } = await run({ ...verify, ...(env && { env }) });
  return [status, stdout.toString()];
}

export const GREEN: unknown[] = [0, expect.stringMatching(/\n\d+ passed in [\d.]+ s\n$/)];
export const called = (name: string, args: object = {}) => ['tools/call', { name, arguments: args }] as const;

/** `FILE:LINE` of the answer to the first call of a tool. */
export function answerTo(file: string, tool: string): string {
  const { events } = loadCassette(file);
  const messages = events.map(({ frame }) => (frame.kind === 'message' ? (frame.json.value as WireMessage) : {}));
  const at = messages.findIndex(({ params }) => params?.name === tool);
  const answer = events.find(
    ({ frame: { from } }, n) => n > at && from === 'server' && messages[n]!.id === messages[at]!.id,
  );
  return `${file}:${answer!.line}`;
}

export function requestsOf(file: string): WireMessage[] {
  return said(file).flatMap(([who, what]) => {
    const message = what as WireMessage;
    return who === 'client' && message.method !== undefined && message.id !== undefined ? [message] : [];
  });
}

/** Its tool `open` makes up an id, and says it beside a secret. `read` takes the id. */
export const OPENS = `
const id = 'sess-' + require('crypto').randomBytes(6).toString('hex');
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const text = (text) => ({ content: [{ type: 'text', text }] });
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id: request, method, params } = JSON.parse(line);
  if (request === undefined) return;
  if (method === 'initialize')
    return say({ id: request, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'opens', version: '1' } } });
  if (method !== 'tools/call') return say({ id: request, result: { tools: [] } });
  if (params.name === 'open') return say({ id: request, result: text('Session ' + id + ' is open. API key: ghp_' + 'k3Lm9Qx2Rt7Vw4Yz8Ab5Cd1Ef6Gh0Jn3Pq8S') });
  say({ id: request, result: text(params.arguments.session === id ? 'three notes' : 'no such session') });
});`;
