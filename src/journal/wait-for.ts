import type { Clock, Milliseconds } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { formatCount } from '../kernel/format-count.ts';
import { jsonOf } from '../protocol/json-text.ts';
import { isObject, type Params } from '../protocol/message.ts';
import { type JournalEntry, type JournalSource, methodOf } from './journal-entry.ts';

export interface WaitOptions {
  /** How long to wait. Default: 5,000. */
  timeout?: Milliseconds;
  /** Number of messages to wait for. Default: 1. */
  count?: number;
  /** Members that the params of a request or notification have, at least: `{ name: 'add' }`. Absent: any params. */
  params?: Params;
}

const TIMEOUT: Milliseconds = 5_000;

/**
 * Resolves with the `count`-th entry of `method`.
 * @throws McpRecordError WAIT_TIMED_OUT, WAIT_BAD_OPTION
 */
export async function waitFor(
  source: Pick<JournalSource, 'entries' | 'watch' | 'clock'>,
  method: string,
  options: WaitOptions = {},
): Promise<JournalEntry> {
  const { timeout = TIMEOUT, count = 1, params = {}, ...others } = options;
  check({ method, timeout, count, params }, Object.keys(others));
  const isWanted = (entry: JournalEntry) =>
    methodOf(entry) === method && (entry.kind === 'answer' || hasMembers(entry.params ?? {}, params));
  const found = () => source.entries().filter(isWanted)[count - 1];
  const first = found();
  if (first) return first;
  return new Promise((resolve, reject) => {
    const settle = (task: () => void) => {
      unwatch();
      stop();
      task();
    };
    const unwatch = source.watch(() => {
      const entry = found();
      if (entry) settle(() => resolve(entry));
    });
    const stop = after(source.clock, timeout, () => {
      const entry = found();
      const late = () => reject(timedOut({ method, timeout, count, params }, source.entries()));
      settle(entry ? () => resolve(entry) : late);
    });
  });
}

function after(clock: Clock, timeout: Milliseconds, task: () => void): () => void {
  return timeout === Number.POSITIVE_INFINITY ? () => {} : clock.after(timeout, task);
}

type Wanted = Required<WaitOptions> & { method: string };

function check({ method, timeout, count, params }: Wanted, unknown: readonly string[]): void {
  const why =
    typeof method !== 'string' || method === ''
      ? `the method is ${JSON.stringify(method)}`
      : !(timeout >= 0)
        ? `the timeout is ${timeout}`
        : !(Number.isInteger(count) && count > 0)
          ? `the count is ${count}`
          : !isObject(params)
            ? `the params are ${JSON.stringify(params)}`
            : unknown.length > 0
              ? `there is no option ${unknown.join(', ')}`
              : undefined;
  if (why === undefined) return;
  throw new McpRecordError({
    code: 'WAIT_BAD_OPTION',
    what: 'Cannot wait for a message',
    why,
    next: "Write waitFor('tools/call', { timeout: 1000, count: 2 }): milliseconds, and a whole number from 1.",
  });
}

function timedOut({ method, timeout, count, params }: Wanted, entries: readonly JournalEntry[]): McpRecordError {
  const own = entries.filter((entry) => methodOf(entry) === method).length;
  const wanted = Object.keys(params).length === 0 ? method : `${method} ${jsonOf(params)}`;
  return new McpRecordError({
    code: 'WAIT_TIMED_OUT',
    what: `Waited ${timeout} ms for ${wanted}${count === 1 ? '' : ` (${count} of it)`}`,
    why: own === 0 || wanted !== method ? 'it did not come' : `only ${own} came`,
    next: `${listEntries(entries)}\n  See that the client sends it, or wait longer: waitFor('${method}', { timeout }).`,
  });
}

/** Whether a value has all members of another, and members of members likewise. Lists are compared whole. */
function hasMembers(value: unknown, wanted: unknown): boolean {
  if (!isObject(wanted)) return JSON.stringify(value) === JSON.stringify(wanted);
  return isObject(value) && Object.entries(wanted).every(([name, member]) => hasMembers(value[name], member));
}

const LISTED_MAX = 20;

/** Lists entries in order. Equal titles in a row are counted. */
function listEntries(entries: readonly JournalEntry[]): string {
  if (entries.length === 0) return 'Nothing came.';
  const runs: { title: string; count: number }[] = [];
  for (const entry of entries) {
    const title = entry.kind === 'answer' ? `answer to ${entry.to ?? 'nothing'}` : entry.method;
    const last = runs.at(-1);
    if (last?.title === title) last.count++;
    else runs.push({ title, count: 1 });
  }
  const shown = runs.slice(0, LISTED_MAX).map(({ title, count }) => (count > 1 ? `${title} ×${count}` : title));
  const more = runs.length - LISTED_MAX;
  return `There came ${formatCount(entries.length, 'message')}: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}
