import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
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
  'mcporter.ndjson',
  'vscode.log',
  'claude-desktop.log',
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
      'mcporter.ndjson',
      'vscode.log',
      'claude-desktop.log',
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

/**
 * The logs here have lines that people have posted, and lines written in the same form: of VS Code in
 * rsclarke/mcp-taskfile-server#134 and microsoft/vscode#244377, of Claude
 * Desktop in modelcontextprotocol/typescript-sdk#179 and modelcontextprotocol/go-sdk#395. We could not run these programs.
 */
describe('a log of sessions', () => {
  it('gives the last one, and says what else it has', () => {
    expect(converted('vscode.log').lost).toEqual([
      '1 earlier session of the server.',
      '1 message that the log has in part.',
      'The date, because the log names no time zone; the command or URL of the server.',
    ]);
    expect(converted('claude-desktop.log').lost).toEqual([
      'Sessions of other servers: other.',
      '1 earlier session of demo.',
      '1 answer without a request, as of another connection at the same time.',
      '1 message that the log has in part.',
      '4 lines without a time, such as the server’s standard error.',
      'The command of the server.',
    ]);
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

/** A line of mcporter: a response that the server sent. */
const answerOf = (id: number) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, result: {}, _meta: { dir: 'recv', server: 'demo', ts: `2026-11-25T08:18:5${id}Z` } })}\n`;

describe('a log whose end has only responses to requests that it does not have', () => {
  it('gives the session before it, and counts them', () => {
    const meta = { server: 'demo', ts: '2026-11-25T08:18:50Z' };
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', _meta: { dir: 'send', ...meta } });
    const start = JSON.stringify({ method: '$transport/start', _meta: { dir: 'lifecycle', ...meta } });
    const text = `${request}\n${answerOf(1)}${start}\n${answerOf(2)}`;
    const { frames, lost } = sourceOf({ file: 'x', text }, 'mcporter')!.read({ file: 'x', text });
    expect(frames.map(short)).toEqual([
      'client 0 {"jsonrpc":"2.0","id":1,"method":"initialize"}',
      'server 1000 {"jsonrpc":"2.0","id":1,"result":{}}',
    ]);
    expect(lost).toContain('1 answer without a request, as of another connection at the same time.');
  });
});

describe('a HAR file without all bodies', () => {
  const request = (id: number, method: string) => JSON.stringify({ jsonrpc: '2.0', id, method });
  const exchange = (posted: string | undefined, content: object, status = 200) => ({
    request: { method: 'POST', url: 'http://h/mcp', ...(posted !== undefined && { postData: { text: posted } }) },
    response: { status, content },
  });
  const json = (text: string) => ({ mimeType: 'application/json', text });
  const lostOf = (...entries: object[]) => {
    const text = JSON.stringify({ log: { entries } });
    return sourceOf({ file: 'x', text }, 'har')!.read({ file: 'x', text }).lost.slice(1);
  };
  const whole = exchange(request(1, 'ping'), json('{"jsonrpc":"2.0","id":1,"result":{}}'));
  const accepted = exchange('{"jsonrpc":"2.0","method":"notifications/initialized"}', {}, 202);

  it('says which messages it does not have', () => {
    expect(lostOf(whole, accepted)).toEqual([]);
    expect(
      lostOf(whole, exchange(undefined, json('{"jsonrpc":"2.0","id":2,"result":{}}')), exchange('{"jsonrpc', {})),
    ).toEqual(['The messages of 2 requests: the file has no body of them that is JSON.']);
    expect(
      lostOf(
        whole,
        exchange(request(2, 'tools/list'), { mimeType: 'text/event-stream' }),
        exchange(request(3, 'tools/list'), { mimeType: 'application/json' }),
        exchange(request(4, 'tools/list'), json('{"jsonrpc":"2.0","id":4,"resu')),
      ),
    ).toEqual(['The messages of 3 responses: the file has no whole body of them. Save it with content.']);
    expect(lostOf(whole, { request: { method: 'POST' }, response: { status: 200 } })).toEqual([
      '1 exchange without a method, an address or a status.',
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
    ['mcporter', '{"jsonrpc":"2.0","method":"a"}\n', 'x:1: the line has no "_meta" with a time'],
    [
      'mcporter',
      '{"method":"a","_meta":{"dir":"sent","ts":"2026-11-25T08:18:55Z"}}\n',
      'x:1: the "dir" of its "_meta" is none of send, recv and lifecycle',
    ],
    ['mcporter', '', 'it has no messages'],
    ['ndjson', '', 'it has no messages'],
    ['ndjson', '{"jsonrpc":"2.0","id":1,"meth', 'it has no messages'],
    ['mcpsnoop', '', 'it has no messages'],
    ['mcpsnoop', '{"direction":"meta","ts":"2026-07-22T17:53:43Z"}\n', 'it has no messages'],
    ['mcporter', answerOf(1), 'it has only responses to requests that are not in it'],
    [
      'vscode-log',
      '2026-07-22 17:53:43.485 [info] Starting server taskfile\n',
      'it has no messages: VS Code logs them if',
    ],
    ['claude-desktop-log', '2025-03-10T17:03:18.749Z [demo] [info] Initializing server...\n', 'it has no messages'],
    [
      'claude-desktop-log',
      '\n2026-07-22T20:23:53.331Z [vault] [info] Message from client: method="initialize" id=0 params\n',
      'x:2: this version of Claude Desktop logs no contents of messages',
    ],
  ])('%s: says where, and why', (format, text, words) => {
    const input = { file: 'x', text };
    expect(() => sourceOf(input, format)!.read(input)).toThrow(words);
  });
});
