import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyMemory } from '../../../../src/transports/http/http1/body-memory.ts';
import { SseDecoder, type SseDecoderOptions, type SseEvent } from '../../../../src/transports/http/sse/sse-decoder.ts';
import { fuzzed } from '../../../support/fuzz.ts';

const text = (data: unknown) => (data instanceof Uint8Array ? Buffer.from(data).toString('latin1') : data);

/** What a stream says, read in pieces of `size` bytes. */
function read(stream: string | Uint8Array, size = Number.POSITIVE_INFINITY, holdBytesMax = 1e6): unknown[] {
  const bytes = typeof stream === 'string' ? Buffer.from(stream) : stream;
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return readPieces(pieces, { holdBytesMax });
}

function readPieces(pieces: readonly (string | Uint8Array)[], options: Partial<SseDecoderOptions> = {}): unknown[] {
  const said: unknown[] = [];
  const decoder = new SseDecoder({
    event: ({ data, ...fields }) => said.push({ ...fields, ...(data !== undefined && { data: text(data) }) }),
    comment: (comment) => said.push(comment),
    holdBytesMax: 1e6,
    ...options,
  });
  for (const piece of pieces) decoder.write(typeof piece === 'string' ? Buffer.from(piece) : piece);
  decoder.end();
  return said;
}

describe('an event stream (§6)', () => {
  it.each([
    ['data: a\n\n', [{ data: 'a' }]],
    ['data:a\r\rdata: b\r\n\r\n', [{ data: 'a' }, { data: 'b' }]],
    ['\ufeffdata: a\n\n', [{ data: 'a' }]],
    ['data: a\ndata:\ndata:  b\n\n', [{ data: 'a\n\n b' }]],
    ['event: endpoint\ndata: /x\n\n', [{ event: 'endpoint', data: '/x' }]],
    [': keepalive\n\n:\n\n', [' keepalive', '']],
    ['data: a\n: between\ndata: b\n\n', [' between', { data: 'a\nb' }]],
    ['retry: 3s\nunknown: x\n\n', []],
    ['data\n\n', [{ data: '' }]],
    ['\n\n\r\n', []],
    ['odd: 5\nretry: a5\n\n', []],
    ['data: a\n', [{ data: 'a', partial: true }]],
    // Only the first line may begin with a mark, and it is told from characters that share bytes with it.
    ['\n\ufeffdata: a\n\n', []],
    ['\ufec0data: a\n\n', []],
    ['\uf03fdata: a\n\n', []],
    ['\u0effdata: a\n\n', []],
    ['data: {"héllo":"\u2028"}\n\n', [{ data: '{"héllo":"\u2028"}' }]],
  ])('%j says %j, cut anywhere', (stream, expected) => {
    for (const size of [1, 2, 3, 5, 1000]) expect(read(stream, size)).toEqual(expected);
  });

  it('tells of a priming event, which has an id and empty data', () => {
    expect(read('id: 4_0\nretry: 300\ndata: \n\n')).toEqual([{ id: '4_0', retry: 300, data: '' }]);
    expect(read('id: 4_0\n\n')).toEqual([{ id: '4_0' }]);
  });

  it('keeps an id out that holds a NUL', () => {
    expect(read('id: a\0b\ndata: x\n\n')).toEqual([{ data: 'x' }]);
  });

  it('gives data that is not UTF-8 as bytes', () => {
    expect(read(Buffer.from('data: \xff\n\n', 'latin1'))).toEqual([{ data: '\xff' }]);
  });

  it('says what was cut off by its end', () => {
    expect(read('data: a\n\ndata: b\ndata: c')).toEqual([{ data: 'a' }, { data: 'b\nc', partial: true }]);
  });

  it('drops what is longer than may be held, and goes on', () => {
    const stream = `data: ${'x'.repeat(50)}\ndata: y\n\ndata: z\n\n`;
    for (const size of [7, 1000])
      expect(read(stream, size, 20)).toEqual([
        { data: expect.stringMatching(/^x{10,20}\n?$/), partial: true, isCut: 'itself' },
        { data: 'z' },
      ]);
  });

  it('says the same however it is cut', () => {
    const line = fc.oneof(
      fc.constantFrom('data: x', 'data:', 'id: 1', 'event: e', 'retry: 5', ': c', '', '', 'odd', ':'),
      fc.string({ unit: 'grapheme' }).map((value) => `data: ${value}`),
    );
    const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n'))).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(stream, fc.integer({ min: 1, max: 9 }), (whole, size) => {
        expect(read(whole, size)).toEqual(read(whole));
      }),
      fuzzed(500),
    );
  });

  it('takes CR and LF for one end of a line, however far apart they come, and for two where they are not one behind the other', () => {
    expect(readPieces(['data: a\r', '', '\ndata: b\n\n'])).toEqual([{ data: 'a\nb' }]);
    expect(readPieces(['data: a\rdata: b', '\n\n'])).toEqual([{ data: 'a\nb' }]);
  });

  it('is read in steps that grow with its length, one byte at a time', () => {
    const long = `data: ${'x'.repeat(300_000)}\r\n\r\n`;
    expect(read(long, 1)).toEqual([{ data: 'x'.repeat(300_000) }]);
  });
});

