import type { Frame, Side } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isObject, type Message } from '../../protocol/message.ts';
import type { EventMatch, TapeEvent } from '../cassette.ts';

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

/** A move that is a message. */
export type Said = Move & { json: JsonText; message: Message };

export function isSaid(move: Move): move is Said {
  return move.json !== undefined;
}

/** The tape as a flat list of single moves, in wire order. */
export function movesOf(events: readonly TapeEvent[]): Move[] {
  const moves: Move[] = [];
  const add = (move: Move, { match }: TapeEvent) => {
    if (match !== undefined) move.match = match;
    moves.push(move);
  };
  for (const [event, tapeEvent] of events.entries()) {
    const { frame, line } = tapeEvent;
    const { at, from } = frame;
    if (frame.kind !== 'message') add({ index: moves.length, event, line, at, from, frame }, tapeEvent);
    else
      for (const json of elementsOf(frame.json)) {
        const message = isObject(json.value) ? (json.value as Message) : {};
        add({ index: moves.length, event, line, at, from, frame, json, message }, tapeEvent);
      }
  }
  return moves;
}
