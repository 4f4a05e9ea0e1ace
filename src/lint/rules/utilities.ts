import { jsonOf } from '../../protocol/json-text.ts';
import { paramsOf, resultOf } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';

const PROGRESS = 'Utilities, "Progress"';
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Rules for progress, cancellation, logs and pages of lists. */
export const UTILITY_RULES: readonly LintRule[] = [
  {
    id: 'progress-token',
    severity: 'error',
    sentence: 'A progress notification has the progress token of a request of the other side.',
    source: PROGRESS,
    check: ({ notifications, links }) =>
      notifications
        .filter(
          ({ index, message }) => message.method === 'notifications/progress' && !links.progressRequestOf.has(index),
        )
        .map((entry) => ({
          entry,
          why: `no request has given the token ${scalarKeyAt(entry.json!, ['params', 'progressToken'])}`,
        })),
  },
  {
    id: 'progress-increases',
    severity: 'error',
    sentence: 'The progress of a request increases with each notification.',
    source: PROGRESS,
    check: ({ entries, links }) =>
      [...links.progressOf.values()].flatMap((reports) => {
        let last = Number.NEGATIVE_INFINITY;
        return reports.flatMap((index): RuleBreach[] => {
          const entry = entries[index]!;
          const value = progressOf(entry.message);
          const before = last;
          last = value;
          return value > before ? [] : [{ entry, why: `it went from ${before} to ${value}` }];
        });
      }),
  },
  {
    id: 'progress-stops',
    severity: 'error',
    sentence: 'Progress stops when its request is answered.',
    source: PROGRESS,
    check: ({ entries, links, answer }) =>
      [...links.progressRequestOf].flatMap(([report, request]): RuleBreach[] => {
        const response = answer(entries[request]!);
        const isTask = 'task' in resultOf(response?.message);
        if (response === undefined || isTask || report < response.index) return [];
        return [{ entry: entries[report]!, why: `its request was answered in line ${response.line}` }];
      }),
  },
  {
    id: 'cancel-known',
    severity: 'warning',
    sentence: 'A cancellation names a request of its sender that seems to be in progress.',
    source: 'Utilities, "Cancellation"',
    check: ({ notifications, links }) =>
      notifications
        .filter(
          ({ index, message }) => message.method === 'notifications/cancelled' && !links.cancelledRequestOf.has(index),
        )
        .map((entry) => ({ entry, why: `its ${entry.from} has made no such request` })),
  },
  {
    id: 'log-level',
    severity: 'error',
    sentence: `A log message has one of the levels ${LEVELS.join(', ')}.`,
    source: 'Utilities, "Logging"',
    check: ({ notifications }) =>
      notifications
        .filter(({ message }) => {
          const { level } = paramsOf(message);
          return message.method === 'notifications/message' && !LEVELS.includes(level as string);
        })
        .map((entry) => ({ entry, why: `the level is ${jsonOf(paramsOf(entry.message).level)}` })),
  },
  {
    id: 'cursor-opaque',
    severity: 'error',
    sentence: 'A client sends only cursors that the server returned for the same list.',
    source: 'Utilities, "Pagination"',
    check({ requests, responses, requestOf }) {
      const given = new Set(
        responses.map((entry) => `${requestOf(entry)?.message.method} ${jsonOf(resultOf(entry.message).nextCursor)}`),
      );
      return requests.flatMap((entry): RuleBreach[] => {
        const { method } = entry.message;
        const { cursor } = paramsOf(entry.message);
        if (!method.endsWith('/list') || cursor === undefined) return [];
        return given.has(`${method} ${jsonOf(cursor)}`) ? [] : [{ entry, why: 'no answer has given this cursor' }];
      });
    },
  },
];

function progressOf(message: unknown): number {
  const { progress } = paramsOf(message);
  return typeof progress === 'number' ? progress : Number.NaN;
}
