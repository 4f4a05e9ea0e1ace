import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/kernel/clock.ts';
import { runCommand } from '../../../src/sweep/client/run-command.ts';
import { verdictOf } from '../../../src/sweep/client/verdict.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture } from '../../support/process.ts';
import { replay } from '../http/processes.ts';
import type { Transport, Trial } from './trials.ts';

/** The clients, by their files and names. */
export const CLIENTS = { 'sdk-1.js': 'sdk 1.32.2', 'client-2.js': 'client 2.4.0' } as const;
export type Client = keyof typeof CLIENTS;

const TAPE = join(import.meta.dirname, '..', '..', '..', 'cassettes', 'everything.yaml');
const DEADLINE = 60_000;

/**
 * What a client made of a trial: `goes on`, or where it failed and how. So long a line as `oversize` takes its time; where no
 * answer is lost, more patience changes nothing but what a busy machine does.
 */
export async function observe(
  client: Client,
  transport: Transport,
  { fault, rules }: Trial,
  patience: number = fault === 'oversize' ? 30_000 : 5_000,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-under-'));
  const [faults, journal] = [join(folder, 'faults.yaml'), join(folder, 'journal')] as const;
  writeFileSync(faults, JSON.stringify({ seed: 1, faults: rules }));
  writeFileSync(journal, '');
  // What races for a client, an answer and the cancel of its call, is as far apart as it was when it was recorded.
  const misbehaving = ['--faults', faults, '--journal', journal, '--timing', 'recorded'];
  const listening = transport === 'http' ? await replay(TAPE, ...misbehaving) : undefined;
  const started = mcpRecord('replay', ...misbehaving, TAPE);
  const server = listening ? [listening.url.href] : [started.command, ...started.args];
  const { command, args } = fixture(join('under-faults', client), ...server);
  try {
    const ended = await runCommand({
      command: [command, ...args],
      env: { ...process.env, PATIENCE: String(patience) },
      deadline: DEADLINE,
      clock: systemClock,
    });
    // Only a server that has ended has written all that it did.
    await listening?.stop();
    const noted = readFileSync(journal, 'utf8').split('\n').filter(Boolean);
    const fired = noted.some((line) => {
      const { rule, unchanged } = JSON.parse(line) as { rule: number; unchanged?: string };
      return rule === rules.length && unchanged === undefined;
    });
    const verdict = verdictOf({ ...ended, fired, isAnswerLost: false });
    if (verdict === 'hung') return '**hangs**';
    if (verdict === 'crashed') return '**crashes**';
    if (verdict === 'leaked') return '**leaves a process**';
    if (!fired) return 'not reached';
    return inWords(JSON.parse(ended.stderr.trim().split('\n').at(-1)!) as Record<string, string>);
  } finally {
    await listening?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

function inWords(went: Record<string, string>): string {
  const { opened, called, 'called again': again, closed } = went;
  const failed = Object.entries(went).find(([, how]) => how !== 'well');
  if (failed === undefined) return 'goes on';
  const [step, how] = failed;
  const what = how === 'wrong' ? '**wrong answer taken**' : how.replaceAll(/\s+/g, ' ').slice(0, 90).trimEnd();
  if (step === 'opened' || step === 'closed') return step === 'closed' ? `${what}, on closing` : what;
  const after = opened === 'well' && called !== 'well' ? (again === 'well' ? '; goes on' : '; session lost') : '';
  return `${what}${after}${closed === 'well' ? '' : `; on closing ${closed}`}`;
}
