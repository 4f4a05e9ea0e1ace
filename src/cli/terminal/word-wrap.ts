import { columns } from '../../text-report/printable-text.ts';

/** A stream that may be a terminal. */
export interface WidthOf {
  isTTY?: boolean;
  columns?: number;
}

/** Returns the columns of a stream: those of the terminal, or `COLUMNS`. Without either there is no limit. */
export function widthOf({ isTTY, columns: terminal }: WidthOf, env: NodeJS.ProcessEnv = process.env): number {
  return (isTTY ? terminal : Number(env.COLUMNS)) || Number.POSITIVE_INFINITY;
}

/** Sets a colour, and takes no place. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COLOUR = /\u001b\[[\d;]*m/g;
const HANGING = 2;
/** A word with the blanks before it. A number and its unit are one. */
const WORD = /\s*(?:\(?\d[\d.,]* (?:ms|s|MB)(?!\w)\S*|\S+)/g;

/** Breaks the lines of a text between words, where they are longer than `width`. What follows a break is indented. A word that is longer stays whole. */
export function wrapWords(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  return text
    .split('\n')
    .flatMap((line, index, all) => (isCaret(all[index + 1]) ? [line] : wrapLine(line, width)))
    .join('\n');
}

/** Reports whether a line points into the one above it, which then has to keep its columns. */
function isCaret(line: string | undefined): boolean {
  return line !== undefined && /^ *\^$/.test(line.replace(COLOUR, ''));
}

function wrapLine(line: string, width: number): string[] {
  if (columnsOf(line) <= width) return [line];
  const words = line.match(WORD) ?? [];
  const start = /^ */.exec(line.replace(COLOUR, ''))![0].length;
  const indent = ' '.repeat(Math.min(start + HANGING, Math.floor(width / 2)));
  const lines: string[] = [];
  let current = '';
  for (const word of words) {
    if (current.trim() !== '' && columnsOf(current) + columnsOf(word) > width) {
      lines.push(current);
      current = indent + word.trimStart();
    } else current += word;
  }
  return [...lines, current];
}

function columnsOf(text: string): number {
  return columns(text.replace(COLOUR, ''));
}
