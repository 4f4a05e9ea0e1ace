import type { Node } from 'jsonc-parser';
import type { ConfiguredServer } from './find-servers-in-configuration.ts';
import { propertyOf } from './server-entry-formatter.ts';
import { type Edit, indentAt, lineEndOf, quoted } from './text-edits.ts';

/** Separates the recorder's words from the server's command, if the server had `args`. */
const SEPARATOR = '--';

/** Reports whether the server has a command: a text beside `args`, or a list of words. */
export function hasCommand(server: Node): boolean {
  const command = propertyOf(server, 'command');
  return typeof command?.value === 'string' || (command?.type === 'array' && (command.children ?? []).length > 0);
}

/** Reports whether the server's `args` are not a list, but for example `null`. */
export function hasOtherArgs(server: Node): boolean {
  const args = propertyOf(server, 'args');
  return args !== undefined && args.type !== 'array' && propertyOf(server, 'command')?.type !== 'array';
}

/**
 * Returns the edits that put `recorder` before a server's command: its first word becomes the command, the others
 * precede the server's own words, which keep their spelling. A server without `args` gets `args` without `--`, so that
 * {@link unwrapServerCommand} removes them again.
 */
export function wrapServerCommand(
  text: string,
  { node, syntax }: ConfiguredServer,
  recorder: readonly string[],
): Edit[] {
  const command = propertyOf(node, 'command')!;
  if (command.type === 'array') return [wordsBefore(text, command, [...recorder, SEPARATOR].map(quoted))];
  const args = propertyOf(node, 'args');
  const [program = '', ...words] = recorder;
  const own = spelling(text, command);
  const edits: Edit[] = [{ ...spanOf(command), text: quoted(program) }];
  if (args === undefined) {
    const end = command.offset + command.length;
    const [head] = syntax.member('args', []).split('[');
    const list = `${head}[${[...words.map(quoted), own].join(', ')}]`;
    return [...edits, { start: end, end, text: syntax.gap + list }];
  }
  return [...edits, wordsBefore(text, args, [...[...words, SEPARATOR].map(quoted), own])];
}

/**
 * Returns the edit that inserts words at the beginning of a list, in the list's own style: either between brackets, or
 * each word on a new line.
 */
function wordsBefore(text: string, list: Node, words: readonly string[]): Edit {
  const [first] = list.children ?? [];
  if (first === undefined) return { start: list.offset + 1, end: list.offset + 1, text: words.join(', ') };
  const at = { start: first.offset, end: first.offset };
  if (text[list.offset] === '-') {
    const dash = `${lineEndOf(text)}${' '.repeat(columnOf(text, list.offset))}- `;
    return { ...at, text: words.map((word) => word + dash).join('') };
  }
  const between = text.slice(list.offset + 1, first.offset);
  const gap = /\n/.test(between) ? lineEndOf(text) + indentAt(text, first.offset) : ' ';
  return { ...at, text: `${words.join(', ')},${gap}` };
}

/** Returns the edits that undo {@link wrapServerCommand}, or `undefined` if the server is not wrapped. */
export function unwrapServerCommand(text: string, server: Node): Edit[] | undefined {
  const command = propertyOf(server, 'command');
  if (command?.type === 'array') return unwrapWords(command);
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
  const isOurs = words[own - 2]?.value !== SEPARATOR && OUR_ARGS.test(text.slice(start, args.offset));
  if (isOurs) return [...edits, { start, end, text: '' }];
  return [...edits, { start: words[0]!.offset, end: wrapped.offset + wrapped.length, text: '' }];
}

/** Text between a command and `args` that {@link wrapServerCommand} has added, in any format. */
const OUR_ARGS = /^\s*,?\s*"?args"?\s*[:=]\s*$/;

function unwrapWords(command: Node): Edit[] | undefined {
  const words = command.children ?? [];
  const own = commandWord(words.map(({ value }) => String(value)));
  const first = own === undefined ? undefined : words[own];
  return first && [{ start: words[0]!.offset, end: first.offset, text: '' }];
}

/** Reports whether the server starts with our recorder. */
export function isWrapped(server: Node): boolean {
  return recordAt(wordsOf(server)) !== undefined;
}

/** Reports whether the command of a server has all these words. */
export function hasWords(server: Node, wanted: readonly string[]): boolean {
  const words = wordsOf(server);
  return wanted.every((word) => words.includes(word));
}

function wordsOf(server: Node): string[] {
  const command = propertyOf(server, 'command');
  const args = propertyOf(server, 'args')?.children ?? [];
  const words = command?.type === 'array' ? (command.children ?? []) : [command, ...args];
  return words.map((word) => String(word?.value ?? ''));
}

const PROGRAM = /(?:^|[\\/])mcp-record(?:\.js|\.cmd|@[^\\/]+)?$/;

/** Returns the position of the word `record` after our program's name. */
function recordAt(words: readonly string[]): number | undefined {
  const at = words.findIndex((word, index) => word === 'record' && PROGRAM.test(words[index - 1] ?? ''));
  return at < 0 ? undefined : at;
}

/** Option of the recorder that `wrap` has added. */
const REDACTION_OPTION = /^--redact-[a-z]+=/;

/** Returns the position of the server's own command, after `record -o FOLDER`, its rules and an optional `--`. */
function commandWord(words: readonly string[]): number | undefined {
  const at = recordAt(words);
  if (at === undefined || words[at + 1] !== '-o') return undefined;
  let own = at + 3;
  while (REDACTION_OPTION.test(words[own] ?? '')) own += 1;
  if (words[own] === SEPARATOR) own += 1;
  return words[own]?.startsWith('-') === false ? own : undefined;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function spelling(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}

function spanOf({ offset, length }: Node): Pick<Edit, 'start' | 'end'> {
  return { start: offset, end: offset + length };
}
