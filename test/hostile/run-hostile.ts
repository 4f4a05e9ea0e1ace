import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Row } from './command-rows.ts';
import type { HostileCassette } from './hostile-cassettes.ts';
import { PLANTED, PLANTED_NAME } from './hostile-values.ts';

/** Request that reached the named server. `broken`: bytes that were no request. */
export interface Received {
  method?: string;
  url?: string;
  host?: string;
  names?: string[];
  body?: string;
  broken?: string;
}

/** What a run did. */
export interface Ran {
  row: Row;
  name: string;
  /** Exit status, `hung`, or what was thrown. */
  status: number | string;
  stdout: string;
  stderr: string;
  /** Forbidden acts: connections, look-ups, processes, reads and writes that the command line does not name. */
  acts: string[];
  requests: Received[];
  /** Host and port of the named server. */
  host: string;
  /** Milliseconds. */
  cpu: number;
  /** Folder of what the run wrote. */
  out: string;
}

export interface Places {
  /** Folder of everything. */
  folder: string;
  /** Path of a good cassette. */
  good: string;
}

/** How long all tasks may take together, in milliseconds. */
const ROW_MAX = 280_000;

/** What every client asks, besides what the cassette's client does. */
const MESSAGES = [
  {
    jsonrpc: '2.0',
    id: 'm1',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  ...['ping', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'server/discover', 'x/y'].map(
    (method, index) => ({ jsonrpc: '2.0', id: `m${index + 2}`, method }),
  ),
  { jsonrpc: '2.0', id: 'm20', method: 'tools/call', params: { name: 'none', arguments: { a: '__proto__' } } },
].map((message) => JSON.stringify(message));

/** A row, and a cassette that it is run with. */
export interface Task {
  row: Row;
  cassette: HostileCassette;
}

/** Runs tasks in one process, one after the other. `trouble` says what did not end. */
export function runHostile(tasks: readonly Task[], { folder, good }: Places): { ran: Ran[]; trouble: string[] } {
  const here = join(folder, 'out');
  const [planFile, resultsFile] = [join(here, 'plan.json'), join(here, 'results.ndjson')];
  mkdirSync(here, { recursive: true });
  const runs = tasks.map(({ row, cassette: { name, bytes, index } }, number) => {
    const [command = ''] = row.title.split(/[ ,]/);
    const cassette = join(folder, 'in', String(index), 'cassette.yaml');
    const out = join(here, String(number));
    mkdirSync(dirname(cassette), { recursive: true });
    mkdirSync(join(out, dirname(row.copy ?? '.')), { recursive: true });
    // Shared by all rows: none may write it.
    if (!existsSync(cassette)) writeFileSync(cassette, bytes);
    if (row.copy) writeFileSync(join(out, row.copy), bytes);
    writeFileSync(join(out, 'hostile.scenario.yaml'), 'cassette: hostile.yaml\nplay: server\nexpect:\n  - exit: 0\n');
    const words: Record<string, string> = { F: row.copy ?? cassette, B: good };
    const args = [command, ...row.args.map((word) => words[word] ?? word)];
    return { name: `${row.title}, ${name}`, cassette, out, args, visits: row.visits, spawns: row.spawns };
  });
  const env = { [PLANTED_NAME]: PLANTED };
  writeFileSync(planFile, JSON.stringify({ runs, good, messages: MESSAGES, env }));
  writeFileSync(resultsFile, '');
  const driver = join(import.meta.dirname, 'run-plan.js');
  const log = join(here, 'driver.log');
  const output = openSync(log, 'w');
  // Files, since the program writes to pipes past what the driver watches.
  const ended = spawnSync(process.execPath, [driver, planFile, resultsFile], {
    timeout: ROW_MAX,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const lines = readFileSync(resultsFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const ran: Ran[] = lines
    .filter((line) => 'status' in line)
    .map((line, index) => ({ ...line, row: tasks[index]!.row, out: runs[index]!.out }));
  const last = lines.at(-1) ?? {};
  const trouble: string[] = [];
  if (last.over !== true)
    trouble.push(
      `did not end: ${last.begins ?? last.name}, ${ended.signal ?? ended.status} ${readFileSync(log, 'utf8').slice(0, 2_000)}`,
    );
  if (last.polluted) trouble.push('Object.prototype was polluted');
  if (ran.length !== tasks.length) trouble.push(`${ran.length} of ${tasks.length} ran`);
  return { ran, trouble };
}
