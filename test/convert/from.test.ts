import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/load-cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { FORMATS, sourceOf } from '../../src/convert/formats.ts';
import { cassetteText } from '../../src/convert/to/cassette.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'convert');

function converted(file: string) {
  const input = { file, text: readFileSync(join(folder, file), 'utf8') };
  const source = sourceOf(input)!;
  const session = source.read(input);
  const { header, events } = parseCassette(cassetteText(session, 'mcp-record 0'), file);
  return { format: source.name, header, lost: session.lost, said: events.map(({ frame }) => short(frame)) };
}

/** `1 client 20 {…}`: stream, who, when, what. */
function short({ stream, from, at, ...frame }: Frame): string {
  const { kind, json, ...rest } = frame as { kind: string; json?: { text: string } };
  const beside = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
  return `${stream === undefined ? '' : `${stream} `}${from} ${at} ${json?.text ?? kind}${beside}`;
}

describe.each([
  'messages.ndjson',
  'mcp-cassette.jsonl',
  'mcpsnoop.jsonl',
  'mcp-vcr.yaml',
  'mcp-recorder.json',
  'session.har',
])('%s', (file) => {
  it('becomes a cassette that can be read', () => {
    expect(converted(file)).toMatchSnapshot();
  });
});

describe('what a file is', () => {
  it('is told by its looks, for every format there is', () => {
    const files = [
      'messages.ndjson',
      'mcp-cassette.jsonl',
      'mcpsnoop.jsonl',
      'mcp-vcr.yaml',
      'mcp-recorder.json',
      'session.har',
    ];
    const told = files.map((file) => converted(file).format);
    expect(['cassette', ...told].sort()).toEqual([...FORMATS.from].sort());
    expect(sourceOf({ file: 'cassette.yaml', text: 'format: mcp-record/1\n' })).toBeUndefined();
  });

  it('is asked for where it looks like nothing', () => {
    const input = { file: 'x', text: 'hello' };
    expect(() => sourceOf(input)).toThrow('[CONVERT_UNKNOWN_FORMAT]');
    expect(() => sourceOf(input, 'mcp-vrc')).toThrow('Did you mean --from mcp-vcr?');
  });
});

describe('a cassette of mcp-recorder from a server of no URL', () => {
  const read = (...interactions: unknown[]) => {
    const input = { file: 'x', text: JSON.stringify({ version: '1.0', interactions }) };
    return sourceOf(input, 'mcp-recorder')!.read(input);
  };
  const request = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const response = { jsonrpc: '2.0', id: 1, result: {} };

  it('is a session over stdio, of its messages alone', () => {
    const { header, frames } = read(
      { request, response, response_is_sse: true, response_status: 500, latency_ms: 5 },
      { request: null, response: null, response_status: 405, http_method: 'GET' },
      'nonsense',
      { request, response },
    );
    expect(header).toEqual({ transport: 'stdio' });
    expect(frames.map(short)).toEqual([
      `client 0 ${JSON.stringify(request)}`,
      `server 5 ${JSON.stringify(response)}`,
      `client 5 ${JSON.stringify(request)}`,
      `server 5 ${JSON.stringify(response)}`,
    ]);
  });
});

describe('a file that is broken', () => {
  it.each([
    ['ndjson', '{"jsonrpc":"2.0","method":"a"}\nnonsense\n{"jsonrpc":"2.0","method":"b"}\n', 'x:2'],
    ['ndjson', '{"a":1}\n', 'neither a JSON-RPC message nor an event'],
    ['har', '{"log":', 'Cannot convert x'],
    ['har', '{"log":{"entries":[]}}', 'nothing in it was posted'],
    [
      'har',
      '{"log":{"entries":[{"request":{"url":"https://a"},"response":{"status":200}}]}}',
      'nothing in it was posted',
    ],
    ['mcp-recorder', '{"version":"1.0","interactions":', 'Cannot convert x'],
    ['mcp-recorder', '{"version":"1.0"}', 'no list of "interactions"'],
    ['mcp-vcr', 'meta: {}\n', 'no list of "messages"'],
    ['mcp-vcr', 'meta: {}\nmessages:\n- t: 1\n', 'x:3'],
    ['mcp-cassette', '{"type":"header","cassetteVersion":3}\n', 'its cassetteVersion is 3'],
  ])('%s: says where, and why', (format, text, words) => {
    const input = { file: 'x', text };
    expect(() => sourceOf(input, format)!.read(input)).toThrow(words);
  });
});
