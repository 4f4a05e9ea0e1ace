import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Side } from '../../channel/frame.ts';
import { isObject, type Notification, paramsOf, type Request, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { type CapabilityPath, capabilityOf, isDeclared } from '../../protocol/method-table.ts';
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
          const path = neededOfClient(entry.message, capabilities.client);
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
          undeclared(entry, { path: neededOfClient(one, declared), declared, side: 'client' }),
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

/**
 * Returns the capability that a request of a server needs: that of its method, or of the mode or the member that it
 * uses. A client that declares no mode of elicitation has forms (2025-11-25, "Elicitation", "Sampling").
 */
function neededOfClient(request: unknown, declared: Record<string, unknown> | undefined): CapabilityPath {
  const { method } = isObject(request) ? request : {};
  const { mode, tools } = paramsOf(request);
  const isEitherMode = isObject(declared?.elicitation) && 'url' in declared.elicitation;
  if (method === 'elicitation/create' && mode === 'url') return ['elicitation', 'url'];
  if (method === 'elicitation/create' && isEitherMode) return ['elicitation', 'form'];
  if (method === 'sampling/createMessage' && tools !== undefined) return ['sampling', 'tools'];
  return typeof method === 'string' ? (capabilityOf(method) ?? []) : [];
}
