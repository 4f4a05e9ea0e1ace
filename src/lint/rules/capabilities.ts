import type { Side } from '../../channel/frame.ts';
import { isObject } from '../../protocol/message.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';

/** Method or method prefix to the required capability of the receiver. */
const ASKED_OF_SERVER: readonly [method: string, ...path: string[]][] = [
  ['tools/', 'tools'],
  ['prompts/', 'prompts'],
  ['resources/subscribe', 'resources', 'subscribe'],
  ['resources/unsubscribe', 'resources', 'subscribe'],
  ['resources/', 'resources'],
  ['logging/setLevel', 'logging'],
];
const ASKED_OF_CLIENT: readonly [method: string, ...path: string[]][] = [
  ['roots/list', 'roots'],
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
];
/** Notification → the capability of the side that sends it. */
const TOLD: readonly [method: string, ...path: string[]][] = [
  ['notifications/tools/list_changed', 'tools', 'listChanged'],
  ['notifications/prompts/list_changed', 'prompts', 'listChanged'],
  ['notifications/resources/list_changed', 'resources', 'listChanged'],
  ['notifications/roots/list_changed', 'roots', 'listChanged'],
  ['notifications/resources/updated', 'resources', 'subscribe'],
  ['notifications/message', 'logging'],
];

const NEGOTIATION = 'Lifecycle, "Capability Negotiation"';

/** Rules: each side uses only declared capabilities (up to 2025-11-25). */
export const CAPABILITIES: readonly LintRule[] = [
  {
    id: 'client-capability',
    severity: 'error',
    sentence: 'A server asks a client only for what the client has declared.',
    source: NEGOTIATION,
    era: 'legacy',
    check: ({ requests, capabilities }) =>
      requests
        .filter(({ from }) => from === 'server')
        .flatMap((entry) => undeclared(entry.message.method, ASKED_OF_CLIENT, capabilities.client, entry, 'client')),
  },
  {
    id: 'server-capability',
    severity: 'error',
    sentence: 'A client asks a server only for what the server has declared.',
    source: NEGOTIATION,
    era: 'legacy',
    check: ({ requests, capabilities }) =>
      requests
        .filter(({ from }) => from === 'client')
        .flatMap((entry) => undeclared(entry.message.method, ASKED_OF_SERVER, capabilities.server, entry, 'server')),
  },
  {
    id: 'notification-capability',
    severity: 'error',
    sentence: 'A side sends a notification only where it has declared what the notification belongs to.',
    source: NEGOTIATION,
    era: 'legacy',
    check: ({ notifications, capabilities }) =>
      notifications.flatMap((entry) =>
        undeclared(entry.message.method, TOLD, capabilities[entry.from], entry, entry.from),
      ),
  },
];

function undeclared(
  method: string,
  table: readonly [method: string, ...path: string[]][],
  declared: Record<string, unknown> | undefined,
  entry: RuleBreach['entry'],
  side: Side,
): RuleBreach[] {
  const [, ...path] = table.find(([start]) => method.startsWith(start)) ?? [];
  if (path.length === 0 || declared === undefined) return [];
  let value: unknown = declared;
  for (const step of path) value = isObject(value) ? value[step] : undefined;
  const isThere = value !== undefined && value !== false && value !== null;
  return isThere ? [] : [{ entry, why: `the ${side} has not declared ${path.join('.')}` }];
}
