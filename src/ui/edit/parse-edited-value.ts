import { normalizeBreaks } from '../../cassette/read/source-text.ts';
import { yamlMapping } from '../../cassette/read/yaml/full-yaml-reader.ts';
import { McpRecordError } from '../../kernel/errors.ts';

/**
 * Parses a result or error that a person wrote as JSON or YAML. Returns JSON without white space, with numbers as they
 * were written.
 * @throws McpRecordError UI_ANSWER_UNREADABLE with the place in the text
 */
export function parseEditedValue(text: string): string {
  try {
    const fields = yamlMapping({ file: 'your text', text: normalizeBreaks(text), line: 1 });
    return `{${fields.map(({ key, json }) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
  } catch (error) {
    if (!(error instanceof McpRecordError)) throw error;
    const { why, place } = error.problem;
    throw new McpRecordError({
      code: 'UI_ANSWER_UNREADABLE',
      what: 'Cannot read your text',
      why: why.replace(DAMAGED, ''),
      next: 'Write one object, as JSON or as YAML. An empty one is {}.',
      ...(place && { place }),
    });
  }
}

/** Beginning of a reason that a cassette is damaged. A text that a person is writing is only unfinished. */
const DAMAGED = /^it is damaged here: /;
