import { movesOf } from '../cassette/moves.ts';
import type { TapeEvent } from '../cassette/types.ts';
import type { Frame } from '../channel/frame.ts';
import { identityOf } from '../match/identity.ts';
import { isRequest } from '../protocol/message.ts';
import { isBareRefusal } from './placed.ts';

/** Authorization, "Token Handling": the client may come again with a token, which is no matter of a replay. */
const CHALLENGES: readonly unknown[] = [401, 403];

/** The streams of what was challenged for a token and, if it was a request, came again: as for the session, it never was. */
export function challengedStreams(events: readonly TapeEvent[]): ReadonlySet<number | undefined> {
  const challenged = new Set(events.flatMap(({ frame }) => (isChallenge(frame) ? [frame.stream] : [])));
  if (challenged.size === 0) return challenged;
  const lastAsked = new Map<string, number | undefined>();
  for (const { frame, from, json, message } of movesOf(events))
    if (from === 'client' && isRequest(message)) lastAsked.set(identityOf(json!).key, frame.stream);
  for (const stream of lastAsked.values()) challenged.delete(stream);
  return challenged;
}

function isChallenge(frame: Frame): boolean {
  const isBare = frame.kind === 'reply' || (frame.kind === 'message' && isBareRefusal(frame));
  return isBare && CHALLENGES.includes(frame.status);
}
