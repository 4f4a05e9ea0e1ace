import { jsonLines, type Token } from './json-lines.ts';

/** Keys that need no quotes, and are no other value without them. */
const PLAIN_KEY = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z_$][\w$-]*$/i;

/**
 * Returns a JSON object or list as block YAML, one line each, beginning at `column`. Numbers and the order of keys stay
 * as they are. Undefined: the text is no JSON, or neither object nor list, or has nothing in it.
 */
export function blockYaml(text: string, column: number): string[] | undefined {
  const lines = jsonLines(text);
  if (lines === undefined || lines.length < 2) return undefined;
  const yaml: string[] = [];
  /** Whether what is open at each depth is a list. */
  const isList: boolean[] = [];
  /** What stands before the first line of an object or list that is an item of a list. */
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
