/** What a recorder costs over HTTP, beside the direct connection and a reverse proxy that only forwards. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { OPENING } from './cassettes.js';
import { comparedInBatches, comparedInTurns, figure, LATENCIES, latencies, median } from './measure.js';

export const name = 'http';

const root = join(import.meta.dirname, '..');
const program = join(root, 'bin', 'mcp-record.js');
/** So many calls go before those that count: a connection is opened, and caches are cold. */
export const WARM_UP = 20;
/** Turns of 100 calls, each on connections of its own, that go before those that count: V8 has compiled by then what they need. */
const COMPILED = { before: 30, turns: 12 };
/** A program that just started. */
const NEW = { before: 0, turns: 5 };
const MEGABYTE = 1024 * 1024;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const rounds = quick ? 1 : 9;
  const scale = quick ? 0.1 : 1;
  const inTurns = (task, ratio = besideBare) =>
    comparedInTurns(
      rounds,
      each((contender) => () => through(contender, folder, task)),
      ratio,
    );
  const inBatches = (task, { before, turns }) =>
    comparedInBatches(
      quick ? { rounds: 1, turns: 3 } : { rounds: 5, turns },
      each((contender) => async () => {
        const { url, close } = await stand(contender, folder);
        for (let turn = 0; turn < before * scale; turn++) await task(url, 100);
        return { measure: () => task(url, 100), close };
      }),
      ({ direct, bare, recorder }) => (recorder - direct) / (bare - direct),
    );

  const json = await inBatches(jsonAnswers, COMPILED);
  const firstJson = await inBatches(jsonAnswers, NEW);
  const ticks = await inBatches(events, COMPILED);
  const firstTicks = await inBatches(events, NEW);
  const flood = await inTurns((url) => flooded(url, 50_000 * scale));
  const large = await inTurns((url) => largeAnswers(url, quick ? 2 : 5));
  const sessions = await inTurns((url) => manySessions(url, 100, quick ? 10 : 50));
  rmSync(folder, { recursive: true });
  return [
    ...addedLatencies('JSON answer', json),
    addedLatency('JSON answer, of the first 500', firstJson),
    ...addedLatencies('SSE event and its cue', ticks),
    addedLatency('SSE event and its cue, of the first 500', firstTicks),
    { what: 'events on one stream', unit: '1/s', ...flood, goal: '≥ 0.7' },
    { what: '10 MB SSE answer', unit: 'ms', ...large, goal: '≤ 2' },
    { what: '100 sessions at once', unit: 'calls/s', ...sessions },
  ];
}

const each = (map) =>
  Object.fromEntries(['direct', 'bare', 'recorder'].map((contender) => [contender, map(contender)]));

/** What a process between adds, usually and at worst. */
function addedLatencies(what, compared) {
  return LATENCIES.map((name) => addedLatency(what, compared, name, name === 'p50' ? '≤ 1.0' : undefined));
}

function addedLatency(what, { values, ratio }, name = 'p50', goal) {
  const { direct, bare, recorder } = figure(values, name);
  const added = { direct, bare: bare - direct, recorder: recorder - direct };
  return { what: `${what}, added ${name}`, unit: 'µs', values: added, ratio: ratio[name], goal };
}

function besideBare({ bare, recorder }) {
  return recorder / bare;
}

let cassettes = 0;
/** What stands between client and server, as a command. */
const BETWEEN = {
  bare: (url) => [join(root, 'bench', 'http-pipe.js'), url],
  recorder: (url, folder) => [program, 'record', ...listening(url), '-o', join(folder, `${cassettes++}.yaml`)],
  proxy: (url) => [program, 'proxy', ...listening(url)],
  'proxy with a rule': (url) => [program, 'proxy', ...listening(url), '--fault', 'latency:x/y:delay=0'],
};
const listening = (url) => ['--http', url, '--listen', '127.0.0.1:0'];

