import type { CST } from 'yaml';
import { yamlPackage } from './load-yaml-package.ts';

/** Maximum number of words, marks and gaps in a text. Each takes about 250 bytes in a tree. */
const PARTS_MAX = 3_000_000;
export const TOO_MANY_PARTS = 'more than 3,000,000 words and marks';

/**
 * Parses a text into syntax trees, unless one has more than `limit` levels of lists and mappings, or too many parts.
 * Composing a document that is too deep would recurse, and a stack overflow there can end the process (V8 aborts if it is
 * compiling a regular expression at that moment). The rest of such a text is not read, nor that behind a token that no
 * YAML has there: millions of open brackets, or of closed ones, take gigabytes.
 */
export function syntaxWithin(text: string, limit: number): CST.Token[] | 'too deep' | 'too many parts' {
  const { Lexer, Parser } = yamlPackage();
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let parts = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > limit + NO_LEVELS) return 'too deep';
    if (++parts > PARTS_MAX) return 'too many parts';
    if (tokens.at(-1)?.type === 'error') break;
  }
  tokens.push(...parser.end());
  return tokens.some((token) => exceedsNestingLimit(token, limit)) ? 'too deep' : tokens;
}

/** Nodes that the parser has open beside lists and mappings: the document, and a scalar. */
const NO_LEVELS = 2;

/** Reports whether a syntax tree is too deep. It counts a list that has become a key, too, which the parser had open one level higher. */
function exceedsNestingLimit(token: CST.Token, limit: number): boolean {
  const waiting: [token: CST.Token, depth: number][] = [[token, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [parent, depth] = next;
    if (depth > limit) return true;
    for (const child of childrenOf(parent)) waiting.push([child, isCollection(child) ? depth + 1 : depth]);
  }
  return false;
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!isCollection(token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].filter((child) => child != null));
}

function isCollection(token: CST.Token): token is CST.BlockMap | CST.BlockSequence | CST.FlowCollection {
  return token.type === 'block-map' || token.type === 'block-seq' || token.type === 'flow-collection';
}
