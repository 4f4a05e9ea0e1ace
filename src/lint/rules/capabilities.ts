import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Side } from '../../channel/frame.ts';
import { isObject, type Notification, type Request, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { type CapabilityPath, capabilityOf, isDeclared } from '../../protocol/method-table.ts';
import { capabilityForRequest } from '../capability-for-request.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';

/** Method without a required capability: servers of 2024-11-05 support completion without declaring it. */
const UNDECLARED = 'completion/complete';

const NEGOTIATION = 'Lifecycle, "Capability Negotiation"';

/** Rules: each side uses only declared capabilities. */
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
        .flatMap((entry) => {
          const path = capabilityForRequest(entry.message, capabilities.client);
          return undeclared(entry, { path, declared: capabilities.client, side: 'client' });
        }),
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
        .flatMap((entry) =>
          undeclared(entry, { path: needed(entry.message), declared: capabilities.server, side: 'server' }),
        ),
  },
  {
    id: 'notification-capability',
    severity: 'error',
    sentence: 'A side sends a notification only if it has declared its capability.',
    source: NEGOTIATION,
    check: ({ notifications, capabilities }) =>
      notifications.flatMap((entry) =>
        undeclared(entry, { path: needed(entry.message), declared: capabilities[entry.from], side: entry.from }),
      ),
  },
  {
    id: 'input-capability',
    severity: 'warning',
    sentence: 'An answer asks for input only by requests for which the client has declared the capability.',
    source: '2026-07-28, Base protocol, "Multi round-trip requests"',
    era: 'modern',
    check: ({ responses, requestOf }) =>
      responses.flatMap((entry): RuleBreach[] => {
        const { inputRequests } = resultOf(entry.message);
        const declared = metaOf(requestOf(entry)?.message.params)[META.clientCapabilities];
        if (!isObject(inputRequests) || !isObject(declared)) return [];
        return Object.values(inputRequests).flatMap((one) =>
          undeclared(entry, { path: capabilityForRequest(one, declared), declared, side: 'client' }),
        );
      }),
  },
];

/** Capability that one side has to have declared. */
interface Needed {
  /** Empty: none is needed. */
  path: CapabilityPath;
  declared: Record<string, unknown> | undefined;
  side: Side;
}

/** Returns a breach if a side did not declare the capability that a message needs. */
function undeclared(entry: SessionEntry, { path, declared, side }: Needed): RuleBreach[] {
  if (path.length === 0 || declared === undefined || isDeclared(path, declared)) return [];
  return [{ entry, why: `the ${side} has not declared ${path.join('.')}` }];
}

function needed({ method }: Request | Notification): CapabilityPath {
  return (method !== UNDECLARED && capabilityOf(method)) || [];
}
