import { jsonToYaml } from '../../cassette/write/json-to-yaml.ts';
import { alignSequences } from '../../html-report/data/align-sequences.ts';
import type { DifferenceLine } from '../../html-report/data/live-page-protocol.ts';
import { printable } from '../../text-report/printable-text.ts';

/** Number of unchanged lines shown around a change. */
const CONTEXT_LINES = 2;
/** Maximum number of lines. A page shows no more. */
const LINES_MAX = 1_000;

/** Returns the lines in which two values differ as YAML, with some lines around them. Empty: the values are equal. */
export function differenceLines(before: string, after: string): DifferenceLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const keysOf = (lines: readonly string[]) => lines.map((line) => [line]);
  const all = removedFirst(
    alignSequences(keysOf(old), keysOf(now)).flatMap((pair): DifferenceLine[] => {
      const isKept = pair.before !== undefined && pair.after !== undefined && !pair.moved;
      if (isKept) return [{ kind: 'same', text: old[pair.before!]! }];
      return [
        ...(pair.before === undefined ? [] : [{ kind: 'removed' as const, text: old[pair.before]! }]),
        ...(pair.after === undefined ? [] : [{ kind: 'added' as const, text: now[pair.after]! }]),
      ];
    }),
  );
  const isNear = (at: number) =>
    all.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ kind }) => kind !== 'same');
  return all
    .filter((_, at) => isNear(at))
    .slice(0, LINES_MAX)
    .map(({ kind, text }) => ({ kind, text: printable(text) }));
}

/** Puts the removed lines of each change before its added ones. */
function removedFirst(lines: readonly DifferenceLine[]): DifferenceLine[] {
  const ordered: DifferenceLine[] = [];
  const added: DifferenceLine[] = [];
  for (const line of lines) {
    if (line.kind === 'added') added.push(line);
    else {
      if (line.kind === 'same') ordered.push(...added.splice(0));
      ordered.push(line);
    }
  }
  return [...ordered, ...added];
}

function linesOf(json: string): string[] {
  return (jsonToYaml(json, 0) ?? json).split('\n').filter((line) => line.trim() !== '');
}
