import type { Move } from '../cassette/moves.ts';
import type { Frame } from '../channel/frame.ts';
import { counted } from '../kernel/counted.ts';
import { isResponse } from '../protocol/message.ts';
import { subjectOf } from '../protocol/methods.ts';

/**
 * Something that the person who owns the session must hear of. `miss` fails the run; the others are told:
 * `unrecorded` a live notification that the tape does not know, `stray` a live answer to nothing, `missing` something
 * waited for that did not come in time, `late` a cancel overtaken by the answer, `unsent` recorded frames that could not
 * be said, `unused` recorded requests that never came, `unfired` a fault that never happened, `leaked`
 * a process that nobody ended.
 */
export interface Finding {
  kind: 'miss' | 'unrecorded' | 'stray' | 'missing' | 'late' | 'unsent' | 'unused' | 'unfired' | 'leaked';
  text: string;
  /** The move that the finding is about, where there is one. */
  move?: Move;
  /** The same of `unused` and `unsent`, which may be about several. */
  moves?: readonly Move[];
  /** Of a miss: the closest recorded request, and what was asked, as a runner draws their difference. */
  expected?: unknown;
  actual?: unknown;
}

export function missingFinding(waiting: Move, missing: Move, file: string): Finding {
  const waited = `${titleOf(waiting.message)} of line ${waiting.line} went on without it`;
  const text = `${file}:${missing.line} ${titleOf(missing.message)} did not come in time: ${waited}.`;
  return { kind: 'missing', text, move: missing };
}

export function unrecordedFinding(peer: Frame['from'], method: string, file: string): Finding {
  return { kind: 'unrecorded', text: `The ${peer} sent ${method}, which ${file} does not have here.` };
}

export function lateFinding(id: string): Finding {
  return { kind: 'late', text: `The cancel of request ${id} was not sent: the live answer came first.` };
}

export function unsentFinding(moves: readonly Move[], file: string): Finding {
  return {
    kind: 'unsent',
    text: `${counted(moves.length, 'recorded message')} could not be sent:${list(moves, file)}`,
    moves,
  };
}

export function unusedFinding(moves: readonly Move[], file: string): Finding {
  const text = `${counted(moves.length, 'recorded request')} never came:${list(moves, file)}`;
  return { kind: 'unused', text, moves };
}

const LISTED_MAX = 5;

function list(moves: readonly Move[], file: string): string {
  const shown = moves
    .slice(0, LISTED_MAX)
    .map(({ line, message }) => `\n    ${file}:${line} ${titleOf(message)}`);
  const more = moves.length - LISTED_MAX;
  return shown.join('') + (more > 0 ? `\n    and ${more} more` : '');
}

function titleOf(message: Move['message']): string {
  if (message === undefined) return 'the end';
  return isResponse(message) ? 'response' : subjectOf(message.method, message.params);
}
