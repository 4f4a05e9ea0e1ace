import { jsonOf } from '../../protocol/json-text.ts';
import { isObject, paramsOf, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';
import type { LintSession } from '../session-for-rules.ts';
import { toolsIn } from './definitions.ts';

/** The rule against deprecated features. */
export const DEPRECATION_RULES: readonly LintRule[] = [
  {
    id: 'deprecated',
    severity: 'warning',
    sentence: 'Features that the revision has deprecated are not used. They will be removed.',
    source: 'Schema of 2025-11-25, "includeContext"; 2026-07-28, "Deprecated features"; extension Apps',
    check: (session) => [...deprecatedRequests(session), ...deprecatedApps(session)],
  },
];

const CONTEXT: ReadonlySet<unknown> = new Set(['thisServer', 'allServers']);
/** Requests to clients that 2026-07-28 deprecates. */
const DEPRECATED_REQUESTS: ReadonlySet<unknown> = new Set(['sampling/createMessage', 'roots/list']);

function deprecatedRequests({ requests, responses, modern, revision = '' }: LintSession): RuleBreach[] {
  const context = requests
    .filter(({ message }) => revision >= '2025-11-25' && CONTEXT.has(paramsOf(message).includeContext))
    .map((entry) => ({ entry, why: `includeContext is ${jsonOf(paramsOf(entry.message).includeContext)}` }));
  if (!modern) return context;
  const logs = requests
    .filter(({ message }) => metaOf(message.params)[META.logLevel] !== undefined)
    .map((entry) => ({ entry, why: 'it asks for log messages' }));
  const inputs = responses.flatMap((entry): RuleBreach[] => {
    const { inputRequests } = resultOf(entry.message);
    const asked = Object.values(isObject(inputRequests) ? inputRequests : {}).find(
      (request) => isObject(request) && DEPRECATED_REQUESTS.has(request.method),
    );
    return isObject(asked) ? [{ entry, why: `it asks for ${String(asked.method)}` }] : [];
  });
  return [...context, ...logs, ...inputs];
}

function deprecatedApps(session: LintSession): RuleBreach[] {
  return toolsIn(session).flatMap(({ entry, tool }): RuleBreach[] => {
    const { ui, 'ui/resourceUri': flat } = metaOf(tool);
    const isOnlyFlat = flat !== undefined && !(isObject(ui) && ui.resourceUri !== undefined);
    return isOnlyFlat
      ? [{ entry, why: `tool ${jsonOf(tool.name)} names its app in _meta["ui/resourceUri"] alone` }]
      : [];
  });
}
