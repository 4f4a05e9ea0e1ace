import type { Cassette } from '../../cassette/cassette.ts';
import { REVISIONS } from '../../protocol/revisions.ts';
import { type ExercisedPart, type ExercisedParts, exercisedParts } from './exercised-parts.ts';
import { type ProtocolPart, protocolParts } from './protocol-parts.ts';

/** Part of the protocol, with usage counts from cassettes. */
export interface CoveredPart extends ProtocolPart {
  /** Number of occurrences. 0: no cassette exercises the part. */
  count: number;
  /** Number of cassettes that exercise the part. */
  cassettes: number;
  /** First occurrence. Absent: there is none. */
  first?: { file: string; line: number };
}

/** Protocol coverage of all cassettes with the same revision. */
export interface RevisionCoverage {
  revision: string;
  files: string[];
  /** Number of exercised parts that the revision defines. `total`: number of all parts of the revision. */
  covered: number;
  total: number;
  /** Parts that the revision has. */
  parts: CoveredPart[];
  /** Exercised parts that the revision does not define: parts of extensions or other revisions, and mistakes. */
  others: CoveredPart[];
}

/** Protocol coverage of cassettes. */
export interface ProtocolCoverage {
  /** Revisions with a cassette, the oldest first. */
  revisions: RevisionCoverage[];
  /** Known revisions without a cassette. */
  missing: string[];
  /** Cassettes without a revision or with an unknown revision. */
  unknown: string[];
}

/** Groups cassettes by revision, and returns the exercised and unexercised parts of each revision. */
export function protocolCoverage(cassettes: readonly Cassette[]): ProtocolCoverage {
  const sessions = cassettes.map(exercisedParts);
  const byRevision = REVISIONS.map((revision) => ({
    revision,
    sessions: sessions.filter((session) => session.revision === revision),
  }));
  const isKnown = (revision: string | undefined) => REVISIONS.some((one) => one === revision);
  return {
    revisions: byRevision
      .filter(({ sessions: own }) => own.length > 0)
      .map(({ revision, sessions: own }) => coverageOf(revision, protocolParts(revision), own)),
    missing: byRevision.filter(({ sessions: own }) => own.length === 0).map(({ revision }) => revision),
    unknown: sessions.filter(({ revision }) => !isKnown(revision)).map(({ file }) => file),
  };
}

function coverageOf(
  revision: string,
  known: readonly ProtocolPart[],
  sessions: readonly ExercisedParts[],
): RevisionCoverage {
  const found = new Map<string, CoveredPart>(known.map((part) => [keyOf(part), { ...part, count: 0, cassettes: 0 }]));
  for (const { file, parts } of sessions) {
    const seen = new Set<string>();
    for (const { line, ...part } of parts) {
      const key = keyOf(part);
      const covered: CoveredPart = found.get(key) ?? { ...part, count: 0, cassettes: 0 };
      covered.count++;
      covered.first ??= { file, line };
      if (!seen.has(key)) covered.cassettes++;
      seen.add(key);
      found.set(key, covered);
    }
  }
  const all = [...found.values()];
  const parts = all.slice(0, known.length);
  return {
    revision,
    files: sessions.map(({ file }) => file),
    covered: parts.filter(({ count }) => count > 0).length,
    total: parts.length,
    parts,
    others: all.slice(known.length),
  };
}

function keyOf({ kind, from, name }: ProtocolPart | ExercisedPart): string {
  return JSON.stringify([kind, from ?? '', name]);
}
