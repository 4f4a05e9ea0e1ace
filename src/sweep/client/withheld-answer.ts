import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { type WithheldResponse, withheldResponse } from './withheld-response-arrival.ts';

/** Faults after which no message of the session, or over HTTP of the stream, follows. */
const ENDING: ReadonlySet<string> = new Set(['stall', 'end', 'cut', 'exit', 'half-close', 'truncate', 'reset', 'down']);

/** Faults that withhold a message. Replacing an answer by an error does not count. */
export const LOSING: ReadonlySet<string> = new Set([
  ...ENDING,
  'drop',
  'corrupt',
  'wrong-id',
  'http-status',
  'session-lost',
  'token-refused',
  'insufficient-scope',
]);

/** Faults that withhold a message and those after it for a time: a client may give up before that. */
const DELAYING: ReadonlySet<string> = new Set(['latency']);

/** Entries of a session, with its links. */
export interface LinkedEntries extends Pick<Links, 'requestOf' | 'cancelOf'> {
  entries: readonly SessionEntry[];
}

/**
 * Returns the answer that a client misses because of a fault at a message of its server: the message itself, or the answer
 * to a request that was open then, if the message is a question that this answer waits for, or if no message follows the
 * fault. Undefined: no answer is missing, or its client has cancelled the request in the cassette.
 */
export function withheldAnswer(
  fault: string,
  { index, message, frame }: SessionEntry,
  { entries, requestOf, cancelOf }: LinkedEntries,
): WithheldResponse | undefined {
  const isDelaying = DELAYING.has(fault);
  const delayed = isDelaying ? ({ isDelayed: true } as const) : {};
  if (!LOSING.has(fault) && !isDelaying) return undefined;
  if (isResponse(message)) {
    const asked = requestOf.get(index) ?? -1;
    const lost = cancelOf.has(asked) ? undefined : withheldBetween(entries[asked], entries[index]);
    return lost && { ...lost, ...delayed };
  }
  if (!ENDING.has(fault) && !isDelaying && !isRequest(message)) return undefined;
  for (const later of entries.slice(index + 1)) {
    const asked = later.from === 'server' ? requestOf.get(later.index) : undefined;
    if (asked === undefined || asked > index || later.frame.stream !== frame.stream) continue;
    const lost = withheldBetween(entries[asked], later);
    if (lost) return { ...lost, ...delayed, isLater: true };
  }
  return undefined;
}

function withheldBetween(
  asked: SessionEntry | undefined,
  answer: SessionEntry | undefined,
): WithheldResponse | undefined {
  const [request, response] = [asked?.message, answer?.message];
  return isRequest(request) && isResponse(response) ? withheldResponse(request, response) : undefined;
}
