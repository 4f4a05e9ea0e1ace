import type { Side } from '../../channel/frame.ts';
import { isObject, type Notification, type Request } from '../../protocol/message.ts';
import { capabilityOf } from '../../protocol/method-table.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';
import type { LintMessage } from '../session-for-rules.ts';

/** Method without a required capability: servers of 2024-11-05 support completion without declaring it. */
const UNDECLARED = 'completion/complete';

const NEGOTIATION = 'Lifecycle, "Capability Negotiation"';

/** Rules: each side uses only declared capabilities (up to 2025-11-25). */
export const CAPABILITY_RULES: readonly LintRule[] = [
  {
    id: 'client-capability',
    severity: 'error',
    sentence: 'A server sends a client only requests for which the client has declared the capability.',
    source: NEGOTIATION,
    era: 'legacy',
    check: ({ requests, capabilities }) =>
      requests
        .filter(({ from }) => from === 'server')
        .flatMap((entry) => undeclared(entry, capabilities.client, 'client')),
  },
  {
    id: 'server-capability',
    severity: 'error',
    sentence: 'A client sends a server only requests for which the server has declared the capability.',
    source: NEGOTIATION,
    era: 'legacy',
    check: ({ requests, capabilities }) =>
      requests
        .filter(({ from }) => from === 'client')
        .flatMap((entry) => undeclared(entry, capabilities.server, 'server')),
  },
  {
    id: 'notification-capability',
    severity: 'error',
    sentence: 'A side sends a notification only if it has declared its capability.',
    source: NEGOTIATION,
    era: 'legacy',
    check: ({ notifications, capabilities }) =>
      notifications.flatMap((entry) => undeclared(entry, capabilities[entry.from], entry.from)),
  },
];

/** Returns a breach if `side` did not declare the capability that a message needs. */
function undeclared(
  entry: LintMessage<Request | Notification>,
  declared: Record<string, unknown> | undefined,
  side: Side,
): RuleBreach[] {
  const { method } = entry.message;
  const path = (method !== UNDECLARED && capabilityOf(method)) || [];
  if (path.length === 0 || declared === undefined) return [];
  let value: unknown = declared;
  for (const step of path) value = isObject(value) ? value[step] : undefined;
  const isThere = value !== undefined && value !== false && value !== null;
  return isThere ? [] : [{ entry, why: `the ${side} has not declared ${path.join('.')}` }];
}
