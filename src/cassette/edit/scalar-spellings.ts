import { inlineScalar, scalar, singleQuoted } from '../write/yaml-scalar.ts';
import type { ScalarNode } from './scalar-nodes.ts';

/**
 * How `text` can be written where `source` stands now, the likest first: a block stays a block and quotes stay quotes,
 * if they can hold it. The last, double quotes, can hold anything.
 */
export function scalarSpellings(text: string, source: string, { scalar: { type }, isInFlow }: ScalarNode): string[] {
  const quoted = JSON.stringify(text);
  if (type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED') {
    const rest = /\n[ \t\n]*$/.exec(source)?.[0] ?? '';
    const [, note = ''] = /^[|>][-+\d]*([ \t]+#[^\n]*)?/.exec(source)!;
    const block = scalar(text, indentOf(source) - INDENT).replace(/^\|[-+\d]*/, (head) => head + note);
    return [block + rest, quoted + note + rest];
  }
  if (type === 'QUOTE_SINGLE' && !text.includes('\n')) return [singleQuoted(text), quoted];
  return type === 'QUOTE_DOUBLE' || isInFlow ? [quoted] : [inlineScalar(text), quoted];
}

/** What our writer indents a block by. */
const INDENT = 2;

/** Returns the column of the first line that is not blank. */
function indentOf(source: string): number {
  return /\n( *)[^ \n]/.exec(source)?.[1]?.length ?? INDENT;
}
