import type { Revision } from '../../src/protocol/revision.ts';
import type { Where } from './cells.ts';
import type { Talk } from './talk.ts';
import type { Line } from './wire/line.ts';

/** A part of the protocol: what it demands, and sessions that show that it holds with us in between, or on either side. */
export interface Area {
  name: string;
  requirements: readonly Requirement[];
  conversations: readonly Conversation[];
}

export interface Span {
  /** The first and the last revision; absent: the first, or the last, that there is. */
  since?: Revision;
  until?: Revision;
}

/** One thing that the protocol demands or allows. */
export interface Requirement extends Span, Where {
  /** Area, slash, name; stable. */
  id: string;
  /** Where the specification has it. */
  source: string;
  /** In one sentence. */
  says: string;
  /** The test that shows it, where a conversation cannot: its file, and its title. */
  shownBy?: readonly [file: string, title: string];
}

/** What our tool does with a session. */
export type Role = 'recorder' | 'mock server' | 'mock client';

/** A session that shows that requirements hold. */
export interface Conversation extends Span, Pick<Where, 'on'> {
  /** What happens, as a sentence. */
  title: string;
  /** Ids of the requirements that it shows. */
  shows: readonly string[];
  lines(talk: Talk): Line[];
}
