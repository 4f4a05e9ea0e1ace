import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { targetOf } from '../../src/convert/formats.ts';
import { fromHar } from '../../src/convert/from/har.ts';
import { fromNdjson } from '../../src/convert/from/ndjson.ts';
import { cassetteText } from '../../src/convert/to/cassette.ts';
import { har } from '../../src/convert/to/har.ts';
import { mermaid } from '../../src/convert/to/mermaid.ts';
import { ndjson } from '../../src/convert/to/ndjson.ts';
import { otlp } from '../../src/convert/to/otlp.ts';
import { diffSessions } from '../../src/diff/diff-sessions.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { isRequest } from '../../src/protocol/message.ts';
import {
  call,
  cancel,
  cassette as cassetteOf,
  client,
  exits,
  notification,
  result,
  server,
} from '../support/conversation.ts';
import { attributesOf, spansIn, throughProtobuf, withoutEmptyLists } from '../support/otlp.ts';

const folder = join(import.meta.dirname, '..', '..', 'cassettes');
const cassettes = readdirSync(folder).map((file) => loadCassette(join(folder, file)));
const PROGRAM = { name: 'mcp-record', version: '0' };

describe('NDJSON', () => {
  it.each(cassettes.map((one) => [one.file.slice(folder.length + 1), one] as const))(
    'keeps all of %s',
    (file, cassette) => {
      const session = fromNdjson({ file, text: ndjson(cassette) });
      const again = parseCassette(cassetteText(session, 'mcp-record 0'), file);
      const plain = (frames: Frame[]) =>
        frames.map((frame) => (frame.kind === 'message' ? { ...frame, json: frame.json.text } : frame));
      expect(plain(again.events.map(({ frame }) => frame))).toEqual(plain(cassette.events.map(({ frame }) => frame)));
    },
  );

  it('keeps bytes, numbers as they are spelt, and what HTTP carried', () => {
    const frames: Frame[] = [
      {
        kind: 'message',
        at: 0,
        from: 'client',
        stream: 1,
        json: new JsonText('{"id":1.0,"method":"x"}'),
      },
      {
        kind: 'http-response',
        at: 5,
        from: 'server',
        stream: 1,
        status: 500,
        body: new Uint8Array([255, 0]),
      },
      { kind: 'line', at: 6, from: 'server', on: 'protocol', data: Buffer.from([254]), stream: 1 },
      {
        kind: 'authorization',
        at: 7,
        from: 'client',
        json: new JsonText('{"request":"mcp","url":"https://a.example/mcp"}'),
      },
    ];
    const { frames: again, header } = fromNdjson({ file: 'x', text: ndjson(cassetteOf(...frames)) });
    expect(header.transport).toBe('http');
    expect(again[0]).toMatchObject({ stream: 1, json: { text: '{"id":1.0,"method":"x"}' } });
    expect(again.slice(1)).toEqual([
      { ...frames[1], body: Buffer.from([255, 0]) },
      { ...frames[2], data: Buffer.from([254]) },
      frames[3],
    ]);
  });
});

