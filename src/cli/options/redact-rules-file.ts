import { normalizeBreaks } from '../../cassette/read/source-text.ts';
import { type YamlData, yamlData } from '../../cassette/read/yaml/located-data.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { readNamedText } from '../../kernel/read-file.ts';
import { parseRedactionRules, type WrittenRules } from '../../redact/rules/parse-redaction-rules.ts';

/**
 * Reads a file of redaction rules.
 * @throws McpRecordError USAGE_RULES_UNREADABLE, and those of `parseRedactionRules`, with file and line
 */
export function loadRedactRules(file: string): WrittenRules {
  const { value, placeOf } = dataOf(file);
  return parseRedactionRules(value, { name: file, placeOf });
}

function dataOf(file: string): YamlData {
  try {
    return yamlData({ file, text: normalizeBreaks(readNamedText(file)), line: 1 });
  } catch (error) {
    const known = error instanceof McpRecordError ? error.problem : undefined;
    throw new McpRecordError({
      code: 'USAGE_RULES_UNREADABLE',
      what: `Cannot read the rules of ${file}`,
      why: known?.why ?? messageOf(error),
      next: 'Name a YAML file with "redact:" and a list of rules.',
      ...(known?.place && { place: known.place }),
      cause: error,
    });
  }
}
