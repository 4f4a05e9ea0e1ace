import type { Move } from '../cassette/moves.ts';

const REFUSED = 400;

/** What HTTP answered in the place of a message: `HTTP 404 Session not found`. Undefined: nothing did. */
export function refusalOf({ index, frame }: Move, moves: readonly Move[]): string | undefined {
  if (frame.stream === undefined) return undefined;
  const reply = moves.find(
    (move) => move.index > index && move.frame.kind === 'reply' && move.frame.stream === frame.stream,
  );
  if (reply?.frame.kind !== 'reply') return undefined;
  const { status, body } = reply.frame;
  if (status === 'sse' || status < REFUSED) return undefined;
  return `HTTP ${status}${typeof body === 'string' ? ` ${body}` : ''}`;
}
