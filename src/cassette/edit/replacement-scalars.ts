import { inlineScalar, scalar, singleQuoted } from '../write/yaml-scalar.ts';
import type { ScalarNode } from './list-scalar-nodes.ts';

/**
 * Returns spellings of `text` to replace `source`, the best first: a block stays a block and quotes stay quotes if they
 * can hold the text. The last spelling, in double quotes, can hold any text.
 */
export function replacementScalars(text: string, source: string, { scalar: { type }, isInFlow }: ScalarNode): string[] {
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

/** Block indentation of the cassette writer. */
const INDENT = 2;

/** Returns the column of a block's first line that is not blank. */
function indentOf(source: string): number {
  return /\n( *)[^ \n]/.exec(source)?.[1]?.length ?? INDENT;
}
