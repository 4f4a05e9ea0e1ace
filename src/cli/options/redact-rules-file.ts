import { readYamlFile } from '../../cassette/read/yaml/located-data.ts';
import { parseRedactionRules, type WrittenRules } from '../../redact/rules/parse-redaction-rules.ts';

/**
 * Reads a file of redaction rules.
 * @throws McpRecordError USAGE_RULES_UNREADABLE, and those of `parseRedactionRules`, with file and line
 */
export function loadRedactRules(file: string): WrittenRules {
  const { value, placeOf } = readYamlFile(file, {
    code: 'USAGE_RULES_UNREADABLE',
    what: `Cannot read the rules of ${file}`,
    next: 'Name a YAML file with "redact:" and a list of rules.',
  });
  return parseRedactionRules(value, { name: file, placeOf });
}
