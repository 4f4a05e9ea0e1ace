import { appendFileSync } from 'node:fs';
import type { Fired } from '../faults/misbehaviour.ts';
import type { Finding } from '../replay/finding.ts';

/** What a mock server that somebody else starts tells of itself. */
export interface FindingsFile {
  started(): void;
  found(finding: Finding): void;
  /** A rule of the n-th set has fired. */
  fired(fired: Fired, set: number): void;
  ended(): void;
}

const NOWHERE: FindingsFile = { started() {}, found() {}, fired() {}, ended() {} };

/** Appends a line of JSON for the start of this process, for all that is found, and for its end. */
export function findingsFile(path: string | undefined): FindingsFile {
  if (path === undefined) return NOWHERE;
  const { pid } = process;
  const append = (line: object) => appendFileSync(path, `${JSON.stringify({ pid, ...line })}\n`);
  return {
    started: () => append({ state: 'started' }),
    found: ({ kind, text }) => append({ kind, text }),
    fired: (fired, set) => append({ fired, set }),
    ended: () => append({ state: 'ended' }),
  };
}
