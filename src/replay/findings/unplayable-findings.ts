import type { Cassette } from '../../cassette/cassette.ts';
import { lacksJsonRpcVersion } from '../../cassette/correlate/add-json-rpc-version.ts';
import {
  type UnplayableEntry,
  unplayableEntries,
  unplayableResponses,
} from '../../cassette/correlate/unplayable-entries.ts';
import type { Side } from '../../channel/frame.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { planClient } from '../plan/client-plan.ts';
import { planServer, type ReplayPlan } from '../plan/server-plan.ts';
import { stripHttp } from '../prepare/strip-http.ts';
import { type Finding, titleOf } from './finding.ts';
import { refuseRegexArguments } from './unplayable-argument-patterns.ts';

const SHOWN_MAX = 10;

export interface PlayedCassette {
  plan: ReplayPlan;
  /** Name of the cassette. */
  file: string;
  /** Whether the cassette was written by hand. Responses without an open request are then mistakes in the file. */
  isHandWritten: boolean;
}

/**
 * Returns findings about a cassette that another process plays as `side`.
 * @throws McpRecordError CASSETTE_UNPLAYABLE
 */
export function unplayableFindingsOf(cassette: Cassette, side: Side): Finding[] {
  const { file, events, header } = stripHttp(cassette);
  const plan = side === 'server' ? planServer(events) : planClient(events);
  return unplayableFindings({ plan, file, isHandWritten: header.recorder === undefined });
}

/**
 * Checks a hand-written cassette before its client is played to a server.
 * @throws McpRecordError CASSETTE_UNPLAYABLE
 */
export function checkPlayable(cassette: Cassette): void {
  if (cassette.header.recorder !== undefined) return;
  unplayableFindingsOf(cassette, 'server');
  refuseRegexArguments(cassette);
}

/**
 * Returns findings about a plan before playback: added `jsonrpc` members, and entries that no session can play.
 * @throws McpRecordError CASSETTE_UNPLAYABLE if a hand-written file has a response without an open request
 */
export function unplayableFindings({ plan, file, isHandWritten }: PlayedCassette): Finding[] {
  const [stray] = isHandWritten ? unplayableResponses(plan.entries, plan.links) : [];
  if (stray) throw answersNothing(stray, file);
  const findings: Finding[] = filledIn(plan, file);
  for (const found of unplayableEntries(plan.entries, plan.links)) {
    if (findings.length >= SHOWN_MAX) {
      findings.push({ kind: 'unplayable', text: `${file} has more entries that cannot be played.` });
      break;
    }
    findings.push(unplayable(found, file));
  }
  return findings;
}

function filledIn({ entries, side }: ReplayPlan, file: string): Finding[] {
  const [first, ...others] = entries.filter((entry) => entry.from === side && lacksJsonRpcVersion(entry));
  if (first === undefined) return [];
  const more = others.length > 0 ? ` (and ${formatCount(others.length, 'message')} after it)` : '';
  const text = `${file}:${first.line} ${titleOf(first.message)} has no "jsonrpc"${more}: played as "2.0".`;
  return [{ kind: 'default', text, entry: first }];
}

function unplayable({ entry, why, next }: UnplayableEntry, file: string): Finding {
  return {
    kind: 'unplayable',
    text: `${file}:${entry.line} ${titleOf(entry.message)}: ${why}. ${next}`,
    entry,
  };
}

function answersNothing({ entry, why, next }: UnplayableEntry, file: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_UNPLAYABLE',
    what: `Cannot play ${file}`,
    why,
    next: `${next} To test a client with a second answer or a wrong id, use the fault duplicate or wrong-id.`,
    place: { file, line: entry.line },
  });
}
