import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { jsonOf } from '../../protocol/json-text.ts';
import { paramsOf, type Request, resultOf } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';

const PROGRESS = 'Utilities, "Progress"';
/** Severities of log messages, from the least to the most severe (2025-11-25, "Logging"). */
export const LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** Rules for progress, cancellation, logs, pages of lists and updates of resources. */
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
      [...links.progressRequestOf].flatMap(([report, index]): RuleBreach[] => {
        const entry = entries[report]!;
        const request = entries[index]!;
        const response = answer(request);
        const isTask = 'task' in resultOf(response?.message);
        if (response === undefined || isTask || report < response.index) return [];
        // Messages on different streams may overtake each other.
        if (entry.frame.stream !== response.frame.stream) return [];
        return [{ entry, why: `${titleOf(request)} was answered before` }];
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
  {
    id: 'resource-subscribed',
    severity: 'warning',
    sentence: 'A server sends updates only of resources that its client has subscribed to, and of their sub-resources.',
    source: 'Schema of 2025-11-25, "ResourceUpdatedNotification"',
    era: 'legacy',
    check({ requests, notifications }) {
      const subscribed = requests.filter(({ message }) => message.method === 'resources/subscribe');
      return notifications.flatMap((entry): RuleBreach[] => {
        const { uri } = paramsOf(entry.message);
        if (entry.message.method !== 'notifications/resources/updated') return [];
        const isWanted = subscribed.some(
          ({ index, message }) => index < entry.index && isWithin(uri, paramsOf(message).uri),
        );
        return isWanted ? [] : [{ entry, why: `no request has subscribed to ${jsonOf(uri)}` }];
      });
    },
  },
];

/** Reports whether a URI is equal to a resource's URI or is below that URI. */
export function isWithin(uri: unknown, resource: unknown): boolean {
  if (typeof uri !== 'string' || typeof resource !== 'string' || !uri.startsWith(resource)) return false;
  return uri.length === resource.length || resource.endsWith('/') || /^[/?#]/.test(uri.slice(resource.length));
}

function titleOf({ message }: SessionEntry): string {
  const { method = '', params } = message as Partial<Request>;
  return subjectOf(method, params);
}

function progressOf(message: unknown): number {
  const { progress } = paramsOf(message);
  return typeof progress === 'number' ? progress : Number.NaN;
}
