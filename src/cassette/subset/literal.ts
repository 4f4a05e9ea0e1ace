/** What a literal block holds, and the offset of the line that follows it. */
export interface Literal {
  value: string;
  end: number;
}

const HEADER = /\|(?<indicator>2?)(?<chomping>-?)\n/y;
const BLANKS = /[ \t]+(?:\n|$)/y;

/**
 * The literal block whose `|` stands at `at`, under a key or dash at `column`. Undefined: it is not one as our writer
 * writes them, where a line either is empty or has the block's indentation, and none ends in a blank. What
 * follows stands no further in than the key or dash, as readers differ on a comment that does, and is no line of blanks,
 * which would belong to the block.
 */
export function readLiteral(text: string, at: number, column: number): Literal | undefined {
  HEADER.lastIndex = at;
  const header = HEADER.exec(text);
  if (header === null) return undefined;
  const { indicator, chomping } = header.groups!;
  const start = HEADER.lastIndex;
  const indent = ' '.repeat(column + 2);
  const end = blockEnd(text, start, indent);
  BLANKS.lastIndex = end;
  const isAmbiguous = text.startsWith(' '.repeat(column + 1), end) || BLANKS.test(text);
  if (isAmbiguous) return undefined;
  const block = text.slice(start, end).replaceAll(`\n${indent}`, '\n');
  const lines = block.startsWith(indent) ? block.slice(indent.length) : block;
  const value = withoutFinalBreaks(lines);
  const isUntidy = /[ \t]\n/.test(lines) || /[ \t]$/.test(value.slice(-1)) || value.includes('\r');
  if (value === '' || isUntidy) return undefined;
  if (indicator === '' && /^\n*[ \t]/.test(value)) return undefined;
  return { value: chomping === '-' ? value : `${value}\n`, end };
}

/** The offset of the first line that neither has the block's indentation nor is empty. */
function blockEnd(text: string, start: number, indent: string): number {
  let at = start;
  while (at < text.length && (text.startsWith(indent, at) || text[at] === '\n')) {
    const lineBreak = text.indexOf('\n', at);
    at = lineBreak < 0 ? text.length : lineBreak + 1;
  }
  return at;
}

function withoutFinalBreaks(lines: string): string {
  let end = lines.length;
  while (lines[end - 1] === '\n') end--;
  return lines.slice(0, end);
}
