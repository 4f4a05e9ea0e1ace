export { correlate, type Links } from './cassette/correlate.ts';
export { loadCassette, parseCassette } from './cassette/load.ts';
export { type CassetteStream, streamCassette } from './cassette/stream.ts';
export {
  type Cassette,
  type EventMatch,
  FORMAT,
  type Header,
  type TapeEvent,
  type Transport,
} from './cassette/types.ts';
export type { Channel } from './channel/channel.ts';
export type {
  BytesFrame,
  CloseFrame,
  ExitFrame,
  Frame,
  MessageFrame,
  NoiseFrame,
  Side,
  SignalFrame,
  Stream,
  WireFrame,
} from './channel/frame.ts';
export type { JournalEntry, ReceivedAnswer, ReceivedNotification, ReceivedRequest } from './journal/entry.ts';
export type { Journal } from './journal/journal.ts';
export type { WaitOptions } from './journal/wait-for.ts';
export type { Clock, Milliseconds } from './kernel/clock.ts';
export { McpRecordError, type Place, type Problem } from './kernel/errors.ts';
export type { Ignore, Normalize, Pointer } from './match/ignore.ts';
export type { Mode } from './modes/mode.ts';
export type { Server, ServerCommand, ServerUrl } from './modes/server.ts';
export { openSession, type Session, type SessionOptions, type SessionOutcome } from './modes/session.ts';
export { JsonText } from './protocol/json-text.ts';
export type { Request } from './protocol/message.ts';
export type { RedactedValue } from './record/redacted-values.ts';
export type { RedactionRules } from './redact/redactor.ts';
export type { Rule as RedactionRule, Where as RedactedPlace } from './redact/rules.ts';
export type { Finding } from './replay/finding.ts';
export type { Handle } from './replay/handle.ts';
export type { Timing } from './replay/timing.ts';
export { type Fate, type Row, type RowKind, type Timeline, timelineOf } from './report/timeline.ts';
export { type Paint, type TimelineTextOptions, timelineText } from './report/timeline-text.ts';
