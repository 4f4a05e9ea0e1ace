import { literalSource } from '../../kernel/linear-regex.ts';

/** An absolute path of POSIX or Windows, or its URL. */
const ABSOLUTE = /^(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])\S/;

/**
 * Returns the source of an expression for the beginning of two absolute paths that lead to the same file of two
 * folders, such as two checkouts. The rest of the path is still compared. Undefined: they are no such paths.
 */
export function pathPrefixPattern(recorded: unknown, live: unknown): string | undefined {
  if (typeof recorded !== 'string' || typeof live !== 'string') return undefined;
  if (recorded === live || !ABSOLUTE.test(recorded) || !ABSOLUTE.test(live)) return undefined;
  const [one, other] = [recorded, live].map((path) => path.split(/[\\/]/)) as [string[], string[]];
  let same = 0;
  while (same < Math.min(one.length, other.length) && one.at(-1 - same) === other.at(-1 - same)) same++;
  if (same === 0) return undefined;
  // A rule for the folder of the file leaves the name of the file to compare: it names the folder of each side.
  const folders = same > 1 ? [one.at(-same)] : [one.at(-2), other.at(-2)];
  if (folders.some((folder) => folder === undefined || folder === '')) return undefined;
  const names = folders.map((folder) => literalSource(folder!)).join('|');
  return `^.*[\\\\/]${same > 1 ? names : `(?:${names})`}[\\\\/]`;
}

/** Returns an expression as a cassette and a test write it. */
export function writtenExpression(source: string): string {
  return `/${source.replaceAll('[\\\\/]', '[\\\\\\/]')}/`;
}
