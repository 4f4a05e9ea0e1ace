import { McpRecordError } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';

/** Task for which the rules are missing: a search for secrets, or writing what a live server says. */
type Task = 'check' | 'write';

/** Returns the error for cassettes in which the values of these rules cannot be looked for. */
export function missingRulesError(
  names: readonly string[],
  files: readonly string[],
  task: Task = 'check',
): McpRecordError {
  const [where] = files.length === 1 ? files : [formatCount(files.length, 'file')];
  const allowed = names.map((name) => `--redact-allow '/\\[redacted:${name}:\\d+\\]/'`).join(' ');
  const [verb, it] = names.length === 1 ? ['it matches is', 'it'] : ['they match is', 'them'];
  const lost = task === 'check' ? `not looked for without ${it}` : `written in clear without ${it}`;
  const alone = task === 'check' ? 'look through the cassette yourself' : 'look through what is written yourself';
  return new McpRecordError({
    code: 'USAGE_RULES_MISSING',
    what: task === 'check' ? `Cannot check ${where} for secrets` : `Cannot add what the live server says to ${where}`,
    why: `${names.length === 1 ? 'a rule' : 'rules'} of the name ${names.join(', ')} wrote placeholders there, and what ${verb} ${lost}`,
    next: `Give the rules that the cassettes were recorded with: --redact-rules FILE, or the variable MCP_RECORD_REDACT_RULES (what vitest.config.ts sets reaches tests alone). If nobody has them, allow the placeholders, and ${alone}: ${allowed}.`,
  });
}
