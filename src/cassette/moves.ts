import type { Frame, Side } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { elementsOf, type JsonText } from '../protocol/json-text.ts';
import { isObject, type Message } from '../protocol/message.ts';
import type { EventMatch, TapeEvent } from './types.ts';

/** One thing that one side did: a message (a batch is as many moves as it has messages) or another frame. */
export interface Move {
  /** Position among the moves of the tape. */
  index: number;
  /** Position of the event it comes from. */
  event: number;
  line: number;
  at: Milliseconds;
  from: Side;
  frame: Frame;
  /** Present where the frame holds messages. */
  json?: JsonText;
  message?: Message;
  match?: EventMatch;
}

/** The tape as a flat list of single moves, in wire order. */
export function movesOf(events: readonly TapeEvent[]): Move[] {
  const moves: Move[] = [];
  for (const [event, { frame, line, match }] of events.entries()) {
    const base = { event, line, at: frame.at, from: frame.from, frame, ...(match && { match }) };
    if (frame.kind !== 'message') {
      moves.push({ index: moves.length, ...base });
      continue;
    }
    for (const json of elementsOf(frame.json)) {
      const message = isObject(json.value) ? (json.value as Message) : {};
      moves.push({ index: moves.length, ...base, json, message });
    }
  }
  return moves;
}
