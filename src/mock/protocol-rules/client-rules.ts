import type { LintRule } from '../../lint/lint-rule.ts';
import { CAPABILITY_RULES } from '../../lint/rules/capabilities.ts';
import { LIFECYCLE_RULES } from '../../lint/rules/lifecycle.ts';
import { MESSAGE_SHAPE_RULES } from '../../lint/rules/message-shape.ts';
import { MODERN_REVISION_RULES } from '../../lint/rules/modern-revision.ts';
import { UTILITY_RULES } from '../../lint/rules/utilities.ts';

/**
 * Ids of the rules that a client of a mock server has to keep. The mock server finds the rest of what lint finds of a
 * client when the message comes: versions, batches, ids that are none, `initialize`, and responses to no request.
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

/** Rules that a client has to keep if a test has said what the mock server declares. */
export const DECLARED_CAPABILITY_RULES: readonly LintRule[] = RULES.filter(({ id }) => id === 'server-capability');
