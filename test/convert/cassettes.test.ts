import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { sourceOf } from '../../src/convert/formats.ts';
import { cassetteText } from '../../src/convert/to/cassette.ts';
import { lint } from '../../src/lint/lint.ts';
import { timelineOf } from '../../src/text-report/timeline-rows.ts';

/**
 * Sessions with `@modelcontextprotocol/server-everything` that other tools themselves have recorded: mcp-cassette 0.4.0,
 * mcp-recorder 0.5.0 (over HTTP, and with its server over stdio), mcporter 0.12.3, and Chromium 156.
 */
const folder = join(import.meta.dirname, '..', 'fixtures', 'convert', 'cassettes');

function converted(file: string) {
  const input = { file, text: readFileSync(join(folder, file), 'utf8') };
  const source = sourceOf(input)!;
  const session = source.read(input);
  const cassette = parseCassette(cassetteText(session, 'mcp-record 0'), file);
  const { rows } = timelineOf(cassette);
  const calls = rows.flatMap(({ kind, what, fate }) => (kind === 'request' ? `${what}: ${fate}` : []));
  return { format: source.name, cassette, calls, lost: session.lost };
}

const CALLS = [
  'initialize: answered',
  'tools/list: answered',
  'tools/call "echo": answered',
  'tools/call "get-sum": answered',
  'tools/call "get-sum": answered',
  'tools/call "trigger-long-running-operation": answered',
  'tools/call "no-such-tool": error',
  'ping: answered',
];
const PAIRS = 'It keeps pairs: which calls overlapped, and the time between them, was lost when it was recorded.';

it('what mcp-cassette recorded loses nothing', () => {
  const { format, calls, lost } = converted('mcp-cassette.jsonl');
  expect({ format, calls, lost }).toEqual({ format: 'mcp-cassette', calls: CALLS, lost: [] });
});

it('what mcp-recorder recorded of a server over stdio has all answers', () => {
  const { format, calls, lost } = converted('mcp-recorder-stdio.json');
  expect({ format, calls, lost }).toEqual({ format: 'mcp-recorder', calls: CALLS, lost: [PAIRS] });
});

it('what mcp-recorder recorded over HTTP lacks the answer that came after progress, which is said', () => {
  const { calls, lost } = converted('mcp-recorder-http.json');
  expect(calls).toEqual(CALLS.map((call) => call.replace(/(long-running.*): .*/, '$1: pending')));
  expect(lost).toEqual([PAIRS, '1 answer on a stream: of a stream it keeps the first message alone.']);
});

it('what Chromium recorded has streams whole, and the letters that the server sent', () => {
  const { format, calls, lost, cassette } = converted('chromium.har');
  expect(format).toBe('har');
  expect(calls).toEqual(CALLS.filter((call) => !/list|echo|ping/.test(call)));
  expect(lost).toEqual([
    'Headers, and when each event of a stream came: all stand where the stream ended.',
    '1 exchange with other addresses.',
  ]);
  const [, { frame }] = cassette.events.filter(({ frame: { kind } }) => kind === 'message') as [
    unknown,
    { frame: { json: { text: string } } },
  ];
  expect(frame.json.text).toContain('# Everything Server – Server Instructions');
});

it('what mcporter recorded has all answers, and no trace of mcporter in its messages', () => {
  const { format, calls, lost, cassette } = converted('mcporter.ndjson');
  expect({ format, lost }).toEqual({
    format: 'mcporter',
    lost: ['The command or URL of the server, and what it wrote to standard error.'],
  });
  expect(calls).toEqual(CALLS.filter((call) => !call.startsWith('ping')));
  expect(cassette.header.recorded).toBe('2026-11-25T08:18:55.139Z');
  expect(cassette.events.some(({ frame }) => frame.kind === 'message' && /"dir"/.test(frame.json.text))).toBe(false);
});

it.each(['mcp-cassette.jsonl', 'mcporter.ndjson', 'mcp-recorder-stdio.json', 'mcp-recorder-http.json', 'chromium.har'])(
  '%s breaks no rule of the protocol',
  (file) => {
    expect(lint(converted(file).cassette)).toEqual([]);
  },
);
