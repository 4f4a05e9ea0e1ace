import type { Revision } from '../../src/protocol/revisions.ts';
import type { Talk } from './talk.ts';
import type { Line } from './wire/line.ts';
import type { Transport } from './wire/wire.ts';

/** A part of the protocol: what it demands, and sessions that show that it holds with us in between, or on either side. */
export interface Area {
  name: string;
  /** What the table does not say: a paragraph above it. */
  note?: string;
  requirements: readonly Requirement[];
  conversations?: readonly Conversation[];
  scenes?: readonly Scene[];
}

export interface Span {
  /** The first and the last revision; absent: the first, or the last, that there is. */
  since?: Revision;
  until?: Revision;
}

/** One thing that the protocol demands or allows. */
export interface Requirement extends Span {
  /** Area, slash, name; stable. */
  id: string;
  /** Where the specification has it. */
  source: string;
  /** In one sentence. */
  says: string;
  /** Where it has no meaning: why, in a word. */
  not?: Partial<Record<Transport | Role, string>>;
  /** The test that shows it, where it is of no cell: its file, its title, and why that is so. */
  shownBy?: readonly [file: string, title: string, why: string];
}

/** What our tool does with a session. */
export type Role = 'recorder' | 'mock server' | 'mock client';

/** A session that shows that requirements hold. */
export interface Conversation extends Span {
  /** What happens, as a sentence. */
  title: string;
  /** Ids of the requirements that it shows. */
  shows: readonly string[];
  /** Where alone it can happen; absent: over every transport. */
  on?: readonly Transport[];
  /** Rules that it breaks, as lint finds them in its cassette; absent: whatever they are. */
  breaks?: readonly string[];
  lines(talk: Talk): Line[];
}

/** What is not in the messages, but in how one transport carries them: shown there in each of the roles. */
export interface Scene extends Span {
  /** What happens, as a sentence. */
  title: string;
  /** Ids of the requirements that it shows. */
  shows: readonly string[];
  on: readonly Transport[];
  /** Absent: all of them. */
  as?: readonly Role[];
  play(talk: Talk): Promise<void>;
}
