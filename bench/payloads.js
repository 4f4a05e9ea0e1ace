/** What a recorder costs on what real servers send, by kind, beside a process that only forwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LineClient } from './line-client.js';
import { comparedInBatches, figure, mapValues } from './measure.js';
import { KINDS } from './payloads/kinds.js';
import { COMMANDS, MEGABYTE } from './stdio.js';

export const name = 'payloads';
export const isOnRequest = true;

/** Of what the messages of the cassettes in `cassettes/` have: the 90th of a hundred, and the 99th. */
const P90 = 420;
const P99 = 10_700;

const QUICK = { kinds: ['prose', 'logs with hashes', 'base64 image'], rounds: 1, turns: 2, scale: 0.1 };
const WHOLE = { kinds: Object.keys(KINDS), rounds: 3, turns: 5, scale: 1 };

export async function run({ quick }) {
  const { kinds, rounds, turns, scale } = quick ? QUICK : WHOLE;
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const server = [join(import.meta.dirname, 'payload-server.js')];
  const bare = () => COMMANDS.bare(server, folder);
  const recorder = () => COMMANDS.recorder(server, folder);
  const compared = (task, ratio) =>
    comparedInBatches(
      { rounds, turns },
      mapValues({ bare, recorder }, (command) => () => task(command())),
      ratio,
    );
  const rows = [];
  try {
    for (const kind of kinds) {
      for (const [bytes, calls] of [
        [P90, 4_000 * scale],
        [P99, 400 * scale],
      ]) {
        const { values, ratio } = await compared(
          (command) => calling64(command, { kind, bytes, calls }),
          (it) => it.recorder / it.bare,
        );
        const what = `${kind}, ${bytes} bytes`;
        rows.push({
          what: `${what}, 64 in flight`,
          unit: 'calls/s',
          values: figure(values, 'rate'),
          ratio: ratio.rate,
          goal: '≥ 0.8',
        });
        const cpu = figure(values, 'cpu');
        rows.push({
          what: `${what}, CPU a call`,
          unit: 'µs',
          values: cpu,
          ratio: cpu.recorder,
          ...(bytes === P90 && { goal: '≤ 7 µs' }),
        });
      }
      for (const [megabytes, goal] of quick
        ? [[1, '≤ 1.5']]
        : [
            [1, '≤ 1.5'],
            [10, '≤ 2'],
          ]) {
        const call = { kind, bytes: megabytes * MEGABYTE };
        const { values, ratio } = await compared(
          (command) => askingOne(command, call),
          (it) => it.recorder / it.bare,
        );
        rows.push({ what: `${kind}, ${megabytes} MB answers`, unit: 'ms', values, ratio, goal });
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return rows;
}

/** Calls of one kind with 64 in flight: calls in a second, and what each costs the contender, in µs. */
async function calling64(command, { kind, bytes, calls }) {
  const client = new LineClient(command);
  let n = 0;
  const call = () => client.say(n, 'tools/call', { name: 'read', arguments: { kind, bytes, n: n++ } });
  await inFlight(client, calls * 2, call);
  return {
    measure: async () => {
      const [began, before] = [performance.now(), client.cpu()];
      await inFlight(client, calls, call);
      return { rate: (calls * 1_000) / (performance.now() - began), cpu: (client.cpu() - before) / calls };
    },
    close: () => client.close(),
  };
}

function inFlight(client, calls, call) {
  let [sent, answered] = [0, 0];
  const more = () => {
    for (; sent < calls && sent - answered < 64; sent++) call();
  };
  return new Promise((resolve, reject) => {
    client.onEnd = reject;
    client.onLines = (lines) => {
      answered += lines;
      more();
      if (answered >= calls) resolve();
    };
    more();
  });
}

/** The time of one answer after the other, in ms. */
async function askingOne(command, { kind, bytes }) {
  const client = new LineClient(command);
  const ask = () => client.ask(0, 'tools/call', { name: 'read', arguments: { kind, bytes, n: 0 } });
  for (let n = 0; n < 3; n++) await ask();
  return {
    measure: async () => {
      const began = performance.now();
      await ask();
      await ask();
      return (performance.now() - began) / 2;
    },
    close: async () => {
      await client.close();
      if (client.bytes < bytes * client.lines) throw new Error(`${client.bytes} bytes came in ${client.lines} lines`);
      // Whoever writes gigabytes waits for the disk, which no session does.
      if (command.includes('-o')) rmSync(command[command.indexOf('-o') + 1]);
    },
  };
}
