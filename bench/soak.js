/**
 * `node bench/soak.js [--minutes N] [--rounds N] [--seed N] [--json]`: random conversations with random ends through recorders, over stdio
 * and over HTTP, until the time is over. Stops at the first thing that is lost, mixed up, or not as both sides saw it, and
 * says seed and round; exits with 1. The recorder over HTTP is one for all rounds: its memory and descriptors must stay flat.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { httpRound } from './soak/http-round.js';
import { startServer } from './soak/http-server.js';
import { Random } from './soak/random.js';
import { SECRET } from './soak/secret.js';
import { stdioRound } from './soak/stdio-round.js';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    rounds: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    json: { type: 'boolean', default: false },
  },
});
const MINUTE = 60_000;
/** What the recorder may have grown by since it was warm. */
const GROWTH_MAX = { megabytes: 48, descriptors: 16 };
const WARM_ROUNDS = 20;
const seed = Number(options.seed);
const until = Date.now() + Number(options.minutes) * MINUTE;
const folder = mkdtempSync(join(tmpdir(), 'mcp-record-soak-'));
const cassettes = join(folder, 'http');
mkdirSync(cassettes);

const server = await startServer();
const recorder = spawn(
  process.execPath,
  [join(import.meta.dirname, '..', 'bin', 'mcp-record.js'), 'record', '--http', server.url, '-o', `${cassettes}/`],
  { env: { ...process.env, SOAK_TOKEN: SECRET }, stdio: ['ignore', 'ignore', 'pipe'] },
);
const url = await new Promise((resolve) => {
  createInterface({ input: recorder.stderr }).on('line', (line) => {
    const found = /listening on (\S+) for/.exec(line)?.[1];
    if (found) resolve(found);
  });
});

const total = {
  seed,
  rounds: 0,
  stdioSessions: 0,
  httpSessions: 0,
  messages: 0,
  kills: 0,
  killedBeforeCassette: 0,
  lostAtKillMax: 0,
};
let warm;
let failure;
let nextWord = Date.now() + MINUTE;
try {
  while (Date.now() < until && total.rounds < Number(options.rounds)) {
    const random = new Random(seed * 1_000_003 + total.rounds);
    const file = join(folder, 'stdio.yaml');
    const stdio = await stdioRound(random, file);
    rmSync(file, { force: true });
    const http = await httpRound(random, url, cassettes, total.rounds);
    total.rounds++;
    total.stdioSessions++;
    total.httpSessions += http.sessions;
    total.messages += stdio.messages + http.messages;
    total.kills += stdio.ending === 'kill' ? 1 : 0;
    total.killedBeforeCassette += stdio.early > 0 ? 1 : 0;
    total.lostAtKillMax = Math.max(total.lostAtKillMax, stdio.lost);
    if (total.rounds === WARM_ROUNDS) warm = await held(recorder.pid);
    if (Date.now() > nextWord) {
      console.error(`${total.rounds} rounds, ${total.messages} messages, ${JSON.stringify(await held(recorder.pid))}`);
      nextWord += MINUTE;
    }
  }
  total.recorder = { warm, last: await held(recorder.pid) };
  for (const [what, most] of Object.entries(GROWTH_MAX)) {
    const growth = warm === undefined ? 0 : total.recorder.last[what] - warm[what];
    if (growth > most) throw new Error(`the recorder has grown by ${growth} ${what}`);
  }
} catch (error) {
  failure = error;
}
recorder.kill('SIGKILL');
server.close();
rmSync(folder, { recursive: true, force: true });

console.log(
  options.json
    ? JSON.stringify(total)
    : Object.entries(total)
        .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
        .join('\n'),
);
if (failure !== undefined) {
  console.error(
    `round ${total.rounds} of seed ${seed} failed: ${failure.stack}${failure.cause ? `\n${failure.cause.stack}` : ''}`,
  );
  process.exitCode = 1;
}

/**
 * What the recorder holds now (Linux; elsewhere nothing is known). Its clients keep as many connections as they once needed at a
 * time, and each is two of its descriptors: those are not its own.
 */
async function held(pid) {
  const kept = 2 * (await server.connections());
  try {
    const resident = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return {
      megabytes: Math.round(Number(resident) / 1024),
      descriptors: readdirSync(`/proc/${pid}/fd`).length - kept,
      kept,
    };
  } catch {
    return { megabytes: 0, descriptors: 0 };
  }
}
