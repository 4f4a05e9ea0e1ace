import type { Move } from '../../cassette/correlate/session-entries.ts';
import type { Part } from '../../replay/plan/sequence.ts';
import type { Score } from '../../replay/plan/server-plan.ts';
import { describeMove } from '../../text-report/describe-entry.ts';

/**
 * The score as lines for a person, in the order of the tape: each frame of the played side, the lane it stands in, what
 * it waits for beside the frame before it there, and the rule that says so. Frames are named by their line on the tape.
 */
export function scoreText({ moves, lanes }: Score): string[] {
  const rows = [...lanes].flatMap(({ opens, parts }) => {
    const lane = opens === undefined ? 'the start' : lineOf(moves[opens]!);
    return parts.map((part, index) => ({ part, lane, before: parts[index - 1]?.move }));
  });
  return rows
    .sort((a, b) => a.part.move - b.part.move)
    .map(({ part, lane, before }) => {
      const move = moves[part.move]!;
      const after =
        before === undefined
          ? `opens with ${lane}`
          : `in the lane of ${lane}, after ${lineOf(moves[before]!)}`;
      return `${String(move.line).padStart(6)}  ${describeMove(move).what}: ${after}${needsText(part, moves)} (${ruleText(part)})`;
    });
}

function needsText({ needs }: Part, moves: readonly Move[]): string {
  return needs.length === 0 ? '' : `, waits for ${needs.map((move) => lineOf(moves[move]!)).join(', ')}`;
}

function ruleText({ why, guess, ambient }: Part): string {
  const kind = ambient ? '; sent once, before the next response at the latest' : '';
  return `${why}${guess ? '; a guess' : ''}${kind}`;
}

function lineOf({ line }: Move): string {
  return `line ${line}`;
}
