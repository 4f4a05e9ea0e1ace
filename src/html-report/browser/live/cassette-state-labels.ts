import type { CassetteState, SessionRow } from '../../data/live-page-protocol.ts';

/** Names of the recording states, with a sign that works without colour. */
export const STATE_NAMES: Readonly<Record<CassetteState, string>> = {
  growing: '● growing',
  unfinished: '◌ no end',
  ended: '■ ended',
  'by-hand': '✎ by hand',
  damaged: '✗ damaged',
  foreign: '? no cassette',
  removed: '⊘ removed',
};

const MEANINGS: Readonly<Record<CassetteState, string>> = {
  growing: 'what is recorded appears here.',
  unfinished: 'nothing was written for a minute. The recorder may have been killed.',
  ended: 'the recording is complete.',
  'by-hand': 'no recorder wrote this file. It is read again when it changes.',
  damaged: 'this is what stands before the damage. It is read again when it changes.',
  foreign: 'this file is something else.',
  removed: 'the file is gone. This page keeps what it has of it.',
};

/** Returns the recording state of a cassette as a sentence. */
export function stateSentence({ state }: SessionRow): string {
  return `${STATE_NAMES[state]}: ${MEANINGS[state]}`;
}
