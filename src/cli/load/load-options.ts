import type { Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';

const UNITS: Readonly<Record<string, Milliseconds>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Returns the value of an option for a duration with its unit: `500ms`, `60s`, `5m`, `1h`.
 * @throws McpRecordError USAGE_BAD_DURATION
 */
export function durationOf(option: string, text: string): Milliseconds {
  const [, number, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? [];
  const value = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (value > 0) return value;
  throw new McpRecordError({
    code: 'USAGE_BAD_DURATION',
    what: `Cannot use ${option} ${text}`,
    why: 'it is not a time above 0 with its unit',
    next: `Write, for example, ${option} 60s, ${option} 500ms or ${option} 5m.`,
  });
}

/** Maximum number of clients at once. */
const CLIENTS_MAX = 10_000;

/**
 * Returns the value of `--clients`.
 * @throws McpRecordError USAGE_BAD_NUMBER
 */
export function clientsOf(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value > 0 && value <= CLIENTS_MAX) return value;
  throw badNumber('--clients', text, `a whole number from 1 to ${CLIENTS_MAX}`, '20');
}

/**
 * Returns the value of `--rate`, in sessions a second.
 * @throws McpRecordError USAGE_BAD_NUMBER
 */
export function rateOf(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}(?:\.\d{1,3})?$/.test(text) && value > 0) return value;
  throw badNumber('--rate', text, 'a number of sessions a second above 0', '50');
}

/** Maximum number of worker threads. */
const WORKERS_MAX = 64;

/**
 * Returns the value of `--workers`.
 * @throws McpRecordError USAGE_BAD_NUMBER
 */
export function workersOf(text: string): number {
  const value = Number(text);
  if (/^\d{1,2}$/.test(text) && value > 0 && value <= WORKERS_MAX) return value;
  throw badNumber('--workers', text, `a whole number from 1 to ${WORKERS_MAX}`, '4');
}

function badNumber(option: string, text: string, what: string, example: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_NUMBER',
    what: `Cannot use ${option} ${text}`,
    why: `it is not ${what}`,
    next: `Write, for example, ${option} ${example}.`,
  });
}
