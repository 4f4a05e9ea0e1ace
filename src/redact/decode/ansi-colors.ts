import type { TextEdit } from '../replace/text-edit.ts';

/**
 * Control sequences of terminals, e.g. for colours (ECMA-48, "control sequence introducer"), perhaps in escaped form.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with one
const SEQUENCE = /(?:\u001b|\\{1,16}(?:u001b|x1b|e|033))\[[\d;:?]{0,64}[A-Za-z]/gi;

/**
 * Returns edits of `text` as a terminal shows it. A colour sequence may stand before a name, or between it and its
 * value. Sequences around a secret stay.
 */
export function ansiColorEdits(text: string, inText: (shown: string) => readonly TextEdit[]): TextEdit[] {
  const mayHave = text.includes('\u001b') || text.includes('\\');
  if (!mayHave || text.search(SEQUENCE) < 0) return [];
  /** Offset in `text` of each character of `shown`. */
  const outer: number[] = [];
  let shown = '';
  let from = 0;
  const take = (end: number) => {
    for (let at = from; at < end; at++) outer.push(at);
    shown += text.slice(from, end);
  };
  for (const { 0: sequence, index } of text.matchAll(SEQUENCE)) {
    take(index);
    from = index + sequence.length;
  }
  take(text.length);
  return inText(shown).map(({ start, end, text: instead }) => ({
    start: outer[start]!,
    end: outer[end - 1]! + 1,
    text: instead,
  }));
}
