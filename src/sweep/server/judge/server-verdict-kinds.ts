import type { GridVerdicts } from '../../grid-text.ts';

/** Verdict on a server's reaction to a misbehaviour. */
export type ServerVerdict =
  /** Its answers to the message and to later requests equal the baseline. */
  | 'passed'
  /**
   * It refused the message with an error, or discarded it where the specification allows that. Later answers equal the
   * baseline.
   */
  | 'refused'
  /** It sent no error where one was required. Later answers equal the baseline. */
  | 'ignored'
  /** An answer, or the exit of its process, missed the deadline. */
  | 'hung'
  /**
   * Its process exited while the client was connected, or because of an uncaught error; or it accepts no further
   * connections.
   */
  | 'crashed'
  /** Child processes of the server outlived it. */
  | 'leaked'
  /** An answer differs from the baseline. */
  | 'corrupted'
  /** A request took effect twice, or got more responses than requests with its id were sent. */
  | 'repeated'
  /** It sent a response whose id belongs to no request. */
  | 'stray'
  /** The misbehaviour did not happen: the session ended before the message of the point. Nothing was tested. */
  | 'unreached';

/** Verdicts that fail a sweep of a server. */
export const BAD_SERVER: ReadonlySet<ServerVerdict> = new Set<ServerVerdict>([
  'hung',
  'crashed',
  'leaked',
  'corrupted',
  'repeated',
  'stray',
  'unreached',
]);

/** Presentation of the verdicts on a server. */
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
    unreached: 'U',
  },
  bad: BAD_SERVER,
  listed: new Set<ServerVerdict>(['ignored', 'unreached']),
};

/** Verdict with its reason. */
export interface Judgement {
  verdict: ServerVerdict;
  /** Observation that led to the verdict, as text. Absent: the verdict needs no explanation. */
  why?: string;
  /** Observation without names and values of single messages, to compare two failures. Absent: the same as `why`. */
  cause?: string;
  /** Section of the specification that was broken. Absent: no rule. */
  source?: string;
}

/** Returns a reason with the rule that it breaks, for people. */
export function reasonText({ verdict, why, source }: Judgement): string | undefined {
  if (why === undefined || verdict === 'unreached') return why;
  return `${why} (${source ?? 'no rule; surprising'})`;
}
