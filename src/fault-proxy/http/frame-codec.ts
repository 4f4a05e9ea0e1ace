import { isUtf8 } from 'node:buffer';
import type { Frame, WireFrame } from '../../channel/frame.ts';
import { bodyToMessage, messageIn } from '../../channel/line-to-message.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { SseDecoder, type SseEvent } from '../../transports/http/sse/sse-decoder.ts';
import { sseBytes, sseText } from '../../transports/http/sse/sse-encoder.ts';

/** Common members of the frames that are made from bytes. */
export interface FrameBase {
  at: Milliseconds;
  from: 'client' | 'server';
  stream: number;
}

/** Mark with the original frame and its bytes. A changed copy keeps the mark, but differs from the original frame. */
const ORIGINAL = Symbol('came');

interface WithOriginal {
  [ORIGINAL]?: { frame: WireFrame; bytes: Uint8Array };
}

/** Returns the frame of a complete body. Undefined: the body is empty. */
export function bodyFrame(data: Uint8Array, base: FrameBase): Frame | undefined {
  if (data.length === 0) return undefined;
  const text = isUtf8(data) ? Buffer.from(data).toString() : undefined;
  return kept(bodyToMessage({ kind: 'line', on: 'protocol', data: text ?? data, partial: true, ...base }), data);
}

/** Parses a block with a single data line, the usual case, without an SSE decoder. */
export function plainMessage(block: Uint8Array): JsonText | undefined {
  const line = onlyLine(block);
  return line === undefined ? undefined : messageIn(line);
}

/**
 * Returns the frame of a block of an event stream. Undefined: the block has no content. `plain` is its {@link
 * plainMessage}.
 */
export type FrameOfBlock = (
  block: Uint8Array,
  base: FrameBase & { from: 'server' },
  plain?: JsonText,
) => Frame | undefined;

/** Returns a function that decodes the blocks of one event stream, in order. */
export function blockFrames(): FrameOfBlock {
  let event: SseEvent | undefined;
  let comment: string | undefined;
  const decoder = new SseDecoder({
    holdBytesMax: Number.POSITIVE_INFINITY,
    event: (one) => {
      event = one;
    },
    comment: (one) => {
      comment = one;
    },
  });
  return (block, base, plain = plainMessage(block)) => {
    // Assigned one by one: spreading `base` here would take twice as long as the rest, for tens of thousands of events.
    const { at, from, stream } = base;
    if (plain) return kept({ kind: 'message', at, from, stream, sse: {}, json: plain }, block);
    event = undefined;
    comment = undefined;
    decoder.write(block);
    if (event) return kept(eventFrame(event, base), block);
    return comment === undefined ? undefined : kept({ kind: 'comment', text: comment, ...base }, block);
  };
}

function onlyLine(block: Uint8Array): string | undefined {
  if (block.indexOf(LF) !== block.length - 2 || DATA.some((byte, at) => block[at] !== byte)) return undefined;
  if (block.includes(CR) || !isUtf8(block)) return undefined;
  const { buffer, byteOffset, length } = block;
  return Buffer.from(buffer, byteOffset, length).toString('utf8', DATA.length, length - 2);
}

const DATA = [...Buffer.from('data: ')];
const LF = 0x0a;
const CR = 0x0d;

function eventFrame({ data, partial: _, isCut: _cut, ...sse }: SseEvent, base: FrameBase & { from: 'server' }): Frame {
  if (typeof data === 'string' && (sse.event ?? 'message') === 'message') {
    const json = messageIn(data);
    if (json) return { kind: 'message', sse, json, ...base };
  }
  if (typeof data === 'object') return { kind: 'line', on: 'protocol', data, sse, ...base };
  return { kind: 'sse', sse: { ...sse, ...(data !== undefined && { data }) }, ...base };
}

function kept<F extends Frame>(frame: F & WithOriginal, bytes: Uint8Array): F {
  frame[ORIGINAL] = { frame, bytes };
  return frame;
}

/** Returns the original bytes of an unchanged frame. */
function bytesOf(frame: WireFrame & WithOriginal): Uint8Array | undefined {
  const came = frame[ORIGINAL];
  return came?.frame === frame ? came.bytes : undefined;
}

/** Reports whether a frame is unchanged. */
export function isUntouched(frame: Frame): boolean {
  return bytesOf(frame) !== undefined;
}

const NOTHING = new Uint8Array(0);

/** Returns the bytes of a frame in a body or event stream, for requests and responses. Empty for other frames. */
export function encodeHttp(frame: WireFrame, isStream: boolean = isEvent(frame)): Uint8Array {
  if (frame.kind === 'bytes') return frame.data;
  const came = bytesOf(frame);
  if (came && isEvent(frame) === isStream) return came;
  if (frame.kind === 'comment') return Buffer.from(`:${frame.text}\n\n`);
  if (frame.kind === 'sse') return Buffer.from(sseText(frame.sse.data, frame.sse));
  if (frame.kind === 'open') return Buffer.from(frame.body ?? '');
  if (frame.kind === 'message') return Buffer.from(isStream ? sseText(frame.json.text, frame.sse) : frame.json.text);
  if (frame.kind !== 'line' || frame.on === 'stderr') return NOTHING;
  if (frame.sse) return sseBytes(frame.data, frame.sse);
  const data = Buffer.from(frame.data);
  if (isStream) return Buffer.concat([Buffer.from(': '), data, Buffer.from('\n\n')]);
  return frame.partial ? data : Buffer.concat([data, Buffer.from('\n')]);
}

function isEvent(frame: WireFrame): boolean {
  if (frame.kind === 'message' || frame.kind === 'line') return frame.sse !== undefined;
  return frame.kind === 'sse' || frame.kind === 'comment';
}
