import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCassette } from '../cassette/load.ts';
import type { Fired } from '../faults/misbehaviour.ts';
import { PROGRAM } from '../kernel/package.ts';
import { rulesFor } from '../modes/misbehaving.ts';
import type { Finding } from '../replay/finding.ts';
import type { Timing } from '../replay/timing.ts';
import type { StdioOptions, StdioServer } from './mock-server.ts';
import { type ReplayOutcome, replayOutcome } from './replay-outcome.ts';
import { WrittenFaults } from './written-faults.ts';

/**
 * The command line of a recorded server. Each process that is started so tells what it found in a file, so that the test
 * that owns it hears of it; one that nobody ended is ended, and fails the test.
 * @throws McpRecordError those of `loadCassette`
 */
export function startableServer(cassette: string, options: StdioOptions): StdioServer {
  // What is wrong with it is to be said here, and not by a process that nobody listens to.
  loadCassette(cassette);
  const { timing = 'instant', ignore = [], faults = [], seed = 0 } = options;
  const rules = rulesFor(faults, 'stdio');
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-server-'));
  const file = join(folder, 'findings.jsonl');
  writeFileSync(file, '');
  const misbehaviour = new WrittenFaults(join(folder, 'faults.json'), seed);
  misbehaviour.use(rules);
  const told = () => readFileSync(file, 'utf8').split('\n').filter(Boolean).map(lineOf);
  let all: readonly Told[] | undefined;
  let outcome: ReplayOutcome | undefined;
  const finish = async () => {
    if (outcome) return outcome;
    all = told();
    rmSync(folder, { recursive: true, force: true });
    outcome = judged(all, misbehaviour.unfired(all), options);
    return outcome;
  };
  return {
    cassette,
    command: process.execPath,
    args: [
      ...[
        PROGRAM,
        'replay',
        '--findings',
        file,
        '--live-faults',
        misbehaviour.file,
        '--timing',
        timingText(timing),
      ],
      ...ignore.flatMap((pointer) => ['--ignore', pointer]),
      cassette,
    ],
    misbehave: (others) => misbehaviour.use(rulesFor(others, 'stdio')),
    get fired() {
      return (all ?? told()).flatMap((line) => line.fired ?? []);
    },
    finish,
    [Symbol.asyncDispose]: async () => void (await finish()),
  };
}

/** A line of the file: something found, a fault that happened, or a process that starts or ends. */
export interface Told {
  pid: number;
  state?: 'started' | 'ended';
  kind?: Finding['kind'];
  text?: string;
  fired?: Fired;
  /** Of which rules, counted from 1, it is one. */
  set?: number;
}

function lineOf(line: string): Told {
  return JSON.parse(line) as Told;
}

function judged(told: readonly Told[], unfired: readonly string[], options: StdioOptions): ReplayOutcome {
  const findings = told.flatMap(({ kind, text = '' }): Finding[] => (kind ? [{ kind, text }] : []));
  for (const text of unfired) findings.push({ kind: 'unfired', text });
  const leaked = leakedAmong(told);
  for (const pid of leaked) findings.push({ kind: 'leaked', text: leakText(pid) });
  const { failed } = replayOutcome(findings, options);
  return { findings, failed: failed || leaked.length > 0 };
}

/** Processes that have started and not ended; they are ended now. */
function leakedAmong(told: readonly Told[]): number[] {
  const ended = new Set(told.filter(({ state }) => state === 'ended').map(({ pid }) => pid));
  const open = told.filter(({ state, pid }) => state === 'started' && !ended.has(pid)).map(({ pid }) => pid);
  return open.filter((pid) => {
    try {
      return process.kill(pid, 'SIGKILL');
    } catch {
      // It was killed, and could not tell.
      return false;
    }
  });
}

function leakText(pid: number): string {
  return `The mock server that was started as process ${pid} still ran when the test was over: close its client.`;
}

function timingText(timing: Timing): string {
  if (typeof timing === 'string') return timing;
  return 'factor' in timing ? `${timing.factor}x` : `${timing.cap}ms`;
}
