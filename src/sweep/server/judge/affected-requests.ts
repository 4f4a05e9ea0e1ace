import type { MessageEntry } from '../../../cassette/split-batches-into-entries.ts';
import { messageTitle } from '../../../contract/message-title.ts';
import { isObject } from '../../../protocol/message.ts';
import type { PlayedSession } from '../play-session.ts';
import type { JudgedPoint } from './evidence-types.ts';

/**
 * Returns the positions of the requests whose answers a misbehaviour may change: the request itself, or, if the client
 * misbehaves in a response, the requests that are pending at that response.
 */
export function affectedRequests({ what, misbehaviour }: JudgedPoint, { run }: PlayedSession): Set<number> {
  if (what === undefined) return new Set();
  const index = positionIn(run, what.entry);
  if (what.kind === 'request') return new Set([index]);
  if (what.kind === 'notification' || misbehaviour.owes === 'answer') return new Set();
  const open = [...run.plan.links.answerOf].filter(([asked, answered]) => asked < index && answered > index);
  return new Set(open.map(([asked]) => asked));
}

/**
 * Returns the position of a recorded message among the played entries. It can differ from that in the cassette: the
 * player may put a handshake in front.
 */
export function positionIn({ plan }: PlayedSession['run'], { event }: MessageEntry): number {
  return plan.entries.find((entry) => entry.event === event)?.index ?? -1;
}

/** Reports whether an id, given as JSON text, equals the misbehaved message's id. */
export function isIdOf({ what }: JudgedPoint, id: string): boolean {
  if (what === undefined) return false;
  const { message } = what.entry;
  return 'id' in message && JSON.stringify(message.id) === id;
}

/** Returns the title of a recorded request in reports. */
export function requestTitle({ run }: PlayedSession, index: number): string {
  return messageTitle(run.plan.entries[index]?.message);
}

export function isResult(value: unknown): boolean {
  return isObject(value) && 'result' in value;
}
