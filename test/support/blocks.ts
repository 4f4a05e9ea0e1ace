/** A fenced block of a document. */
export interface Block {
  /** Where it begins, as editors open it. */
  place: string;
  /** What it says it is; empty where it does not. */
  language: string;
  text: string;
}

/** Pages whose files are written, and whose commands run, in this order and in one folder: see test/walkthrough.test.ts. */
export const WALKED_PAGES: readonly string[] = [
  'docs/getting-started.md',
  'docs/test-client.md',
  'docs/analyze-a-bug.md',
  'docs/ci.md',
  'docs/ci-recipes.md',
  'docs/ci-reference.md',
];

/** Reports whether test/walkthrough.test.ts reads the page of a block. */
export function isOnWalkedPage({ place }: Block): boolean {
  return WALKED_PAGES.includes(place.replace(/:\d+$/, ''));
}

/** The fenced blocks of a document, in order. */
export function blocksOf(path: string, document: string): Block[] {
  return [...document.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language, 2: text }) => ({
    place: `${path}:${document.slice(0, index).split('\n').length}`,
    language: language!,
    text: text!,
  }));
}

/** The words of a command as a shell has them, without what is said of it after a `#`, and where its output goes. */
export function wordsOf(line: string): string[] {
  const words = line.replace(/ > \S+$/, '').match(/#.*|(?:'[^']*'|"[^"]*"|[^\s'"#])+/g) ?? [];
  return words.filter((word) => !word.startsWith('#')).map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}