describe('HAR', () => {
  it.each(cassettes.map((one) => [one.file.slice(folder.length + 1), one] as const))(
    'keeps what %s asked and was answered',
    (file, cassette) => {
      const session = fromHar({ file, text: har(cassette, PROGRAM) });
      const again = parseCassette(cassetteText(session, 'mcp-record 0'), file);
      const ofCalls = diffSessions(cassette, again).entries.filter(
        ({ kind, title }) => kind === 'changed' && /\/|initialize/.test(title) && !title.startsWith('notifications/'),
      );
      expect(ofCalls).toEqual([]);
    },
  );

  it('is the same again, of a session over HTTP with streams and statuses', () => {
    const file = join(import.meta.dirname, '..', 'fixtures', 'convert', 'session.har');
    const first = fromHar({ file, text: readFileSync(file, 'utf8') });
    const cassette = parseCassette(cassetteText(first, 'mcp-record 0'), file);
    const again = fromHar({ file, text: har(cassette, PROGRAM) });
    // The id of the session, which is in a header, is not kept.
    const plain = (frames: readonly Frame[]) =>
      frames.map((frame) => {
        const { at, session, json, ...rest } = frame as Frame & { session?: string; json?: JsonText };
        return { ...rest, json: json?.text };
      });
    expect(plain(again.frames)).toEqual(plain(first.frames));
    expect(again.header).toEqual(first.header);
  });

  it('has the fields that HAR 1.2 demands', () => {
    const { log } = JSON.parse(har(cassetteOf(client(call(1, 'add')), server(result(1, 'x'), 40)), PROGRAM));
    expect(log).toMatchObject({ version: '1.2', creator: PROGRAM });
    const [entry] = log.entries;
    expect(Object.keys(entry).sort()).toEqual(['cache', 'request', 'response', 'startedDateTime', 'time', 'timings']);
    expect(Object.keys(entry.request).sort()).toEqual(
      [
        'bodySize',
        'cookies',
        'headers',
        'headersSize',
        'httpVersion',
        'method',
        'postData',
        'queryString',
        'url',
      ].sort(),
    );
    expect(entry).toMatchObject({ time: 40, startedDateTime: '1970-01-01T00:00:00.000Z' });
    expect(JSON.parse(entry.response.content.text)).toEqual(result(1, 'x'));
  });
});

describe('Mermaid', () => {
  it('shows characters that hide, or turn the direction of writing', () => {
    expect(mermaid(cassetteOf(client(call(1, 'a\u202eb\u{e0041}\u200bc\u001b'))))).toContain(
      'a\\u{202e}b\\u{e0041}\\u{200b}c#27;',
    );
  });

  it('draws who said what, and how it ended', () => {
    const drawn = mermaid(
      cassetteOf(
        client(call(1, 'add;#<b>')),
        server(notification('message', { data: 'x' })),
        server(result(1, '3')),
        client(call(2, 'slow')),
        client(cancel(2)),
        server({ jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'two\nlines' } }),
        exits(0),
      ),
    );
    expect(drawn).toMatchInlineSnapshot(`
      "sequenceDiagram
        participant client
        participant server
        client->>server: tools/call "add#59;#35;#60;b#62;"
        server-)client: message
        server-->>client: result of tools/call "add#59;#35;#60;b#62;"
        client->>server: tools/call "slow"
        client-)server: cancelled
        server--xclient: error -32000 of tools/call "slow": two lines
        Note over server: exit 0
      "
    `);
  });

  it('draws answers without a question, failures of tools, signals, and what HTTP did without a message', () => {
    const drawn = mermaid(
      cassetteOf(
        server(result(9, 'nobody asked')),
        client(call(1, 'add')),
        server({ jsonrpc: '2.0', id: 1, result: { isError: true, content: [] } }),
        client(notification(`a${'b'.repeat(100)}`)),
        { kind: 'open', at: 0, from: 'client', stream: 2, method: 'GET' },
        { kind: 'http-response', at: 0, from: 'server', stream: 2, status: 405 },
        { kind: 'http-response', at: 0, from: 'server', stream: 3, status: 'sse' },
        { kind: 'close', at: 0, from: 'server', stream: 3 },
        { kind: 'signal', at: 0, from: 'client', signal: 'SIGTERM' },
      ),
    );
    expect(drawn.split('\n').slice(3, -1)).toEqual([
      '  server-->>client: result',
      '  client->>server: tools/call "add"',
      '  server--xclient: failure of tools/call "add"',
      `  client-)server: a${'b'.repeat(79)}…`,
      '  server--xclient: HTTP 405',
      '  Note over server: closes',
      '  client-)server: SIGTERM',
    ]);
  });

  it('ends where no page would draw it any more', () => {
    const frames = Array.from({ length: 450 }, (_, id) => client(call(id, 'add')));
    expect(
      mermaid(cassetteOf(...frames))
        .split('\n')
        .at(-2),
    ).toBe('  Note over client,server: and 50 more');
  });
});

