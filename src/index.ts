export { correlate, type Links } from './cassette/correlate.ts';
export { loadCassette, parseCassette } from './cassette/load.ts';
export { type CassetteStream, streamCassette } from './cassette/stream.ts';
export { type Cassette, FORMAT, type Header, type TapeEvent, type Transport } from './cassette/types.ts';
export type {
  CloseFrame,
  ExitFrame,
  Frame,
  MessageFrame,
  NoiseFrame,
  Side,
  SignalFrame,
} from './channel/frame.ts';
export type { Milliseconds } from './kernel/clock.ts';
export { McpRecordError, type Place, type Problem } from './kernel/errors.ts';
export { JsonText } from './protocol/json-text.ts';
export { type Fate, type Row, type RowKind, type Timeline, timelineOf } from './report/timeline.ts';
export { type Paint, type TimelineTextOptions, timelineText } from './report/timeline-text.ts';
