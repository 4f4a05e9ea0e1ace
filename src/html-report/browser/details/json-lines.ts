export type TokenKind = 'key' | 'string' | 'number' | 'word' | 'mark';

export interface Token {
  kind: TokenKind;
  text: string;
}

/** One line of JSON as it is shown. */
export interface JsonLine {
  depth: number;
  tokens: Token[];
  /** Where an object or list of several lines opens: the position of the line that closes it. */
  closes?: number;
}

const TOKEN = /\s*(?:("[^"\\]*(?:\\.[^"\\]*)*")|(-?\d[^\s,\]}]*)|(true|false|null)|([{}[\],:]))/y;

/**
 * JSON by lines, every token as it is written: no number is rounded, no key is moved, none is lost.
 * Undefined: it is not JSON.
 */
export function jsonLines(text: string): JsonLine[] | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  const lines: JsonLine[] = [{ depth: 0, tokens: [] }];
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    const { text: word, kind } = token;
    const next = tokens[index + 1]?.text;
    const isOpening = kind === 'mark' && (word === '{' || word === '[');
    const isClosing = kind === 'mark' && (word === '}' || word === ']');
    if (isClosing && tokens[index - 1]?.text !== (word === '}' ? '{' : '[')) {
      const opener = open.pop();
      if (opener === undefined) return undefined;
      lines.push({ depth: open.length, tokens: [] });
      lines[opener]!.closes = lines.length - 1;
    }
    lines.at(-1)!.tokens.push(token);
    if (isOpening && next !== (word === '{' ? '}' : ']')) {
      open.push(lines.length - 1);
      lines.push({ depth: open.length, tokens: [] });
    } else if (kind === 'mark' && word === ',') lines.push({ depth: open.length, tokens: [] });
  }
  return open.length === 0 ? lines : undefined;
}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text);
    if (found === null) return undefined;
    const [, string, number, word, mark] = found;
    if (mark === ':') {
      const key = tokens.at(-1);
      if (key === undefined) return undefined;
      key.kind = 'key';
    }
    if (string !== undefined) tokens.push({ kind: 'string', text: string });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else tokens.push({ kind: 'mark', text: mark! });
  }
  return tokens.length === 0 ? undefined : tokens;
}
