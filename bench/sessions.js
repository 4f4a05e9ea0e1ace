/**
 * `node bench/sessions.js [--sessions N] [--connections N] [--json]`: opens N sessions through one recorder over HTTP, and only then
 * lets each of them ask, twice. Each must have one whole cassette with what it asked and heard, and nothing of another. Says what
 * that took of the recorder's memory and descriptors; exits with 1 at the first thing that is lost or mixed up.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { loadCassette } from '../dist/cassette/read/load-cassette.js';

const { values: options } = parseArgs({
  options: {
    sessions: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
});
const ROUNDS = 2;
const who = Array.from({ length: Number(options.sessions) }, (_, n) => n);
const folder = mkdtempSync(join(tmpdir(), 'mcp-record-sessions-'));

const server = createServer(async (asked, answer) => {
  const { id, method, params } = JSON.parse(await text(asked));
  const session = asked.headers['mcp-session-id'] ?? randomUUID();
  const result =
    method === 'initialize'
      ? {
          protocolVersion: '2025-11-25',
          capabilities: {},
          serverInfo: { name: 's', version: '1' },
        }
      : { ...params, session };
  answer
    .writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': session })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
server.keepAliveTimeout = 600_000;

const recorder = spawn(
  process.execPath,
  [
    join(import.meta.dirname, '..', 'bin', 'mcp-record.js'),
    'record',
    '--http',
    `http://127.0.0.1:${server.address().port}/mcp`,
    '-o',
    `${folder}/`,
  ],
  { stdio: ['ignore', 'ignore', 'pipe'] },
);
const troubles = [];
const url = await new Promise((resolve) => {
  createInterface({ input: recorder.stderr }).on('line', (line) => {
    const found = /listening on (\S+) for/.exec(line)?.[1];
    if (found) resolve(found);
    else if (!/recording to | → /.test(line)) troubles.push(line);
  });
});
const agent = new Agent({ keepAlive: true, maxSockets: Number(options.connections) });

const begin = performance.now();
const before = held();
const most = { megabytes: 0, descriptors: 0 };
const sessions = await all(async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  return (await post({ id: 0, method: 'initialize', params })).session;
});
for (let round = 1; round <= ROUNDS; round++) {
  await all(async (n) => {
    const { result } = await post({ id: round, method: 'whoami', params: { who: n, round } }, sessions[n]);
    if (result.who !== n || result.session !== sessions[n]) throw new Error(`${n} hears ${result.who}`);
  });
}
const seconds = (performance.now() - begin) / 1000;
agent.destroy();
recorder.kill('SIGTERM');
const status = await new Promise((resolve) => recorder.once('close', resolve));
server.closeAllConnections();
server.close();

const owners = new Set();
for (const name of readdirSync(folder)) {
  const cassette = loadCassette(join(folder, name));
  const messages = cassette.events.flatMap(({ frame }) => (frame.kind === 'message' ? [frame.json.value] : []));
  const own = new Set(messages.flatMap(({ params, result }) => params?.who ?? result?.who ?? []));
  if (own.size !== 1 || cassette.end === undefined || messages.length !== 2 * (ROUNDS + 1))
    throw new Error(`${name}: ${messages.length} messages of ${[...own].join(' and ')}, end ${cassette.end}`);
  owners.add(...own);
}
rmSync(folder, { recursive: true });
const summary = {
  sessions: who.length,
  cassettes: owners.size,
  messages: who.length * 2 * (ROUNDS + 1),
  seconds: Math.round(seconds),
  megabytes: { before: before.megabytes, most: most.megabytes },
  descriptors: { before: before.descriptors, most: most.descriptors },
  status,
  troubles: troubles.length,
};
console.log(
  options.json
    ? JSON.stringify(summary)
    : Object.entries(summary)
        .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
        .join('\n'),
);
if (troubles.length > 0) console.error(troubles.slice(0, 5).join('\n'));
process.exitCode = owners.size === who.length && status === 0 && troubles.length === 0 ? 0 : 1;

/** Does `task` for each session, as many at once as there are connections. */
async function all(task) {
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < who.length) {
      const n = next++;
      results[n] = await task(n);
      if (n % 100 === 0) watch();
    }
  };
  await Promise.all(Array.from({ length: agent.maxSockets }, work));
  watch();
  return results;
}

function watch() {
  const { megabytes, descriptors } = held();
  most.megabytes = Math.max(most.megabytes, megabytes);
  most.descriptors = Math.max(most.descriptors, descriptors);
}

/** What the recorder holds now (Linux; elsewhere nothing is known). */
function held() {
  try {
    const resident = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${recorder.pid}/status`, 'utf8'))?.[1];
    return {
      megabytes: Math.round(Number(resident) / 1024),
      descriptors: readdirSync(`/proc/${recorder.pid}/fd`).length,
    };
  } catch {
    return { megabytes: 0, descriptors: 0 };
  }
}

function post(message, session) {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(session && { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-11-25' }),
  };
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: 'POST', agent, headers }, (response) => {
      text(response).then(
        (body) => resolve({ session: response.headers['mcp-session-id'], ...JSON.parse(body) }),
        reject,
      );
    });
    asking.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  });
}
