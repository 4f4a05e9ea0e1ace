import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultKind } from '../../../src/faults/fault.ts';
import { FAULTS } from '../../../src/faults/table.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { runCommand } from '../../../src/sweep/run-command.ts';
import { verdictOf } from '../../../src/sweep/verdict.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture } from '../../support/process.ts';

/** The clients, by their files and names. */
export const CLIENTS = { 'sdk-1.js': 'sdk 1.32.2', 'client-2.js': 'client 2.4.0' } as const;
export type Client = keyof typeof CLIENTS;

/** One thing that goes wrong once, at one message of a session. */
export interface Trial {
  fault: string;
  /** What it happens to, in words. */
  at: string;
  rule: Record<string, unknown>;
}

const TAPE = join(import.meta.dirname, '..', '..', '..', 'cassettes', 'everything.yaml');
const DEADLINE = 60_000;

/** What a fault needs that has no fallback, or not one that is quick. */
const NEEDED: Readonly<Record<string, object>> = {
  latency: { delay: 200 },
  clog: { for: 200 },
  throttle: { rate: 10_000 },
  slice: { size: 64 },
  oversize: { bytes: 11_000_000 },
  'slow-reader': { rate: 1_000 },
  patch: { merge: { result: null } },
};
/** Faults that are nothing in one size, or of one kind. */
const MORE: Readonly<Record<string, readonly object[]>> = {
  corrupt: [{ kind: 'invalid-utf8' }, { kind: 'bad-json' }, { kind: 'not-json-rpc' }],
  'wrong-id': [{ id: 'unknown' }, { id: 'reused' }, { id: 'other-type' }],
  progress: [{ kind: 'decreasing' }, { kind: 'after-answer' }, { kind: 'unknown-token' }, { kind: 'storm' }],
  exit: [{ status: 1 }, { status: 'SIGSEGV' }],
};
const OPENING = { method: 'initialize', kind: 'response' };
const CALL = { method: 'tools/call', kind: 'response' };

/** Every fault that stdio has, at the answer to `initialize` and at that of a call, unless it is about something else. */
export function trials(): Trial[] {
  return [...FAULTS.values()]
    .filter(({ grounds }) => grounds.includes('stdio'))
    .flatMap((kind) =>
      (MORE[kind.name] ?? [NEEDED[kind.name] ?? {}]).flatMap((params) => trialsOf(kind, params)),
    );
}

function trialsOf({ name, when }: FaultKind, params: object): Trial[] {
  const rule = { do: name, ...params, times: 1 };
  // What waits for company gets it.
  if (name === 'coalesce') {
    const method = 'notifications/progress';
    return [{ fault: name, at: method, rule: { ...rule, when: { method } } }];
  }
  if (when?.method !== undefined || when?.kind === 'end' || name === 'down')
    return [{ fault: name, at: when?.method ?? (name === 'down' ? 'start' : 'end'), rule }];
  const from = when?.from === 'client' || name === 'slow-reader' ? { from: 'client', kind: 'request' } : {};
  return [OPENING, CALL].map((moment) => ({
    fault: name,
    at: moment.method,
    rule: { ...rule, when: { ...moment, ...from } },
  }));
}

/**
 * What a client made of a trial: `goes on`, or where it failed and how. So long a line as `oversize` takes its time; where no
 * answer is lost, more patience changes nothing but what a busy machine does.
 */
export async function observe(
  client: Client,
  { fault, rule }: Trial,
  patience: number = fault === 'oversize' ? 30_000 : 5_000,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-under-'));
  const [faults, journal] = [join(folder, 'faults.yaml'), join(folder, 'journal')] as const;
  writeFileSync(faults, JSON.stringify({ seed: 1, faults: [rule] }));
  writeFileSync(journal, '');
  const server = mcpRecord('replay', '--faults', faults, '--journal', journal, TAPE);
  const { command, args } = fixture(join('under-faults', client), server.command, ...server.args);
  try {
    const ended = await runCommand({
      command: [command, ...args],
      env: { ...process.env, PATIENCE: String(patience) },
      deadline: DEADLINE,
      clock: systemClock,
    });
    const fired = readFileSync(journal, 'utf8') !== '';
    const verdict = verdictOf({ ...ended, fired }, { losesAnswer: false } as Parameters<typeof verdictOf>[1]);
    if (verdict === 'hung') return '**hangs**';
    if (verdict === 'crashed') return '**crashes**';
    if (verdict === 'leaked') return '**leaves a process**';
    if (!fired) return 'not reached';
    return inWords(JSON.parse(ended.stderr.trim().split('\n').at(-1)!) as Record<string, string>);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inWords(went: Record<string, string>): string {
  const { opened, called, 'called again': again, closed } = went;
  const failed = Object.entries(went).find(([, how]) => how !== 'well');
  if (failed === undefined) return 'goes on';
  const [step, how] = failed;
  const what = how === 'wrong' ? '**wrong answer taken**' : how.replaceAll(/\s+/g, ' ').slice(0, 90);
  if (step === 'opened' || step === 'closed') return step === 'closed' ? `${what}, on closing` : what;
  const after =
    opened === 'well' && called !== 'well' ? (again === 'well' ? '; goes on' : '; session lost') : '';
  return `${what}${after}${closed === 'well' ? '' : `; on closing ${closed}`}`;
}

/** The trial's name in the table: its fault, and the parameters that are not needed. */
export function nameOf({ fault, rule }: Trial): string {
  const { do: _, times, when, ...params } = rule;
  const chosen = MORE[fault] ? Object.values(params).join(' ') : '';
  return `${fault}${chosen && ` (${chosen})`}`;
}
