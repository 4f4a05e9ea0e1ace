/** A replacement for a part of a text. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Applies non-overlapping edits to a text. */
export function edited(text: string, edits: readonly Edit[]): string {
  const fromTheEnd = [...edits].sort((a, b) => b.start - a.start);
  return fromTheEnd.reduce((rest, { start, end, text: put }) => rest.slice(0, start) + put + rest.slice(end), text);
}

/** Returns the indentation of the line at `offset`. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

/** Returns the first line break of a text. Each server asks for it. */
export function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** Returns a string in double quotes, as JSON, TOML and YAML read it alike. TOML and YAML want DEL escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
