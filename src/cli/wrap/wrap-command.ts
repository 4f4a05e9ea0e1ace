import type { Node } from 'jsonc-parser';
import { propertyOf } from './configuration.ts';
import { type Edit, indentAt, lineEndOf } from './text-edits.ts';

/** Between the recorder's words and the server's command, where the server had `args` of its own. */
const SEPARATOR = '--';

/**
 * Puts `recorder` before the command of a server: its first word becomes the command, the rest goes before the server's own
 * words. The server's words keep their spelling. A server without `args` is given some, and the recorder no `--`: that tells
 * {@link unwrapCommand} to take the `args` away again.
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

/** Takes out what {@link wrapCommand} put in; undefined where nothing of ours stands there. */
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

/** Whether a recorder of ours stands before the server. */
export function isWrapped(server: Node): boolean {
  const command = String(propertyOf(server, 'command')?.value ?? '');
  const args = propertyOf(server, 'args')?.children ?? [];
  return recordAt([command, ...args.map(({ value }) => String(value))]) !== undefined;
}

const PROGRAM = /(?:^|[\\/])mcp-record(?:\.js|\.cmd|@[^\\/]+)?$/;

/** Where `record` stands, after the name of our program. */
function recordAt(words: readonly string[]): number | undefined {
  const at = words.findIndex((word, index) => word === 'record' && PROGRAM.test(words[index - 1] ?? ''));
  return at < 0 ? undefined : at;
}

/** Where the server's own command begins, after `record -o FOLDER`, and `--` if there is one. */
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

/** What stands between two members of the object: a blank, or a line break with its indent. */
export function gapBefore(text: string, server: Node): string {
  const [first] = server.children ?? [];
  const isOnLines = first !== undefined && text.slice(server.offset, first.offset).includes('\n');
  return isOnLines ? lineEndOf(text) + indentAt(text, first.offset) : ' ';
}
