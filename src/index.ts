export {
  type Cassette,
  type CassetteEvent,
  type CassetteSource,
  type EventMatch,
  FORMAT,
  type Header,
  type Transport,
} from './cassette/cassette.ts';
export { correlate, type Links } from './cassette/correlate/correlate-entries.ts';
export type { IndexMap } from './cassette/correlate/index-to-index-map.ts';
export { loadCassette } from './cassette/read/load-cassette.ts';
export { type OnRead, parseCassette } from './cassette/read/parse-cassette.ts';
export { type CassetteStream, streamCassette } from './cassette/read/stream-cassette.ts';
export type { SessionEntry } from './cassette/split-batches-into-entries.ts';
export type { Channel } from './channel/channel.ts';
export type {
  AuthorizationFrame,
  BytesFrame,
  CloseFrame,
  CommentFrame,
  ExitFrame,
  Frame,
  Headers,
  LineFrame,
  MessageFrame,
  OpenFrame,
  OutputStream,
  ResponseFrame,
  Side,
  SignalFrame,
  SseFields,
  SseFrame,
  WireFrame,
} from './channel/frame.ts';
export type { Journal } from './journal/journal.ts';
export type {
  JournalEntry,
  ReceivedAnswer,
  ReceivedNotification,
  ReceivedRequest,
} from './journal/journal-entry.ts';
export type { WaitOptions } from './journal/wait-for.ts';
export type { Cancel, Clock, Milliseconds } from './kernel/clock.ts';
export { McpRecordError, type Place, type Problem } from './kernel/errors.ts';
export type { Ignore, Normalize, Pointer } from './match/ignore-rules.ts';
export type { Server, ServerCommand, ServerUrl } from './modes/connect-to-server.ts';
export {
  openSession,
  type Session,
  type SessionOptions,
  type SessionOutcome,
} from './modes/open-session.ts';
export type { Mode } from './modes/resolve-mode.ts';
export type { JsonPath } from './protocol/json-scan.ts';
export { JsonText } from './protocol/json-text.ts';
export type { Id, Message, Notification, Params, Request, Response, RpcError } from './protocol/message.ts';
export type { RedactedValue } from './record/summary/redacted-values.ts';
export type { RedactionRules } from './redact/redactor.ts';
export type { RedactionRule, Where as RedactedPlace } from './redact/rules/compile-redaction-rules.ts';
export type { Finding } from './replay/findings/finding.ts';
export type { Timing } from './replay/timing.ts';
export type { TokenRule } from './replay/tokens/token-locations.ts';
export { type Fate, type Row, type RowKind, type Timeline, timelineOf } from './text-report/timeline-rows.ts';
export { type Paint, type TimelineTextOptions, timelineText } from './text-report/timeline-text.ts';
