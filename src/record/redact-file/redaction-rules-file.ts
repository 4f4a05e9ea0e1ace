import { readYamlFile } from '../../cassette/read/yaml/located-data.ts';
import { parseRedactionRules, type WrittenRules } from '../../redact/rules/parse-redaction-rules.ts';

/** Environment variable that names the file of a project's redaction rules. */
export const PROJECT_RULES = 'MCP_RECORD_REDACT_RULES';

/**
 * Reads a file of redaction rules.
 * @param of what names the file, for messages
 * @throws McpRecordError USAGE_RULES_UNREADABLE, and those of `parseRedactionRules`, with file and line
 */
export function loadRedactionRules(file: string, of = ''): WrittenRules {
  const { value, placeOf } = readYamlFile(file, {
    code: 'USAGE_RULES_UNREADABLE',
    what: `Cannot read the rules of ${file}${of}`,
    next: 'Name a YAML file with "redact:" and a list of rules.',
  });
  return parseRedactionRules(value, { name: file, placeOf });
}

/**
 * Returns the rules of the file that `MCP_RECORD_REDACT_RULES` names, or none without the variable.
 * @throws McpRecordError as `loadRedactionRules`
 */
export function projectRules(env: NodeJS.ProcessEnv): WrittenRules {
  const file = env[PROJECT_RULES];
  return file ? loadRedactionRules(file, `, which ${PROJECT_RULES} names`) : { rules: [], allow: [] };
}
