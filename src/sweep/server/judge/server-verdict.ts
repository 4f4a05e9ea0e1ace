import type { GridVerdicts } from '../../grid-text.ts';

/** How a server took a misbehaviour of its client. */
export type ServerVerdict =
  /** It answered the message and all that came after it as without the misbehaviour. */
  | 'passed'
  /** It refused the message and said so, or let go of it as it may. All that came after it was answered. */
  | 'refused'
  /** It owed an error and said nothing. All that came after it was answered. */
  | 'ignored'
  /** It did not answer, or not end, in time. */
  | 'hung'
  /** Its process ended although the client was there, or of an error that nobody caught. */
  | 'crashed'
  /** It left processes behind. */
  | 'leaked'
  /** An answer is another one than without the misbehaviour. */
  | 'corrupted'
  /** A request took effect, or was answered, once too often. */
  | 'repeated'
  /** It answered what nobody had asked. */
  | 'stray'
  /** The misbehaviour never happened: the session did not get so far. */
  | 'unreached';

/** Verdicts that fail a sweep of a server. */
export const BAD_SERVER: ReadonlySet<ServerVerdict> = new Set<ServerVerdict>([
  'hung',
  'crashed',
  'leaked',
  'corrupted',
  'repeated',
  'stray',
]);

/** How the verdicts on a server are shown. */
export const SERVER_VERDICTS: GridVerdicts<ServerVerdict> = {
  letters: {
    passed: '·',
    refused: 'r',
    ignored: 'i',
    hung: 'H',
    crashed: 'C',
    leaked: 'L',
    corrupted: '!',
    repeated: '2',
    stray: '?',
    unreached: ' ',
  },
  bad: BAD_SERVER,
  listed: new Set<ServerVerdict>(['ignored']),
};

/** A verdict with its reason. */
export interface Judgement {
  verdict: ServerVerdict;
  /** What was seen, in words. Absent where the verdict says it all. */
  why?: string;
  /** Section of the specification that was broken. Absent: no rule. */
  source?: string;
}

/** Returns a reason with the rule that it breaks, for people. */
export function reasonText({ why, source }: Judgement): string | undefined {
  if (why === undefined) return undefined;
  return `${why} (${source ?? 'no rule; surprising'})`;
}
