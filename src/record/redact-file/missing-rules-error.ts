import { McpRecordError } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';

/** Returns the error for cassettes in which the values of these rules cannot be looked for. */
export function missingRulesError(names: readonly string[], files: readonly string[]): McpRecordError {
  const [where] = files.length === 1 ? files : [formatCount(files.length, 'file')];
  const allowed = names.map((name) => `--redact-allow '/\\[redacted:${name}:\\d+\\]/'`).join(' ');
  return new McpRecordError({
    code: 'USAGE_RULES_MISSING',
    what: `Cannot check ${where} for secrets`,
    why: `${names.length === 1 ? 'a rule' : 'rules'} of the name ${names.join(', ')} wrote placeholders there, and what ${names.length === 1 ? 'it matches is' : 'they match is'} not looked for without ${names.length === 1 ? 'it' : 'them'}`,
    next: `Give the rules that the cassettes were recorded with: --redact-rules FILE, or the variable MCP_RECORD_REDACT_RULES (what vitest.config.ts sets reaches tests alone). If nobody has them, allow the placeholders, and look through the cassette yourself: ${allowed}.`,
  });
}
