import type { CutSelection, LineRange } from '../../edit/cut/select-cut-events.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';

/** Selection options as given on the command line. */
export interface SelectionOptions {
  lines: string[];
  tool: string[];
  method: string[];
  session: string[];
  from?: string;
  to?: string;
}

/**
 * Parses the selection options.
 * @throws McpRecordError USAGE_BAD_LINES, USAGE_BAD_TIME, USAGE_NOT_IN_CASSETTE
 */
export function selectionFrom({ lines, tool, method, session, from, to }: SelectionOptions): CutSelection {
  const times = {
    ...(from !== undefined && { from: timeOf('--from', from) }),
    ...(to !== undefined && { to: timeOf('--to', to) }),
  };
  if (times.from !== undefined && times.to !== undefined && times.from > times.to)
    throw badTime(`--from ${from} with --to ${to}`, 'it ends before it begins', 'Give --to a later time than --from.');
  return {
    lines: lines.map(lineRangeOf),
    tools: tool,
    methods: method,
    sessions: session.map(sessionOf),
    ...times,
  };
}

function lineRangeOf(text: string): LineRange {
  const [, first = '', last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (range.first > 0 && range.first <= range.last) return range;
  throw new McpRecordError({
    code: 'USAGE_BAD_LINES',
    what: `Cannot use --lines ${text}`,
    why: 'it is neither a line, counted from 1, nor a range of lines',
    next: 'Write, for example, --lines 10-40.',
  });
}

const UNITS: Readonly<Record<string, Milliseconds>> = { ms: 1, s: 1_000, m: 60_000 };

function timeOf(option: string, text: string): Milliseconds {
  const [, amount, unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m)$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * UNITS[unit]!;
  const next = `Write, for example, ${option} 250ms, ${option} 1.5s or ${option} 2m.`;
  throw badTime(`${option} ${text}`, 'it is not a time', next);
}

function badTime(what: string, why: string, next: string): McpRecordError {
  return new McpRecordError({ code: 'USAGE_BAD_TIME', what: `Cannot use ${what}`, why, next });
}

function sessionOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new McpRecordError({
    code: 'USAGE_NOT_IN_CASSETTE',
    what: `Cannot select session ${text}`,
    why: 'sessions are counted from 1, and their ids are in no cassette',
    next: 'Give its number: --session 2 is what the second initialize began.',
  });
}
