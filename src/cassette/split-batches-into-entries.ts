import type { Frame, Side } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { elementsOf, type JsonText } from '../protocol/json-text.ts';
import { isMessage, isObject, type Message } from '../protocol/message.ts';
import type { CassetteEvent, EventMatch } from './cassette.ts';

/** Single entry of a session: a message (a batch gives one entry per message) or another frame. */
export interface SessionEntry {
  /** Position among the entries of the cassette. */
  index: number;
  /** Position of its event. */
  event: number;
  line: number;
  at: Milliseconds;
  from: Side;
  frame: Frame;
  /** Present if the frame has messages. */
  json?: JsonText;
  message?: Message;
  match?: EventMatch;
}

/** Entry with a message. */
export type MessageEntry = SessionEntry & { json: JsonText; message: Message };

export function isMessageEntry(entry: SessionEntry): entry is MessageEntry {
  return entry.json !== undefined;
}

/** Numbers of the next entry and event. */
export interface Positions {
  entry: number;
  event: number;
}

/** Returns the entries of events in wire order. `first` continues the numbering of earlier events. */
export function eventsToEntries(
  events: readonly CassetteEvent[],
  first: Positions = { entry: 0, event: 0 },
): SessionEntry[] {
  const entries: SessionEntry[] = [];
  const add = (entry: SessionEntry, { match }: CassetteEvent) => {
    if (match !== undefined) entry.match = match;
    entries.push(entry);
  };
  const next = () => first.entry + entries.length;
  for (const [position, cassetteEvent] of events.entries()) {
    const { frame, line } = cassetteEvent;
    const { at, from } = frame;
    const event = first.event + position;
    if (frame.kind !== 'message') add({ index: next(), event, line, at, from, frame }, cassetteEvent);
    else
      for (const json of elementsOf(frame.json)) {
        const message = isObject(json.value) ? (json.value as Message) : {};
        add({ index: next(), event, line, at, from, frame, json, message }, cassetteEvent);
      }
  }
  return entries;
}

/** Reports whether an entry is no message: a line on the protocol's stream, or other JSON. */
export function isJunk({ frame, message }: SessionEntry): boolean {
  if (frame.kind === 'line') return frame.on === 'protocol';
  return frame.kind === 'message' && !isMessage(message);
}
