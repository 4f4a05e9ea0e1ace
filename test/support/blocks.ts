/** A fenced block of a document. */
export interface Block {
  /** Where it begins, as editors open it. */
  place: string;
  /** What it says it is; empty where it does not. */
  language: string;
  text: string;
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
