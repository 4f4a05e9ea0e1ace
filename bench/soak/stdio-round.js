import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { loadCassette } from '../../dist/cassette/read/load-cassette.js';
import { complaintOf } from '../complaint.js';
import { onLines } from './on-lines.js';
import { SECRET, safe } from './secret.js';

const root = join(import.meta.dirname, '..', '..');
const server = join(import.meta.dirname, 'stdio-server.js');
const ENDINGS = ['close', 'close', 'kill', 'exit', 'SIGTERM', 'SIGINT'];
const METHODS = ['echo', 'echo', 'echo', 'flood', 'junk', 'log', 'ask', 'notify'];
/**
 * One session of a random client with a recorded server, ended in a random way. Throws where the cassette is not what both
 * sides saw. Gives figures: how it ended, the messages, and those that a killed recorder had passed on and not written.
 */
export async function stdioRound(random, file) {
  const { recorder, sent, heard } = await converse(random, file);
  const { ending, count, isKilled } = recorder;
  // Its imports load while the server boots: killed by then, there is no cassette yet, or but its name. A signal kills, too, until
  // it is listened for, which is before anything is passed on.
  const isEarly = ending === 'kill' || (isKilled && heard.length === 0);
  if (isEarly && !statSync(file, { throwIfNoEntry: false })?.size)
    return { ending, messages: count + heard.length, lost: 0, early: 1 };
  const { events, end, warnings } = loadCassette(file);
  const cassette = { client: [], server: [] };
  for (const { frame } of events) {
    if (frame.kind === 'message') cassette[frame.from].push(frame.json.text);
    if (frame.kind === 'line' && frame.on === 'protocol') cassette[frame.from].push(frame.data);
  }
  const said = sent.map(safe);
  const answered = heard.map(safe);
  requirePrefix(cassette.client, said, `${ending}: client`);
  if (ending === 'close') requirePrefix(said, cassette.client, `${ending}: client, lost`);
  if (ending === 'kill') requirePrefix(cassette.server.slice(0, answered.length), answered, `${ending}: server`);
  else {
    requirePrefix(cassette.server, answered, `${ending}: server`);
    requirePrefix(answered, cassette.server, `${ending}: server, lost`);
    if (end !== 'complete' || warnings.length > 0)
      throw new Error(`${ending}: the cassette is not complete: ${warnings}`);
  }
  const lost = Math.max(0, answered.length - cassette.server.length);
  return { ending, messages: count + heard.length, lost, early: 0 };
}

async function converse(random, file) {
  const args = ['record', '-o', file, '--', process.execPath, server];
  const recorder = spawn(process.execPath, [join(root, 'bin', 'mcp-record.js'), ...args], {
    env: { ...process.env, SOAK_TOKEN: SECRET },
    stdio: 'pipe',
  });
  const complaint = complaintOf(recorder);
  const closed = once(recorder, 'close');
  recorder.stdin.on('error', () => {});
  const sent = [];
  const heard = [];
  const open = new Map();
  const say = (message) => {
    const line = JSON.stringify({ jsonrpc: '2.0', ...message });
    sent.push(line);
    recorder.stdin.write(`${line}\n`);
  };
  onLines(recorder.stdout, (line) => {
    heard.push(line);
    const message = parsed(line);
    if (message?.method === 'elicitation/create') say({ id: message.id, result: { action: 'decline' } });
    else if (message?.id !== undefined) {
      open.get(message.id)?.();
      open.delete(message.id);
    }
  });
  const ask = (id, method, params) =>
    new Promise((resolve) => {
      open.set(id, resolve);
      say({ id, method, params });
    });

  const ending = random.one(ENDINGS);
  const steps = 1 + random.below(60);
  const lanes = 1 + random.below(6);
  let id = 0;
  const lane = async () => {
    for (let step = 0; step < steps; step++) {
      const method = random.one(METHODS);
      const count = random.one([1, 5, 30, 200]);
      const data = random.below(10) === 0 ? `with ${SECRET} in it` : random.value();
      if (method === 'notify') say({ method: 'notifications/x', params: { data } });
      else await Promise.race([ask(id++, method, { count, data }), closed]);
      if (isOver()) return;
    }
  };
  const isOver = () => recorder.exitCode !== null || recorder.signalCode !== null;
  const talk = Promise.all(Array.from({ length: lanes }, lane));
  if (ending === 'kill') {
    let isSaid = false;
    void talk.then(() => {
      isSaid = true;
    });
    while (heard.length < 1 + (steps * lanes) / 2 && !isSaid && !isOver()) await turn();
    recorder.kill('SIGKILL');
  } else {
    await talk;
    if (ending === 'close') recorder.stdin.end();
    else if (ending === 'exit') say({ id: id++, method: 'exit', params: { status: 3 } });
    else recorder.kill(ending);
  }
  await closed;
  const isKilled = recorder.signalCode !== null;
  if (ending === 'close' && recorder.exitCode !== 0)
    throw new Error(`${ending}: the recorder ended with ${recorder.signalCode ?? recorder.exitCode}: ${complaint()}`);
  return { recorder: { ending, isKilled, count: sent.length }, sent, heard };
}

function turn() {
  return new Promise((resolve) => setImmediate(resolve));
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function requirePrefix(part, whole, what) {
  const wrong = part.findIndex((line, n) => line !== whole[n]);
  if (wrong >= 0) throw new Error(`${what}: message ${wrong} ${differenceOf(part[wrong], whole[wrong] ?? '')}`);
}

/** Where two texts begin to differ, with a little of what stands before. */
function differenceOf(is, should) {
  let at = 0;
  while (at < is.length && is[at] === should[at]) at++;
  const from = Math.max(0, at - 100);
  const around = (text) => JSON.stringify(text.slice(from, at + 100));
  return `differs at character ${at} of ${should.length}: it is ${around(is)} and should be ${around(should)}`;
}
