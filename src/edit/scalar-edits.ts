import { replacementScalars } from '../cassette/edit/replacement-scalars.ts';
import { MESSAGE_KEYS } from '../cassette/edit/value-edits.ts';
import { yamlPackage } from '../cassette/read/yaml/load-yaml-package.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { type JsonPath, locate, type Span } from '../protocol/json-scan.ts';
import type { EventLines } from './cassette-lines.ts';

/** A replacement for a span of the cassette's parsed text. */
export interface TextEdit extends Span {
  text: string;
}

/** A new JSON token at a path of a message. */
export interface TokenChange {
  path: JsonPath;
  token: string;
}

/** Returns the lines of an event with non-overlapping `edits` applied. Line breaks are those of the file. */
export function editedText({ text, plain, start }: EventLines, edits: readonly TextEdit[]): string {
  if (edits.length === 0) return text;
  let result = '';
  let from = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    result += plain.slice(from, edit.start - start) + edit.text;
    from = edit.end - start;
  }
  result += plain.slice(from);
  const [lineBreak = '\n'] = /\r\n?|\n/.exec(text) ?? [];
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  return mark + (lineBreak === '\n' ? result : result.replaceAll('\n', lineBreak));
}

/** Returns the edits that change tokens in an event's message, or `undefined` if one cannot be located. */
export function messageEdits({ event }: EventLines, changes: readonly TokenChange[]): TextEdit[] | undefined {
  const { isMap, isScalar } = yamlPackage();
  const { map } = event.node();
  if (!isMap(map)) return undefined;
  const key = MESSAGE_KEYS.find((name) => map.has(name));
  const node = key && map.get(key, true);
  if (key === undefined || node === undefined) return undefined;
  if (isScalar(node)) {
    // A raw line, as text or base64.
    const isBytes = key.endsWith('Bytes');
    const line = String(node.value);
    const json = changed(isBytes ? Buffer.from(line, 'base64').toString() : line, changes);
    const written = isBytes ? Buffer.from(json).toString('base64') : json;
    const [start, end] = node.range!;
    const source = event.source.text.slice(start, end);
    const text = replacementScalars(written, source, { scalar: node, isInFlow: false })[0]!;
    return [{ start: event.at + start, end: event.at + end, text }];
  }
  const edits = changes.map(({ path, token }) => tokenEdit(event, [key, ...path], token));
  return edits.every((edit) => edit !== undefined) ? edits : undefined;
}

function changed(json: string, changes: readonly TokenChange[]): string {
  return changes.reduce((text, { path, token }) => {
    const span = locate(text, path);
    return span ? text.slice(0, span.start) + token + text.slice(span.end) : text;
  }, json);
}

/** Returns the edit that replaces an event's scalar at `path` by `token`, or `undefined` without a scalar. */
export function tokenEdit(event: EventLines['event'], path: JsonPath, token: string): TextEdit | undefined {
  const { isMap, isScalar } = yamlPackage();
  const { map } = event.node();
  const node = isMap(map) ? map.getIn(path, true) : undefined;
  if (!isScalar(node) || !node.range) return undefined;
  return { start: event.at + node.range[0], end: event.at + node.range[1], text: token };
}

/** Returns the edit that sets an event's `after` key to `delay`, or `undefined` for unsupported layouts. */
export function delayEdit(lines: EventLines, delay: Milliseconds): TextEdit | undefined {
  const { event, plain, start } = lines;
  const { isMap, isNode } = yamlPackage();
  const { map } = event.node();
  if (!isMap(map) || !map.range) return undefined;
  if (map.has('after')) return tokenEdit(event, ['after'], String(delay));
  if (map.flow) {
    const last = map.items.at(-1)?.value;
    const at = isNode(last) ? last.range?.[1] : undefined;
    return at === undefined ? undefined : insertion(event.at + at, `, after: ${delay}`);
  }
  const key = event.at + map.range[0] - start;
  const column = key - (plain.lastIndexOf('\n', key - 1) + 1);
  // Trailing blank lines belong to a block scalar with a keep indicator (`+`).
  const body = KEEPS_BLANKS.test(plain) ? plain : plain.trimEnd();
  const lineBreak = body.endsWith('\n') ? '' : '\n';
  const rest = plain.slice(body.length) === '' && lineBreak === '' ? '\n' : '';
  return insertion(start + body.length, `${lineBreak}${' '.repeat(column)}after: ${delay}${rest}`);
}

const KEEPS_BLANKS = /[|>]\d?\+\d?[ \t]*(?:#.*)?$/m;

function insertion(at: number, text: string): TextEdit {
  return { start: at, end: at, text };
}