describe('OTLP', () => {
  it.each(cassettes.map((one) => [one.file.slice(folder.length + 1), one] as const))(
    'is what the official definitions of OTLP say, and has a span for each request of %s',
    (_, cassette) => {
      const written = otlp(cassette, PROGRAM);
      const request = JSON.parse(written);
      expect(throughProtobuf(request)).toEqual(withoutEmptyLists(request));
      const requests = cassette.events.filter(({ frame }) => frame.kind === 'message' && isRequest(frame.json.value));
      expect(requests.length).toBeGreaterThan(0);
      expect(spansIn(request).length).toBe(requests.length + 1);
      expect(otlp(cassette, PROGRAM)).toBe(written);
    },
  );

  it.each([
    ['an unknown member', { spans: [{ title: 'x' }] }],
    ['a member in the spelling of the definitions, which JSON does not have', { spans: [{ span_id: 'aa' }] }],
    ['a number in place of a text', { spans: [{ name: 7 }] }],
    ['a text in place of a list', { spans: [{ events: 'x' }] }],
  ])('would be found with %s', (_, scope) => {
    const wrong = { resourceSpans: [{ scopeSpans: [scope] }] };
    const decoded = () => throughProtobuf(wrong);
    let result: unknown;
    try {
      result = decoded();
    } catch {
      return;
    }
    expect(result).not.toEqual(withoutEmptyLists(wrong));
  });

  it('is one line of UTF-8, with the program that wrote it', () => {
    const written = otlp(cassetteOf(client(call(1, 'a\u2028b'))), PROGRAM);
    expect(written.split('\n').length).toBe(2);
    expect(JSON.parse(written).resourceSpans).toMatchObject([
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'mcp-record' } }] },
        scopeSpans: [{ scope: PROGRAM }],
      },
    ]);
  });

  it('begins when the recording began, or in 1970', () => {
    const recorded = cassetteOf(client(call(1, 'add')), server(result(1, 'x'), 0.25));
    const times = () =>
      spansIn(JSON.parse(otlp(recorded, PROGRAM))).map((span) => [span.startTimeUnixNano, span.endTimeUnixNano]);
    expect(times()).toEqual([
      ['0', '250000'],
      ['0', '250000'],
    ]);
    recorded.header.recorded = '2026-11-28T00:00:00Z';
    expect(times()[0]).toEqual(['1795824000000000000', '1795824000000250000']);
  });

  it('has other ids for another session, and the same where only the name of the file differs', () => {
    const [one, other] = [cassetteOf(client(call(1, 'add'))), cassetteOf(client(call(1, 'add'), 0.5))];
    const idOf = (cassette: typeof one) => spansIn(JSON.parse(otlp(cassette, PROGRAM)))[0]!.traceId;
    expect(idOf(one)).not.toBe(idOf(other));
    expect(idOf({ ...one, file: 'renamed.yaml' })).toBe(idOf(one));
    expect(idOf({ ...one, header: { ...one.header, recorded: '2026-11-28T00:00:00Z' } })).not.toBe(idOf(one));
  });

  it('finds every outcome of a session with server-everything', () => {
    const everything = cassettes.find(({ file }) => file.endsWith('everything.yaml'))!;
    const spans = spansIn(JSON.parse(otlp(everything, PROGRAM)));
    const types = spans.map((span) => attributesOf(span)['error.type']).filter(Boolean);
    expect(types).toEqual(['tool_error', 'tool_error', '-32601', '-32602', 'cancelled']);
    const sampling = spans.find(({ name }) => name === 'sampling/createMessage')!;
    const around = spans.find(({ spanId }) => spanId === sampling.parentSpanId)!;
    expect(around.name).toBe('tools/call trigger-sampling-request');
  });
});

describe('what is written', () => {
  it('is told by the name of the file, or by --to', () => {
    expect(['x.ndjson', 'x.jsonl', 'x.har', 'x.mmd', 'x.yaml'].map((file) => targetOf(file)?.name)).toEqual([
      'ndjson',
      'ndjson',
      'har',
      'mermaid',
      undefined,
    ]);
    expect(targetOf('x.txt', 'har')?.name).toBe('har');
    expect(targetOf('x.json', 'otlp')?.name).toBe('otlp');
    expect(() => targetOf('x.json')).toThrow('otlp');
    expect(() => targetOf('x.txt')).toThrow('[CONVERT_UNKNOWN_FORMAT]');
  });
});
