import { isUtf8 } from 'node:buffer';
import { classify } from '../../channel/classify.ts';
import type { Frame, SseFields, WireFrame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { SseDecoder, type SseEvent } from '../../transports/http/sse.ts';

/** Frames as they came, and their bytes: what no fault has altered leaves as it was. */
const cameAs = new WeakMap<Frame, Uint8Array>();

/** What is known of bytes before they are a frame. */
export interface Said {
  at: Milliseconds;
  from: 'client' | 'server';
  stream: number;
}

/** The frame of a whole body; undefined: it is empty. */
export function bodyFrame(data: Uint8Array, said: Said): Frame | undefined {
  if (data.length === 0) return undefined;
  const text = isUtf8(data) ? Buffer.from(data).toString() : undefined;
  return kept(classify({ kind: 'noise', on: 'protocol', data: text ?? data, partial: true, ...said }), data);
}

/** The frame of a block of an event stream; undefined: it is one that says nothing. */
export function blockFrame(block: Uint8Array, said: Said & { from: 'server' }): Frame | undefined {
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
  decoder.write(block);
  if (event) return kept(eventFrame(event, said), block);
  return comment === undefined ? undefined : kept({ kind: 'comment', text: comment, ...said }, block);
}

function eventFrame({ data, partial: _, ...sse }: SseEvent, said: Said & { from: 'server' }): Frame {
  if (typeof data === 'string' && (sse.event ?? 'message') === 'message') {
    const frame = classify({ kind: 'noise', on: 'protocol', data, sse, ...said });
    if (frame.kind === 'message') return frame;
  }
  if (typeof data === 'object') return { kind: 'noise', on: 'protocol', data, sse, ...said };
  return { kind: 'event', sse: { ...sse, ...(data !== undefined && { data }) }, ...said };
}

function kept<F extends Frame>(frame: F, bytes: Uint8Array): F {
  cameAs.set(frame, bytes);
  return frame;
}

/** Whether a frame is as it came. */
export function isUntouched(frame: Frame): boolean {
  return cameAs.has(frame);
}

const NOTHING = new Uint8Array(0);

/** The bytes of a frame in a body, or in an event stream; empty where it has none. */
export function encodeHttp(frame: WireFrame, isStream: boolean = isEvent(frame)): Uint8Array {
  if (frame.kind === 'bytes') return frame.data;
  const came = cameAs.get(frame);
  if (came && isEvent(frame) === isStream) return came;
  if (frame.kind === 'comment') return Buffer.from(`:${frame.text}\n\n`);
  if (frame.kind === 'event') return block(frame.sse, frame.sse.data);
  if (frame.kind === 'message')
    return isStream ? block(frame.sse, frame.json.text) : Buffer.from(frame.json.text);
  if (frame.kind !== 'noise' || frame.on === 'stderr') return NOTHING;
  if (frame.sse) return block(frame.sse, frame.data);
  const data = Buffer.from(frame.data);
  if (isStream) return Buffer.concat([Buffer.from(': '), data, Buffer.from('\n\n')]);
  return frame.partial ? data : Buffer.concat([data, Buffer.from('\n')]);
}

function isEvent(frame: WireFrame): boolean {
  if (frame.kind === 'message' || frame.kind === 'noise') return frame.sse !== undefined;
  return frame.kind === 'event' || frame.kind === 'comment';
}

/** A block of an event stream (HTML, "Server-sent events"). Data of several lines takes several fields. */
function block({ event, id, retry }: SseFields = {}, data?: string | Uint8Array): Uint8Array {
  const fields = [
    ...(event !== undefined ? [`event: ${event}\n`] : []),
    ...(id !== undefined ? [`id: ${id}\n`] : []),
    ...(retry !== undefined ? [`retry: ${retry}\n`] : []),
  ].join('');
  if (typeof data === 'object')
    return Buffer.concat([Buffer.from(`${fields}data: `), data, Buffer.from('\n\n')]);
  const lines = data === undefined ? '' : `data: ${data.replaceAll('\n', '\ndata: ')}\n`;
  return Buffer.from(`${fields}${lines}\n`);
}
