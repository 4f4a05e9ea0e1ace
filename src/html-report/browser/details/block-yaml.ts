import { jsonTokenLines, type Token } from './json-token-lines.ts';

/** Object keys that are valid YAML without quotes, and that YAML 1.1 does not read as booleans or null. */
const PLAIN_KEY = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z_$][\w$-]*$/i;

/**
 * Returns a JSON object or list as block YAML, one line each, indented by `column` spaces. Numbers and the order of
 * keys stay unchanged. Undefined: the text is invalid JSON, a scalar, or an empty object or list.
 */
export function blockYaml(text: string, column: number): string[] | undefined {
  const lines = jsonTokenLines(text);
  if (lines === undefined || lines.length < 2) return undefined;
  const yaml: string[] = [];
  /** Whether each open container is a list, by depth. */
  const isList: boolean[] = [];
  /** Indentation and dash for the first line of an object or list nested in a list. */
  let before: string | undefined;
  for (const { depth, tokens, closes } of lines) {
    const opening = closes === undefined ? undefined : tokens.at(-1)!.text;
    if (opening !== undefined) isList[depth] = opening === '[';
    if (depth === 0 || /^[}\]]$/.test(tokens[0]!.text)) continue;
    const start = (before ?? ' '.repeat(column + (depth - 1) * 2)) + (isList[depth - 1] ? '- ' : '');
    before = undefined;
    const words = (opening === undefined ? tokens : tokens.slice(0, -1)).filter(({ text: word }) => word !== ',');
    if (words.length === 0) before = start;
    else yaml.push(start + words.map(wordOf).join('').trimEnd());
  }
  return yaml;
}

function wordOf({ kind, text }: Token): string {
  if (kind === 'mark') return text === ':' ? ': ' : text;
  if (kind !== 'key' && kind !== 'string') return text;
  const value: string = JSON.parse(text);
  return kind === 'key' && PLAIN_KEY.test(value) ? value : JSON.stringify(value);
}