/** Does `task` with the address of a contender and its process id, as `stand` tells them. */
export async function through(contender, folder, task, options) {
  const { url, pid, close } = await stand(contender, folder, options);
  const result = await task(url, pid);
  await close();
  return result;
}

/** Starts a contender with `options` of `node`: `direct` is the server itself, all others stand before one. */
async function stand(contender, folder, options = []) {
  const server = await start(join(root, 'bench', 'http-server.js'));
  const processes = [server];
  if (contender in BETWEEN) processes.push(await start(...options, ...BETWEEN[contender](server.url, folder)));
  const { url, child } = processes.at(-1);
  const close = async () => {
    for (const { child } of processes.toReversed()) {
      child.kill();
      const [status] = await once(child, 'exit');
      if (status) throw new Error(`${contender} ended with status ${status}: what passed is not in the cassette`);
    }
  };
  return { url, pid: child.pid, close };
}

/** Starts a program, and waits for the address that it says. */
export async function start(...command) {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface(child.stderr)) {
    const [, url] = /listening on (\S+) for/.exec(line) ?? [];
    if (url) return { child, url };
  }
  throw new Error(`${command.join(' ')} does not listen`);
}

/** Asks, and gives the answer once its head is there. */
export function ask(url, agent, message, session) {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(session && { 'Mcp-Session-Id': session }),
    };
    request(url, { agent, method: 'POST', headers }, resolve)
      .on('error', reject)
      .end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  });
}

async function read(answer, onData = () => {}) {
  answer.on('data', onData);
  await once(answer, 'end');
}

export async function jsonAnswers(url, calls) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  for (let id = 0; id < calls + WARM_UP; id++) {
    const began = performance.now();
    await read(await ask(url, agent, { id, method: 'echo' }));
    if (id >= WARM_UP) times.push(performance.now() - began);
  }
  agent.destroy();
  return latencies(times);
}

/** The time from a notification of the client to the event that it brings about on an open stream. */
export async function events(url, count) {
  const agent = new Agent({ keepAlive: true });
  const stream = await ask(url, agent, { id: 'listen', method: 'listen' });
  const times = [];
  for (let id = 0; id < count + WARM_UP; id++) {
    const began = performance.now();
    const heard = once(stream, 'data');
    const said = ask(url, agent, { method: 'tick', params: { id } });
    await heard;
    if (id >= WARM_UP) times.push(performance.now() - began);
    await read(await said);
  }
  stream.destroy();
  agent.destroy();
  return latencies(times);
}

export async function flooded(url, count) {
  const agent = new Agent();
  let lines = 0;
  const began = performance.now();
  await read(await ask(url, agent, { id: 0, method: 'flood', params: { count } }), (data) => {
    for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) lines++;
  });
  const seconds = (performance.now() - began) / 1_000;
  if (lines !== (count + 1) * 2) throw new Error(`${lines / 2} events came of ${count + 1}`);
  return count / seconds;
}

export async function largeAnswers(url, calls) {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  for (let id = 0; id < calls; id++) {
    const began = performance.now();
    await read(await ask(url, agent, { id, method: 'large', params: { bytes: 10 * MEGABYTE } }));
    times.push(performance.now() - began);
  }
  agent.destroy();
  return median(times);
}

/** Opens sessions, and lets each make `calls` calls, one after the other, all sessions at once. */
export async function manySessions(url, count, calls) {
  const agent = new Agent({ keepAlive: true });
  const opened = await Promise.all(
    Array.from({ length: count }, async () => {
      const answer = await ask(url, agent, { id: 0, method: 'initialize', params: OPENING });
      await read(answer);
      return answer.headers['mcp-session-id'];
    }),
  );
  if (new Set(opened).size !== count) throw new Error(`${new Set(opened).size} sessions opened of ${count}`);
  const began = performance.now();
  await Promise.all(
    opened.map(async (session) => {
      for (let id = 1; id <= calls; id++) {
        const answer = await ask(url, agent, { id, method: 'echo' }, session);
        if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
        await read(answer);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  agent.destroy();
  return (count * calls) / seconds;
}
