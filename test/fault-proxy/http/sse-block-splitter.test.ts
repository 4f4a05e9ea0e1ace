import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { blockFrames, encodeHttp } from '../../../src/fault-proxy/http/frame-codec.ts';
import { SseBlockSplitter } from '../../../src/fault-proxy/http/sse-block-splitter.ts';
import { SseDecoder } from '../../../src/transports/http/sse/sse-decoder.ts';

const SAID = { at: 0, from: 'server', stream: 1 } as const;

/** Lines and ends of lines of which streams are made, as good ones and as odd ones. */
const LINES = [
  'data: {"jsonrpc":"2.0","method":"x"}',
  'data: {"é":"\u2028"}',
  'data:near',
  'data: ',
  'data',
  'data: \xff',
  ': comment',
  'id: 4_0',
  'event: endpoint',
  'retry: 300',
  'unknown: x',
  '',
].map((line) => Buffer.from(line, line.includes('\xff') ? 'latin1' : 'utf8'));
const ENDS = ['\n', '\n', '\r', '\r\n'].map((end) => Buffer.from(end));
const streams = fc
  .array(fc.tuple(fc.constantFrom(...LINES), fc.constantFrom(...ENDS)), { maxLength: 30 })
  .map((lines) => Buffer.concat(lines.flat()));

function cut(stream: Buffer, size: number): { blocks: Uint8Array[]; rest: Uint8Array } {
  const blocks: Uint8Array[] = [];
  const cutter = new SseBlockSplitter((block) => void blocks.push(block));
  for (let at = 0; at < stream.length; at += size) cutter.write(stream.subarray(at, at + size));
  return { blocks, rest: cutter.rest() };
}

/** The events of a whole stream, each as its fields and its data as bytes. */
function decoded(stream: Buffer): unknown[] {
  const events: unknown[] = [];
  const decoder = new SseDecoder({
    holdBytesMax: Number.POSITIVE_INFINITY,
    event: ({ data, ...sse }) => events.push([sse, data === undefined ? undefined : Buffer.from(data)]),
    comment: () => {},
  });
  decoder.write(stream);
  return events;
}

function eventOf(frame: Frame | undefined): unknown[] {
  if (frame?.kind === 'message') return [[frame.sse, Buffer.from(frame.json.text)]];
  if (frame?.kind === 'line') return [[frame.sse, Buffer.from(frame.data)]];
  if (frame?.kind !== 'sse') return [];
  const { data, ...sse } = frame.sse;
  return [[sse, data === undefined ? undefined : Buffer.from(data)]];
}

describe('an event stream cut into blocks, wherever its pieces end', () => {
  it('is the stream, byte by byte', () => {
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 40 }), (stream, size) => {
        const { blocks, rest } = cut(stream, size);
        expect(Buffer.concat([...blocks, rest])).toEqual(stream);
      }),
    );
  });

  it('says what it says as a whole, an event for each block', () => {
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 40 }), (stream, size) => {
        const frameOf = blockFrames();
        const frames = cut(stream, size).blocks.map((block) => frameOf(block, SAID));
        expect(frames.flatMap(eventOf)).toEqual(decoded(stream));
      }),
      { numRuns: 500 },
    );
  });
});

it('a frame leaves as the bytes that it came as, and its copy as what it says', () => {
  const block = Buffer.from('data:{ "jsonrpc": "2.0", "method": "x" }\n\n');
  const frame = blockFrames()(block, SAID);
  if (frame?.kind !== 'message') throw new Error(`it is ${frame?.kind}`);
  expect(encodeHttp(frame)).toBe(block);
  expect(Buffer.from(encodeHttp({ ...frame, sse: { id: '1' } })).toString()).toBe(
    'id: 1\ndata: { "jsonrpc": "2.0", "method": "x" }\n\n',
  );
});
