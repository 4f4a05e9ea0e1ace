import type { Node } from 'jsonc-parser';
import { propertyOf } from './configuration.ts';
import { type Edit, indentAt, lineEndOf } from './text-edits.ts';

/** Separates the recorder's words from the server's command, if the server had `args`. */
const SEPARATOR = '--';

/**
 * Returns the edits that put `recorder` before a server's command: its first word becomes the command, the others
 * precede the server's own words, which keep their spelling. A server without `args` gets `args` without `--`, so that
 * {@link unwrapCommand} removes them again.
 */
export function wrapCommand(text: string, server: Node, recorder: readonly string[]): Edit[] {
  const command = propertyOf(server, 'command')!;
  const args = propertyOf(server, 'args');
  const [program = '', ...words] = recorder.map((word) => JSON.stringify(word));
  const own = spelling(text, command);
  const edits: Edit[] = [{ ...spanOf(command), text: program }];
  if (args?.type !== 'array') {
    const end = command.offset + command.length;
    const list = `"args": [${[...words, own].join(', ')}]`;
    return [...edits, { start: end, end, text: `,${gapBefore(text, server)}${list}` }];
  }
  const [first] = args.children ?? [];
  const put = [...words, JSON.stringify(SEPARATOR), own].join(', ');
  if (first === undefined) return [...edits, { start: args.offset + 1, end: args.offset + 1, text: put }];
  const between = text.slice(args.offset + 1, first.offset);
  const gap = /\n/.test(between) ? lineEndOf(text) + indentAt(text, first.offset) : ' ';
  return [...edits, { start: first.offset, end: first.offset, text: `${put},${gap}` }];
}

/** Returns the edits that undo {@link wrapCommand}, or `undefined` if the server is not wrapped. */
export function unwrapCommand(text: string, server: Node): Edit[] | undefined {
  const command = propertyOf(server, 'command');
  const args = propertyOf(server, 'args');
  if (command === undefined || args?.type !== 'array') return undefined;
  const words = args.children ?? [];
  const own = commandWord([String(command.value), ...words.map(({ value }) => String(value))]);
  if (own === undefined) return undefined;
  const wrapped = words[own - 1]!;
  const edits: Edit[] = [{ ...spanOf(command), text: spelling(text, wrapped) }];
  const next = words[own];
  if (next !== undefined) return [...edits, { start: words[0]!.offset, end: next.offset, text: '' }];
  const end = args.offset + args.length;
  const start = command.offset + command.length;
  const isOurs = words[own - 2]?.value !== SEPARATOR && /^\s*,\s*"args"\s*:\s*$/.test(text.slice(start, args.offset));
  if (isOurs) return [...edits, { start, end, text: '' }];
  return [...edits, { start: words[0]!.offset, end: wrapped.offset + wrapped.length, text: '' }];
}

/** Reports whether the server starts with our recorder. */
export function isWrapped(server: Node): boolean {
  const command = String(propertyOf(server, 'command')?.value ?? '');
  const args = propertyOf(server, 'args')?.children ?? [];
  return recordAt([command, ...args.map(({ value }) => String(value))]) !== undefined;
}

const PROGRAM = /(?:^|[\\/])mcp-record(?:\.js|\.cmd|@[^\\/]+)?$/;

/** Returns the position of the word `record` after our program's name. */
function recordAt(words: readonly string[]): number | undefined {
  const at = words.findIndex((word, index) => word === 'record' && PROGRAM.test(words[index - 1] ?? ''));
  return at < 0 ? undefined : at;
}

/** Returns the position of the server's own command, after `record -o FOLDER` and an optional `--`. */
function commandWord(words: readonly string[]): number | undefined {
  const at = recordAt(words);
  if (at === undefined || words[at + 1] !== '-o') return undefined;
  const own = words[at + 3] === SEPARATOR ? at + 4 : at + 3;
  return words[own] === undefined || words[own].startsWith('-') ? undefined : own;
}

function spelling(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}

function spanOf({ offset, length }: Node): Pick<Edit, 'start' | 'end'> {
  return { start: offset, end: offset + length };
}

/** Returns the separator of two members of the object: a blank, or a line break with indentation. */
export function gapBefore(text: string, server: Node): string {
  const [first] = server.children ?? [];
  const isOnLines = first !== undefined && text.slice(server.offset, first.offset).includes('\n');
  return isOnLines ? lineEndOf(text) + indentAt(text, first.offset) : ' ';
}
