/** Line of a delay, the only one that a cut changes. */
const DELAY = /^\s+after: /;

/**
 * Reports whether a text is what an earlier cut kept of a cassette: it has the format, and its lines are lines of
 * the cassette, in this order. Such a file may be replaced, because nothing in it is lost.
 */
export function isEarlierCut(text: string, cassette: string): boolean {
  const lines = linesOf(text);
  if (!lines.some((line) => line.startsWith('format: '))) return false;
  const recorded = linesOf(cassette);
  let next = 0;
  for (const line of lines) {
    const at = recorded.indexOf(line, next);
    if (at < 0) return false;
    next = at + 1;
  }
  return true;
}

function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/).filter((line) => line !== '' && !DELAY.test(line));
}
