import type { LintRule } from '../../lint/lint-rule.ts';
import { CAPABILITY_RULES } from '../../lint/rules/capabilities.ts';
import { LIFECYCLE_RULES } from '../../lint/rules/lifecycle.ts';
import { MESSAGE_SHAPE_RULES } from '../../lint/rules/message-shape.ts';
import { MODERN_REVISION_RULES } from '../../lint/rules/modern-revision.ts';
import { UTILITY_RULES } from '../../lint/rules/utilities.ts';

/**
 * Ids of lint rules that apply to a client of a mock server. The mock server checks other violations on arrival:
 * versions, batches, invalid ids, `initialize`, and responses without a request.
 */
const OF_CLIENTS: ReadonlySet<string> = new Set([
  ...['message-kind', 'id-unique', 'response-shape'],
  ...['initialize-first', 'initialize-once', 'initialized-follows', 'initialize-not-cancelled'],
  ...['notification-capability', 'progress-token', 'progress-increases', 'progress-stops', 'cursor-opaque'],
  ...['request-describes-itself', 'removed-method', 'request-state'],
]);

const RULES = [
  ...MESSAGE_SHAPE_RULES,
  ...LIFECYCLE_RULES,
  ...CAPABILITY_RULES,
  ...UTILITY_RULES,
  ...MODERN_REVISION_RULES,
];

/** Rules that a client of every mock server has to keep. */
export const CLIENT_RULES: readonly LintRule[] = RULES.filter(({ id }) => OF_CLIENTS.has(id));

/** Rules that apply if a test has stated the mock server's capabilities. */
export const DECLARED_CAPABILITY_RULES: readonly LintRule[] = RULES.filter(({ id }) => id === 'server-capability');
