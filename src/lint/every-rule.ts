import { RULES } from './lint.ts';
import type { LintRule } from './lint-rule.ts';
import { CLIENT_RESULT_RULE } from './rules/client-result.ts';
import { OUTPUT_SCHEMA_RULE } from './rules/output-schema.ts';
import { SCHEMA_RULE } from './rules/schema.ts';

/** Rules that need a validator, which makes functions of texts: pages of a browser forbid that. */
export const VALIDATION_RULES: readonly LintRule[] = [OUTPUT_SCHEMA_RULE, SCHEMA_RULE, CLIENT_RESULT_RULE];

/** The rules of `mcp-record lint`. */
export const EVERY_RULE: readonly LintRule[] = [...RULES, ...VALIDATION_RULES];
