import { columns } from '../../text-report/printable-text.ts';

/** A stream that may be a terminal. */
export interface WidthOf {
  isTTY?: boolean;
  columns?: number;
}

/** Returns the width of a stream: columns of the terminal, or else `COLUMNS`. Infinite if both are missing. */
export function widthOf({ isTTY, columns: terminal }: WidthOf, env: NodeJS.ProcessEnv = process.env): number {
  return (isTTY ? terminal : Number(env.COLUMNS)) || Number.POSITIVE_INFINITY;
}

/** Escape sequence for a colour, which has no width. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COLOUR = /\u001b\[[\d;]*m/g;
const HANGING = 2;
/** Matches a word with the preceding blanks. A number and its unit count as one word. */
const WORD = /\s*(?:\(?\d[\d.,]* (?:ms|s|MB)(?!\w)\S*|\S+)/g;

/**
 * Breaks lines longer than `width` between words. Continuation lines are indented. Words longer than `width` are not
 * broken.
 */
export function wrapWords(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  return text
    .split('\n')
    .flatMap((line, index, all) => (isCaret(all[index + 1]) ? [line] : wrapLine(line, width)))
    .join('\n');
}

/**
 * Reports whether a line is only a caret that points at a column of the line above. That line must then keep its
 * columns.
 */
function isCaret(line: string | undefined): boolean {
  return line !== undefined && /^ *\^$/.test(line.replace(COLOUR, ''));
}

function wrapLine(line: string, width: number): string[] {
  if (columnsOf(line) <= width) return [line];
  // Blanks at the end, which no word follows, would be read again from each of them.
  const words = line.trimEnd().match(WORD) ?? [];
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
