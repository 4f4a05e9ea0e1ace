import { type Unplayable, unplayableEntries } from '../../cassette/correlate/unplayable-entries.ts';
import { lacksVersion } from '../../cassette/read/json-rpc-version.ts';
import { counted } from '../../kernel/format-count.ts';
import { isResponse, type Message } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/methods.ts';
import type { Score } from '../plan/server-plan.ts';
import type { Finding } from './finding.ts';

const SHOWN_MAX = 10;

/** What a person should know of a cassette before it is played: what is filled in, and entries that no session can play. */
export function unplayableFindings({ score, file }: { score: Score; file: string }): Finding[] {
  const findings: Finding[] = filledIn(score, file);
  for (const entry of unplayableEntries(score.moves, score.links)) {
    if (findings.length >= SHOWN_MAX) {
      findings.push({ kind: 'unplayable', text: `${file} has more entries that cannot be played.` });
      break;
    }
    findings.push(unplayable(entry, file));
  }
  return findings;
}

function filledIn({ moves, side }: Score, file: string): Finding[] {
  const [first, ...others] = moves.filter((move) => move.from === side && lacksVersion(move));
  if (first === undefined) return [];
  const more = others.length > 0 ? ` (and ${counted(others.length, 'message')} after it)` : '';
  const text = `${file}:${first.line} ${titleOf(first.message!)} has no "jsonrpc"${more}: played as "2.0".`;
  return [{ kind: 'default', text, move: first }];
}

function unplayable({ move, why, next }: Unplayable, file: string): Finding {
  return { kind: 'unplayable', text: `${file}:${move.line} ${titleOf(move.message)}: ${why}. ${next}`, move };
}

function titleOf(message: Message): string {
  return isResponse(message) ? 'response' : subjectOf(message.method, message.params);
}
