// Runs many command lines of the program in one process, each with the cassette of a stranger, and writes down what each did.
// Usage: node run-plan.js PLAN RESULTS. See run-hostile.ts for both files.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { endAll, install, own, run } from './traps.js';
import { act } from './visitor.js';

const [, , planFile, resultsFile] = process.argv;
const plan = JSON.parse(own.readFileSync(planFile, 'utf8'));
const note = (line) => own.appendFileSync(resultsFile, `${JSON.stringify(line)}\n`);

/** How long a run may last, in milliseconds. Those that wait for a live server wait much less. */
const RUN_MAX = 20_000;

class Exit extends Error {}

/** What the run that is under way shows. */
let shown;
let ended;
const stream = (name) => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      shown?.hear(name, chunk);
      done();
    },
  });
  sink.on('error', () => {});
  return sink;
};
function standardStreams(input) {
  const stdin = new PassThrough();
  stdin.end(input);
  for (const [name, value] of [
    ['stdin', stdin],
    ['stdout', stream('stdout')],
    ['stderr', stream('stderr')],
  ])
    Object.defineProperty(process, name, { get: () => value, configurable: true });
}
process.exit = (status) => {
  ended?.(status ?? process.exitCode ?? 0);
  throw new Exit();
};
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => {
    if (error instanceof Exit) return;
    run.acts.push(`${event}: ${error?.stack}`);
    ended?.(-1);
  });

// The server that commands are given: it answers everything, and remembers what came.
const requests = [];
const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('error', () => {});
  request.on('end', () => {
    const { method, url, headers } = request;
    const body = Buffer.concat(chunks).toString();
    requests.push({ method, url: url.slice(0, 300), host: headers.host, names: Object.keys(headers), body });
    answer(body, method, response);
  });
});
server.on('clientError', (error, socket) => {
  // A run that is over leaves its connections as they are. A header may be longer than this server takes.
  if (!['ECONNRESET', 'HPE_HEADER_OVERFLOW'].includes(error.code)) requests.push({ broken: error.code });
  socket.destroy();
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const named = `127.0.0.1:${server.address().port}`;

const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  serverInfo: { name: 'a', version: '1' },
};

function answer(body, method, response) {
  if (method === 'GET') return response.writeHead(405).end();
  let message;
  try {
    message = JSON.parse(body);
  } catch {
    return response.writeHead(400).end();
  }
  if (message?.id === undefined || message.method === undefined) return response.writeHead(202).end();
  const result = message.method === 'initialize' ? INITIALIZED : {};
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
}

install();
Object.assign(process.env, plan.env);
const listeners = new Map(process.eventNames().map((name) => [name, process.listeners(name)]));
standardStreams('');
const root = path.join(import.meta.dirname, '..', '..');
const { main } = await import(pathToFileURL(path.join(root, 'dist', 'bin', 'main.js')).href);
const { loadCassette } = await import(
  pathToFileURL(path.join(root, 'dist', 'cassette', 'read', 'load-cassette.js')).href
);

/** Messages that the cassette's client says, and then some of any client. */
function clientMessages(file) {
  try {
    return loadCassette(file)
      .events.flatMap(({ frame }) => (frame.kind === 'message' && frame.from === 'client' ? [frame.json.text] : []))
      .slice(0, 40);
  } catch {
    return [];
  }
}

for (const one of plan.runs) {
  const { name, cassette, out } = one;
  note({ begins: name });
  const messages = one.visits === undefined ? [] : [...clientMessages(cassette), ...plan.messages];
  own.mkdirSync(path.join(out, 'tmp'), { recursive: true });
  if (one.copies) for (const [from, to] of one.copies) fs.copyFileSync(from, to);
  process.chdir(out);
  process.env.TMPDIR = path.join(out, 'tmp');
  standardStreams(one.visits === 'stdio' ? messages.map((text) => `${text}\n`).join('') : '');
  process.exitCode = undefined;
  requests.length = 0;
  const result = { name, stdout: '', stderr: '' };
  shown = {
    text: (stream) => result[stream],
    hear(stream, chunk) {
      result[stream] += Buffer.from(chunk).toString('utf8');
      this.heard?.();
    },
  };
  Object.assign(run, {
    acts: [],
    ports: new Set([server.address().port]),
    spawns: one.spawns ?? [],
    writable: [out],
    readable: [root, path.dirname(cassette), plan.good, process.execPath],
    isWatched: true,
  });
  const cpu = process.cpuUsage();
  let timer;
  const status = new Promise((resolve) => {
    ended = resolve;
    timer = setTimeout(resolve, RUN_MAX, 'hung');
  });
  const args = one.args.map((word) => word.replaceAll('NAMED', named));
  const over = main(['node', 'mcp-record', ...args]).then(
    () => ended(process.exitCode ?? 0),
    (error) => error instanceof Exit || ended(`rejected: ${error?.stack}`),
  );
  if (one.visits !== undefined && one.visits !== 'stdio')
    act(one.visits, shown, messages).catch((error) => run.acts.push(`visitor: ${error?.stack}`));
  result.status = await status;
  clearTimeout(timer);
  shown = undefined;
  // An exit is thrown here, and the program may answer it with another one, which is not that of the next run.
  ended = () => {};
  if (result.status !== 'hung') await over;
  const used = process.cpuUsage(cpu);
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  endAll();
  run.isWatched = false;
  note({
    ...result,
    acts: run.acts,
    requests,
    host: named,
    cpu: Math.round((used.user + used.system) / 1_000),
  });
  for (const event of process.eventNames()) {
    for (const listener of process.listeners(event))
      if (!listeners.get(event)?.includes(listener)) process.off(event, listener);
  }
}
note({ over: true, polluted: {}.polluted ?? null });
process.reallyExit(0);
