/**
 * How long a sweep takes of a client on an SDK, which hangs, crashes, leaks and lies somewhere, and whether it finds all four. How long
 * whole sweeps take, with all faults, of a client and of a server with a session of 60 messages.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const name = 'sweep';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'bin', 'mcp-record.js');
const plainServer = join(import.meta.dirname, 'calls-server.js');
const answeringServer = join(root, 'test', 'fixtures', 'answers-calls.js');
const client = join(root, 'test', 'fixtures', 'swept-sdk.js');
const FAULTS = 'stall,drop,end,cut,exit,half-close,truncate,corrupt,error-reply,wrong-id';
const PLANTED = ['hung', 'crashed', 'leaked', 'lied'];
/** How long the client waits for an answer: longer than a busy machine takes, where none is lost. */
const PATIENCE = '1500';
/** How long a run may take, and a quick one: each fault at the call where the client hangs takes as long. */
const DEADLINE = '6000';
const QUICK_DEADLINE = '3000';
/** Calls of a session of 60 messages, with its handshake: 29. */
const WHOLE_CALLS = 29;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const cassette = join(folder, 'calls.yaml');
  // The four are planted at the calls up to the ninth.
  const calls = quick ? 10 : 14;
  writeFileSync(cassette, recorded(calls));
  const faults = quick ? 'cut' : FAULTS;
  const rows = [];
  for (const [what, options, server] of [
    ['stdio', [], '{server}'],
    ['HTTP', ['--http'], '{url}'],
  ]) {
    const began = performance.now();
    const limit = ['--deadline', quick ? QUICK_DEADLINE : DEADLINE];
    const words = [...limit, ...options, '--faults', faults, '--json', cassette];
    const { results } = await sweep(words, String(calls), server);
    const seconds = (performance.now() - began) / 1_000;
    const missing = PLANTED.filter((verdict) => !results.some((result) => result.verdict === verdict));
    if (missing.length > 0) throw new Error(`The sweep over ${what} did not find: ${missing.join(', ')}.`);
    rows.push({
      what: `${results.length} points over ${what}, all four found`,
      unit: 's',
      values: { sweep: seconds },
      goal: '≤ 120',
    });
  }
  if (!quick) rows.push(...(await wholeSweeps(folder)));
  rmSync(folder, { recursive: true });
  return rows;
}

/** Sweeps with all faults, of a client and of a server on an SDK, over both transports. */
async function wholeSweeps(folder) {
  const cassette = join(folder, 'whole.yaml');
  writeFileSync(cassette, recorded(WHOLE_CALLS));
  const rows = [];
  const timed = async (what, run) => {
    const began = performance.now();
    const { results } = await run();
    const seconds = (performance.now() - began) / 1_000;
    const unit = { unit: 's', values: { sweep: seconds }, goal: '≤ 120' };
    rows.push({ what: `${results.length} points of a ${what}, all faults, 60 messages`, ...unit });
  };
  const calls = String(WHOLE_CALLS);
  await timed('client on an SDK over stdio', () => sweep(['--json', cassette], calls, '{server}'));
  await timed('client on an SDK over HTTP', () => sweep(['--http', '--json', cassette], calls, '{url}'));
  const ofServer = ['--server', '--json', cassette];
  await timed('server without an SDK over stdio', () => sweepWords([...ofServer, '--', process.execPath, plainServer]));
  await timed('server on an SDK over stdio', () => sweepWords([...ofServer, '--', process.execPath, answeringServer]));
  const running = spawn(process.execPath, [answeringServer, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [url] = await once(running.stdout.setEncoding('utf8'), 'data');
    await timed('server on an SDK over HTTP', () => sweepWords(['--http', ...ofServer, url.trim()]));
  } finally {
    running.kill();
  }
  return rows;
}

function sweep(options, calls, server) {
  return sweepWords([...options, '--', process.execPath, client, calls, server]);
}

async function sweepWords(words) {
  const child = spawn(process.execPath, [bin, 'sweep', ...words], {
    env: { ...process.env, PATIENCE },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  await once(child, 'close');
  return JSON.parse(text);
}

/** A session of `calls` calls. */
function recorded(calls) {
  const call = (n) => `
- client: { id: ${n}, method: tools/call, params: { name: call-${n} } }
- server: { id: ${n}, result: { content: [{ type: text, text: call-${n} }] } }`;
  return `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: calls, version: '1' } } }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: calls, version: "1" } } }
- client: { method: notifications/initialized }${Array.from({ length: calls }, (_, n) => call(n + 1)).join('')}
`;
}
