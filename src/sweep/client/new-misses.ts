/**
 * Returns the requests of a run that the cassette does not answer, and that a run without a fault does not send. Both are
 * texts about such requests, whose first lines name the request without its values: values may be new in each run.
 */
export function newMisses(unserved: readonly string[], known: readonly string[]): string[] {
  const left = known.map(firstLine);
  return unserved.filter((text) => {
    const at = left.indexOf(firstLine(text));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Returns the reason of a verdict for the requests that the cassette does not have. */
export function missesText(misses: readonly string[]): string {
  const [first = ''] = misses;
  const more = misses.length > 1 ? ` (and ${misses.length - 1} more)` : '';
  return `it sent a request that the cassette does not have: ${shortMiss(first)}${more}`;
}

/** Returns the first line of a text about a request, and where the closest recorded request differs. */
export function shortMiss(text: string): string {
  const [first = '', closest] = text.split('\n');
  const short = closest !== undefined && first.endsWith(' Closest:') ? `${first} ${closest.trim()}` : first;
  return short.replace(/\.$/, '');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
