/** Writing and loading tapes, against what JSON costs for the same messages; and the memory that a long tape takes. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endText, eventText, headerText } from '../dist/cassette/emit.js';
import { loadCassette, parseCassette } from '../dist/cassette/load.js';

export const name = 'tape';

const HEADER = { format: 'mcp-record/1', recorder: 'mcp-record bench', transport: 'stdio' };

export async function run({ quick }) {
  const rounds = quick ? 5 : 25;
  const corpora = [
    ['real sessions', realSessions()],
    ['small calls', smallCalls(quick ? 2_000 : 10_000)],
    ['long texts', [answer('Lorem ipsum "dolor" sit amet,\nconsectetur.\n'.repeat(25_000))]],
    ['base64', [answer(Buffer.alloc(750_000, 'mcp').toString('base64'))]],
    ['other scripts', [answer('日本語のテキスト、😀 ключ. '.repeat(50_000))]],
  ];
  return [
    ...corpora.map(([what, lines]) => writing(what, lines, rounds)),
    ...corpora.map(([what, lines]) => loading(what, lines, rounds)),
    memory(quick ? 50_000 : 1_000_000),
  ];
}

function writing(what, lines, rounds) {
  const messages = lines.map((line) => JSON.parse(line));
  const frames = lines.map(frame);
  const buffer = Buffer.alloc(4 * lines.reduce((most, line) => Math.max(most, line.length), 0) + 1024);
  const values = interleaved(rounds, {
    json: () => {
      for (const message of messages) buffer.write(JSON.stringify(message), 0, 'utf8');
    },
    tape: () => {
      for (const each of frames) buffer.write(eventText(each), 0, 'utf8');
    },
  });
  return row(`write, ${what}`, values, 3, lines);
}

function loading(what, lines, rounds) {
  const json = Buffer.from(lines.join('\n'));
  const tape = Buffer.from(
    headerText(HEADER) +
      lines
        .map(frame)
        .map((each) => eventText(each))
        .join('') +
      endText('complete'),
  );
  const values = interleaved(rounds, {
    json: () => {
      const messages = [];
      for (const line of json.toString('utf8').split('\n')) messages.push(JSON.parse(line));
      return messages;
    },
    tape: () => parseCassette(tape, 'bench.yaml'),
  });
  return row(`load, ${what}`, values, 3.5, lines);
}

/** CPU time in µs a message, as medians of rounds that take turns. */
function interleaved(rounds, tasks) {
  const times = Object.fromEntries(Object.keys(tasks).map((key) => [key, []]));
  for (let round = -3; round < rounds; round++) {
    for (const [key, task] of Object.entries(tasks)) {
      const start = process.cpuUsage();
      task();
      const { user, system } = process.cpuUsage(start);
      if (round >= 0) times[key].push(user + system);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([key, list]) => [key, median(list)]));
}

function row(what, { json, tape }, limit, lines) {
  return {
    what,
    unit: 'µs CPU a message',
    values: { JSON: json / lines.length, 'mcp-record': tape / lines.length },
    ratio: tape / json,
    goal: `≤ ${limit} ×`,
  };
}

/** Writes and streams a tape of `count` events in a process of its own, and says how much memory that took at most. */
function memory(count) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  try {
    const script = join(import.meta.dirname, 'tape-memory.js');
    const peak = (...args) =>
      Number(
        execFileSync(process.execPath, [script, ...args, join(folder, 'tape.yaml')], { encoding: 'utf8' }),
      );
    peak('write', String(count));
    return {
      what: `stream ${count.toLocaleString('en')} events`,
      unit: 'MB resident',
      values: { node: peak('idle'), 'mcp-record': peak('stream', String(count)) },
      goal: '≤ 128',
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the sessions in `cassettes/` hold, as lines. */
function realSessions() {
  const folder = join(import.meta.dirname, '..', 'cassettes');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => loadCassette(join(folder, file)).events)
    .flatMap(({ frame }) => (frame.kind === 'message' ? [frame.json.text] : []));
}

function smallCalls(count) {
  return Array.from({ length: count }, (_, id) => [
    `{"method":"tools/call","params":{"name":"get-sum","arguments":{"a":${id},"b":2.5},"_meta":{"progressToken":8}},"jsonrpc":"2.0","id":${id}}`,
    `{"result":{"content":[{"type":"text","text":"The sum of ${id} and 2.5 is ${id + 2.5}."}],"structuredContent":{"sum":${id + 2.5}},"isError":false},"jsonrpc":"2.0","id":${id}}`,
  ]).flat();
}

function answer(text) {
  return JSON.stringify({ result: { content: [{ type: 'text', text }] }, jsonrpc: '2.0', id: 1 });
}

function frame(line) {
  return { kind: 'noise', on: 'protocol', at: 0, from: 'server', data: line };
}

function median(list) {
  return list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
}
