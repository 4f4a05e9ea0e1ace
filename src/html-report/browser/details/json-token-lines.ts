export type TokenKind = 'key' | 'string' | 'number' | 'word' | 'mark';

export interface Token {
  kind: TokenKind;
  text: string;
}

/** Line of formatted JSON. */
export interface JsonLine {
  depth: number;
  tokens: Token[];
  /** Position of the line with the closing bracket, if this line opens a multi-line object or array. */
  closes?: number;
}

const TOKEN = /\s*(?:("[^"\\]*(?:\\.[^"\\]*)*")|(-?\d[^\s,\]}]*)|(true|false|null)|([{}[\],:]))/y;

/**
 * Splits JSON into lines. Tokens keep their spelling and order: numbers are not rounded, and repeated keys are kept.
 * Undefined: the text is not JSON.
 */
export function jsonTokenLines(text: string): JsonLine[] | undefined {
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
