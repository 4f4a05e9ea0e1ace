import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/kernel/random.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { replay } from './processes.ts';

const CLIENTS = Number(process.env.HAMMER_CLIENTS ?? 24);
const SESSIONS_EACH = 3;
const CALLS = 12;
const SEED = Number(process.env.HAMMER_SEED ?? 20261121);
const PROTOCOL = '2025-11-25';
const folder = temporaryFolder();

const initialize = {
  method: 'initialize',
  params: { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const asking = (n: number) => ({ method: 'tools/call', params: { name: 'echo', arguments: { n } } });
const answering = (n: number) => ({ result: { content: [{ type: 'text', text: `echo ${n}` }] } });

/** A session that asks `CALLS` things, each over a stream of its own. */
function writeCassette(file: string): void {
  const event = (side: string, id: number, more: object) =>
    `- ${side}: ${JSON.stringify({ jsonrpc: '2.0', id, ...more })}\n  stream: ${id + 1}\n`;
  const opened = {
    result: {
      protocolVersion: PROTOCOL,
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
    },
  };
  const calls = Array.from({ length: CALLS }, (_, n) => n + 1);
  writeFileSync(
    file,
    [
      'format: mcp-record/1\ntransport: http\nurl: http://127.0.0.1:1/mcp\nevents:\n',
      `${event('client', 0, initialize)}${event('server', 0, opened)}  session: new\n`,
      ...calls.map((n) => event('client', n, asking(n)) + event('server', n, answering(n))),
    ].join(''),
  );
}

function post(url: URL, message: object, session?: string, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': PROTOCOL }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...(signal && { signal }),
  });
}

function shuffled(count: number, random: Random): number[] {
  const all = Array.from({ length: count }, (_, n) => n + 1);
  for (let left = all.length; left > 1; left--) {
    const taken = Math.floor(random() * left);
    [all[left - 1], all[taken]] = [all[taken]!, all[left - 1]!];
  }
  return all;
}

/** One session: all its calls at once and in any order, some left or cancelled. The ids are those of every other one. */
async function session(url: URL, random: Random): Promise<{ id: string; wrong: unknown[]; answered: number }> {
  const opened = await post(url, { id: 0, ...initialize });
  await opened.text();
  const id = opened.headers.get('mcp-session-id')!;
  const wrong: unknown[] = [];
  let answered = 0;
  const calls = shuffled(CALLS, random).map(async (n, at) => {
    const leaves = random() < 0.2;
    const cancels = random() < 0.1;
    const leave = new AbortController();
    const asked = post(url, { id: at, ...asking(n) }, id, leave.signal).then((answer) => answer.json());
    if (leaves || cancels) {
      const left = asked.catch(() => undefined);
      const cancelled = { method: 'notifications/cancelled', params: { requestId: at } };
      if (cancels) await (await post(url, cancelled, id)).text();
      leave.abort();
      await left;
      return;
    }
    const answer = await asked;
    answered++;
    const right = { jsonrpc: '2.0', id: at, ...answering(n) };
    if (JSON.stringify(answer) !== JSON.stringify(right)) wrong.push({ n, at, answer });
  });
  await Promise.all(calls);
  if (random() < 0.5) {
    const headers = { 'Mcp-Session-Id': id, 'MCP-Protocol-Version': PROTOCOL };
    await (await fetch(url, { method: 'DELETE', headers })).text();
  }
  return { id, wrong, answered };
}

it(`${CLIENTS} clients, ${SESSIONS_EACH} sessions each, with the same ids, leaving and cancelling as they like: who stays hears the answer to what was asked`, {
  timeout: 300_000,
}, async () => {
  const file = join(folder, 'hammered.yaml');
  writeCassette(file);
  await using mock = await replay(file);
  const all = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, who) => {
      const random = seededRandom(SEED, who);
      const sessions: Awaited<ReturnType<typeof session>>[] = [];
      for (let n = 0; n < SESSIONS_EACH; n++) sessions.push(await session(mock.url, random));
      return sessions;
    }),
  );
  const sessions = all.flat();
  expect(sessions.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(new Set(sessions.map(({ id }) => id)).size).toBe(CLIENTS * SESSIONS_EACH);
  const answered = sessions.reduce((sum, one) => sum + one.answered, 0);
  expect(answered).toBeGreaterThan((CLIENTS * SESSIONS_EACH * CALLS) / 2);
  // A miss would be said, and end it with 1.
  expect((await mock.stop()).status).toBe(0);
});