describe('an event that is one line of data, whole in one piece,', () => {
  /** What is offered of pieces, of which what begins with `+` is taken, and what is told of the rest. */
  function offered(pieces: readonly string[], holdBytesMax = 1e6) {
    const offers: string[] = [];
    const told = readPieces(pieces, {
      holdBytesMax,
      plain: (piece, start) => {
        const line = Buffer.from(piece.subarray(start, piece.indexOf(0x0a, start))).toString();
        offers.push(line);
        return line.startsWith('+');
      },
    });
    return { offers, told };
  }

  it('is offered first, and told of only if it is not taken', () => {
    expect(offered(['data: +a\n\ndata: b\n\ndata: +c\n\ndata: \n\n: d\n', 'data: +e\n\n\n'])).toEqual({
      offers: ['+a', 'b', '+c', '', '+e'],
      told: [{ data: 'b' }, { data: '' }, ' d'],
    });
  });

  it.each([
    ['has two lines', ['data: +a\ndata: b\n\n'], [{ data: '+a\nb' }]],
    ['has a time to retry', ['retry: 1\ndata: +a\n\n'], [{ retry: 1, data: '+a' }]],
    ['is of another type', ['event: endpoint\ndata: +a\n\n'], [{ event: 'endpoint', data: '+a' }]],
    ['has its id behind its data', ['data: +a\nid: 1\n\n'], [{ id: '1', data: '+a' }]],
    ['has another field only', ['event:+a\n\n'], [{ event: '+a' }]],
    ['has no blank before its data', ['data:+a\n\n'], [{ data: '+a' }]],
    ['has no data', ['data:\n\n'], [{ data: '' }]],
    ['is cut before its empty line', ['data: +a\n', '\n'], [{ data: '+a' }]],
    ['is cut before its data', ['data: ', '+a\n\n'], [{ data: '+a' }]],
    ['is the end of a line that came before', ['x', 'data: +a\n\n'], []],
    ['ends its line by CR', ['data: +a\r\n\r\n', 'data: +b\r\n\n'], [{ data: '+a' }, { data: '+b' }]],
    ['begins with a mark', ['\ufeffdata: +a\n\n'], [{ data: '+a' }]],
  ] as const)('is not offered where it %s', (_, pieces, told) => {
    expect(offered(pieces)).toEqual({ offers: [], told });
  });

  it('is not offered where it is longer than may be held', () => {
    expect(offered(['data: +abc\n\n', 'data: +abcd\n\n'], 4)).toEqual({
      offers: ['+abc'],
      told: [{ data: '+abc', partial: true, isCut: 'itself' }],
    });
  });

  it('is offered with the type and the id that the SDKs write before its data', () => {
    const offers: Array<string | undefined> = [];
    const told = readPieces(['event: message\ndata: a\n\nevent: message\nid: 1\ndata: b\n\ndata: c\n\n'], {
      plain: (_piece, _start, id) => offers.push(id) > 0,
    });
    expect({ offers, told }).toEqual({ offers: [undefined, '1', undefined], told: [] });
  });

  it('is a first line, after which no mark is taken for one', () => {
    expect(offered(['data: +a\n\n\ufeffdata: b\n\n']).told).toEqual([]);
  });
});

it('keeps a retry of any length as it is, as text where a number would be another', () => {
  const digits = '9'.repeat(400);
  expect(read(`retry: 5\n\nretry: 9007199254740993\n\nretry: ${digits}\n\n`)).toEqual([
    { retry: 5 },
    { retry: '9007199254740993' },
    { retry: digits },
  ]);
});

describe('events that are not complete, of several streams together,', () => {
  /** Streams that share memory for 4,000 bytes. */
  function streams(count: number) {
    const memory = new BodyMemory(1_000);
    return Array.from({ length: count }, () => {
      const said: unknown[] = [];
      const event = ({ data, ...fields }: SseEvent) => said.push({ ...fields, length: data?.length });
      const decoder = new SseDecoder({ event, comment: () => {}, holdBytesMax: 1e6, memory });
      return { said, memory, says: (text: string) => decoder.write(Buffer.from(text)), ends: () => decoder.end() };
    });
  }

  it('have a limit: the longest keeps its beginning, and the next event of its stream is whole', () => {
    const [long, short] = streams(2) as [ReturnType<typeof streams>[0], ReturnType<typeof streams>[0]];
    long.says(`data: ${'x'.repeat(3_000)}`);
    short.says(`data: ${'y'.repeat(900)}`);
    long.says(`${'z'.repeat(1_000)}`);
    short.says('\n\n');
    long.says('\n\ndata: whole\n\n');
    expect(short.said).toEqual([{ length: 900 }]);
    expect(long.said).toEqual([{ length: 1_497, partial: true, isCut: 'together' }, { length: 5 }]);
    expect(long.memory.held).toBe(0);
  });

  it('have it in many lines, too, even in empty ones', () => {
    const [long] = streams(1) as [ReturnType<typeof streams>[0]];
    for (let n = 0; n < 10_000; n++) {
      long.says('data:\n');
      expect(long.memory.held).toBeLessThanOrEqual(4_000);
    }
    long.says('data: x\n\ndata: y\n\n');
    expect(long.said).toEqual([expect.objectContaining({ isCut: 'together' }), { length: 1 }]);
  });

  it('are forgotten with their stream', () => {
    const [one, other] = streams(2) as [ReturnType<typeof streams>[0], ReturnType<typeof streams>[0]];
    one.says(`data: ${'x'.repeat(3_000)}`);
    one.ends();
    other.says(`data: ${'x'.repeat(3_000)}\n\n`);
    expect(other.said).toEqual([{ length: 3_000 }]);
  });
});
