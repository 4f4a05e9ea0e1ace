import type { Side } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isRequest, isResponse } from '../../protocol/message.ts';
import type { Move } from '../correlate/session-entries.ts';

/** Whether `move` is a JSON-RPC message in all but its `jsonrpc`, as a message that was pasted into a cassette often is. */
export function lacksVersion({ message }: Move): boolean {
  if (message === undefined || 'jsonrpc' in message) return false;
  return isRequest(message) || isNotification(message) || isResponse(message);
}

/**
 * The moves of a cassette as `side` says them: JSON-RPC 2.0, also where the file leaves `jsonrpc` out. `message` stays what
 * the file has, so that `lacksVersion` still tells which these are.
 */
export function withVersions(moves: Move[], side: Side): Move[] {
  const isIncomplete = (move: Move) => move.from === side && lacksVersion(move);
  return moves.some(isIncomplete)
    ? moves.map((move) => (isIncomplete(move) ? withVersion(move) : move))
    : moves;
}

function withVersion(move: Move): Move {
  const { frame } = move;
  const json = withMembers(move.json!, { jsonrpc: '2.0' });
  // The frame of a batch holds all of its messages: its moves are said one by one.
  const isAlone = frame.kind === 'message' && frame.json === move.json;
  return {
    ...move,
    json,
    ...(isAlone && { frame: { ...frame, json } }),
  };
}

/** The object `json` with more members at its front; the rest of its text stays as it is. */
export function withMembers({ text }: JsonText, members: Record<string, unknown>): JsonText {
  const front = JSON.stringify(members).slice(0, -1);
  const rest = text.trimStart().slice(1);
  const comma = /^\s*\}/.test(rest) ? '' : ',';
  return new JsonText(front + comma + rest);
}
