import type { Random } from '../../kernel/random.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { count, type WithFallback, withDefault, word } from '../rules/declare-fault-params.ts';

type Kind = 'flip' | 'invalid-utf8' | 'bad-json' | 'not-json-rpc' | 'framing';

type Takes = { kind: WithFallback<Kind>; bytes: WithFallback<number> };

const params: Takes = {
  kind: withDefault(
    word<Kind>(
      'flip: bits are flipped, and the JSON is broken; invalid-utf8: bytes are not UTF-8, and the JSON is broken; bad-json: the JSON does not end; not-json-rpc: the JSON is no JSON-RPC message; framing: over HTTP, the status line or the size of a chunk is invalid',
      'flip',
      'invalid-utf8',
      'bad-json',
      'not-json-rpc',
      'framing',
    ),
    'flip',
  ),
  bytes: withDefault(count('number of damaged bytes, for flip and invalid-utf8'), 1),
};

/** Damages a message: its receiver cannot parse the result. */
export const corrupt: DefinedFault<Takes> = defineFault({
  name: 'corrupt',
  doc: 'The message arrives damaged.',
  transports: ['stdio', 'http'],
  params,
  isOfMessages: true,
  unfit: ({ values, transport }) =>
    values.kind === 'framing' && transport !== 'http' ? `there is no framing over ${transport}` : undefined,
  start({ kind, bytes }, { next, transport, clock, from, random }) {
    const ways: Record<Exclude<Kind, 'framing'>, (data: Buffer) => Buffer> = {
      flip: (data) => damaged(data, { bytes, random, by: flipped }),
      'invalid-utf8': (data) => damaged(data, { bytes, random, by: () => 0xff }),
      'bad-json': (data) => Buffer.from(data.toString().trimEnd()).subarray(0, -1),
      'not-json-rpc': () => NOT_JSON_RPC,
    };
    const break_ = () => {
      next({ kind: 'bytes', at: clock.now(), from, on: 'protocol', data: NOT_HTTP, bare: true });
      next({ kind: 'close', at: clock.now(), from, how: 'fin' });
    };
    return {
      hit(frame) {
        if (frame.kind !== 'message') return next(frame);
        if (kind === 'framing' && transport === 'http') return break_();
        const { json, kind: _, ...carried } = frame;
        const data = ways[kind === 'framing' ? 'flip' : kind](Buffer.from(json.text));
        // The body of a response has no line break.
        next({
          ...carried,
          kind: 'line',
          on: 'protocol',
          data,
          ...(transport === 'http' && { partial: true }),
        });
      },
    };
  },
});

const NEWLINE = 0x0a;
const QUOTATION_MARK = 0x22;
/** Bytes that are invalid as a status line and as a chunk size. */
const NOT_HTTP = Buffer.from('mcp-record: this is not HTTP\r\n\r\n');
const NOT_JSON_RPC = Buffer.from('{"mcp-record":"not JSON-RPC"}');

/** Flips the lowest bit, or the second lowest where the flip would create a line break. */
function flipped(byte: number): number {
  return (byte ^ 1) === NEWLINE ? byte ^ 2 : byte ^ 1;
}

interface Damage {
  bytes: number;
  random: Random;
  by(byte: number): number;
}

/**
 * Damages bytes, of which the first is a quotation mark: without it, no parser can read the JSON. Damage inside a text
 * alone would be another valid message, which no receiver can tell from the right one.
 */
function damaged(data: Buffer, { bytes, random, by }: Damage): Buffer {
  const marks = positionsOf(QUOTATION_MARK, data);
  const damagedAt = new Set<number>();
  const damage = (at: number) => {
    damagedAt.add(at);
    data[at] = by(data[at]!);
  };
  // The first byte opens the JSON.
  damage(marks[Math.floor(random() * marks.length)] ?? 0);
  while (damagedAt.size < Math.min(bytes, data.length)) {
    let at = Math.floor(random() * data.length);
    // Damaging the same byte twice could restore the original byte.
    while (damagedAt.has(at)) at = (at + 1) % data.length;
    damage(at);
  }
  // Two damaged quotation marks may join two strings into one valid string.
  if (bytes > 1 && parseJson(data.toString()) !== undefined) data[0] = by(data[0]!);
  return data;
}

function positionsOf(byte: number, data: Buffer): number[] {
  const positions: number[] = [];
  for (let at = data.indexOf(byte); at >= 0; at = data.indexOf(byte, at + 1)) positions.push(at);
  return positions;
}
