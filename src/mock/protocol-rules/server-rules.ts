import type { LintRule } from '../../lint/lint-rule.ts';
import { CAPABILITY_RULES } from '../../lint/rules/capabilities.ts';
import { MESSAGE_SHAPE_RULES } from '../../lint/rules/message-shape.ts';
import { MODERN_REVISION_RULES } from '../../lint/rules/modern-revision.ts';
import { UTILITY_RULES } from '../../lint/rules/utilities.ts';

/**
 * Ids of the rules that a server has to keep with a mock client. The mock client finds the rest of what lint finds of a
 * server when the message comes: what its JSON Schema forbids, versions, batches, and responses to no request.
 */
const OF_SERVERS: ReadonlySet<string> = new Set([
  ...['message-kind', 'id-type', 'id-unique'],
  ...['client-capability', 'notification-capability', 'input-capability'],
  ...['progress-token', 'progress-increases', 'progress-stops', 'resource-subscribed'],
  ...['server-asks-nothing', 'input-required', 'subscription-id', 'subscription-filter', 'log-requested'],
]);

/** Rules that a server has to keep with a mock client. */
export const SERVER_RULES: readonly LintRule[] = [
  ...MESSAGE_SHAPE_RULES,
  ...CAPABILITY_RULES,
  ...UTILITY_RULES,
  ...MODERN_REVISION_RULES,
].filter(({ id }) => OF_SERVERS.has(id));
