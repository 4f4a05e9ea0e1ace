/** A text of a document that the limits are about: a paragraph, an item of a list, a heading or a cell of a table. */
export interface Passage {
  /** Where it begins, as editors open it. */
  place: string;
  /** Its words, with one word for each span of code, and without the targets of links. */
  text: string;
}

const FENCE = /^ *```/;
const TABLE_RULE = /^ *\|[ :|-]+$/;
/** What begins a passage of its own without an empty line before it. */
const STARTS_PASSAGE = /^ *(?:#+ |[-*] |\d+\. |> )/;

/** Returns the passages of a document, in order, without its blocks of code. */
export function passagesOf(path: string, document: string): Passage[] {
  const passages: { line: number; text: string }[] = [];
  let isCode = false;
  let isOpen = false;
  for (const [index, line] of document.split('\n').entries()) {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode || FENCE.test(line) || TABLE_RULE.test(line) || line.trim() === '') {
      isOpen = false;
    } else if (line.trimStart().startsWith('|')) {
      passages.push(...cellsOf(line).map((text) => ({ line: index, text })));
      isOpen = false;
    } else if (isOpen && !STARTS_PASSAGE.test(line)) {
      passages.at(-1)!.text += ` ${line.trim()}`;
    } else {
      passages.push({ line: index, text: line.replace(STARTS_PASSAGE, '').trim() });
      isOpen = true;
    }
  }
  return passages.map(({ line, text }) => ({ place: `${path}:${line + 1}`, text: plainText(text) }));
}

/** Returns the sentences of a text. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?][)"']?)\s+(?=\S)/).filter((sentence) => sentence !== '');
}

/** Counts words. A dash between them is none. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Returns the line of a document's first block of code, from 1, or Infinity. */
export function firstCodeLine(document: string): number {
  const index = document.split('\n').findIndex((line) => FENCE.test(line));
  return index === -1 ? Infinity : index + 1;
}

function cellsOf(row: string): string[] {
  return row
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
}

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/(`+)[\s\S]*?\1/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[!/]?[a-z-][^>]*>/gi, '')
    .replaceAll(/\*+/g, '');
}
