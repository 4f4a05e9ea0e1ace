import { locate } from '../../../protocol/json-scan.ts';
import type { Item } from '../../data/report-data-types.ts';
import { blockYaml } from '../details/block-yaml.ts';
import { jsonTokenLines } from '../details/json-token-lines.ts';

/** Language in which a person edits an answer. */
export type Language = 'JSON' | 'YAML';

/** Part of an answer that a person may edit. */
export interface EditableAnswerText {
  name: 'result' | 'error';
  /** Its value, as JSON. */
  json: string;
}

/**
 * Returns the result or error of an answer. Undefined: the page has only part of the answer, or there is neither a
 * result nor an error.
 */
export function editableAnswerText({ kind, content }: Item): EditableAnswerText | undefined {
  if (kind !== 'response' || content?.language !== 'json') return undefined;
  for (const name of ['result', 'error'] as const) {
    const span = locate(content.text, [name]);
    const json = span && content.text.slice(span.start, span.end);
    if (json?.startsWith('{')) return { name, json };
  }
  return undefined;
}

/** Returns a value for editing. Numbers and the order of keys stay as they are. */
export function editableText(json: string, language: Language): string {
  if (language === 'YAML') return blockYaml(json, 0)?.join('\n') ?? json;
  const lines = jsonTokenLines(json) ?? [];
  return lines
    .map(({ depth, tokens }) => '  '.repeat(depth) + tokens.map(({ text }) => (text === ':' ? ': ' : text)).join(''))
    .join('\n');
}
