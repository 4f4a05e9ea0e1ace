import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { conversation, inSession } from '../http-conversation.ts';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
const result = { jsonrpc: '2.0', id: 1, result: {} };
const CALL = '- client:\n    jsonrpc: "2.0"\n    id: 1\n    method: tools/call\n  stream: 2\n';
const RESULT = '- server:\n    jsonrpc: "2.0"\n    id: 1\n    result: {}\n  stream: 2\n';

/** What a cassette shows of exchanges after the first, which opens session "s". */
function shows(tell: (line: ReturnType<typeof conversation>) => void, options = {}): string {
  using line = conversation(options);
  line.open('s');
  const before = line.cassetteText();
  tell(line);
  expect(line.failures).toEqual([]);
  return `- ${line.cassetteText().slice(before.length)}`.replace(/\n- (?:end: .*\n)?$/, '\n');
}

const inS = (headers = {}) => ({ body: call, headers: inSession('s', headers) });

describe('what is ordinary is not in the cassette', () => {
  it('a JSON answer, whatever its parameters', () => {
    expect(shows(({ ask }) => ask(inS()).json(result))).toBe(CALL + RESULT);
    const type = { 'Content-Type': 'application/json; charset=utf-8' };
    expect(shows(({ ask }) => ask(inS()).json(result, type))).toBe(CALL + RESULT);
  });

  it('202 to a notification and to an answer', () => {
    const said = shows(({ ask }) =>
      ask({ body: { jsonrpc: '2.0', method: 'notifications/initialized' }, headers: inSession('s') })
        .head(202)
        .ends(),
    );
    expect(said).toBe('- client:\n    jsonrpc: "2.0"\n    method: notifications/initialized\n  stream: 2\n');
    expect(
      shows(({ ask }) =>
        ask({ ...inS(), body: result })
          .head(202)
          .ends(),
      ),
    ).not.toContain('response:');
  });

  it('the end of a stream after its answer, and how its events are named', () => {
    const said = shows(({ ask }) => ask(inS()).stream().says('event: message\n').event(result).ends());
    expect(said).toBe(`${CALL + RESULT}  sse: {}\n`);
  });

  it('a session deleted', () => {
    const { Accept: _, 'Content-Type': __, ...headers } = inSession('s');
    expect(shows(({ ask }) => ask({ method: 'DELETE', headers }).head(200).ends())).toBe(
      '- open: DELETE\n  stream: 2\n',
    );
  });

  it('a stream that the client listens on', () => {
    const headers = inSession('s', { Accept: 'text/event-stream' });
    expect(shows(({ ask }) => void ask({ method: 'GET', headers }).stream())).toBe('- open: GET\n  stream: 2\n');
  });
});

describe('what is not ordinary is: statuses, losses, and who would not listen (§14)', () => {
  it('a status, and headers that tell why', () => {
    const challenge = { 'WWW-Authenticate': 'Bearer scope="x"', 'Set-Cookie': 'secret', 'X-Odd': '1' };
    expect(shows(({ ask }) => ask(inS()).json(result, challenge, 401))).toBe(
      `${CALL + RESULT}  status: 401\n  headers:\n    www-authenticate: Bearer scope="x"\n`,
    );
  });

  it('an answer without a message', () => {
    const text = { 'Content-Type': 'text/html', Allow: 'POST' };
    expect(shows(({ ask }) => ask(inS()).head(502, text).says('<h1>Bad</h1>').ends())).toBe(
      `${CALL}- response: 502\n  stream: 2\n  headers:\n    content-type: text/html\n    allow: POST\n  body: "<h1>Bad</h1>"\n`,
    );
    expect(shows(({ ask }) => ask(inS()).head(202).ends())).toBe(`${CALL}- response: 202\n  stream: 2\n`);
  });

  it('priming, comments, and an end before the answer', () => {
    const said = shows(({ ask }) => ask(inS()).stream().says('id: 4\nretry: 9\ndata: \n\n: ping\n').ends());
    expect(said).toBe(
      `${CALL}- sse:\n    id: "4"\n    retry: 9\n  stream: 2\n- comment: " ping"\n  stream: 2\n- close: server\n  stream: 2\n`,
    );
  });

  it('a stream that says nothing', () => {
    expect(shows(({ ask }) => ask(inS()).stream().gone('client', 'rst'))).toBe(
      `${CALL}- response: sse\n  stream: 2\n- close: client\n  stream: 2\n  how: rst\n`,
    );
  });

  it('an event that is not JSON, or has a name of its own', () => {
    const said = shows(({ ask }) => void ask(inS()).stream().says('data: {oops\n\nevent: odd\ndata: {}\n\n'));
    expect(said).toContain('- server: "{oops"\n  stream: 2\n  sse: {}\n');
    expect(said).toContain('- sse:\n    event: odd\n    data: "{}"\n');
  });

  it('what a stream resumes', () => {
    const headers = inSession('s', { Accept: 'text/event-stream', 'Last-Event-ID': '4_1' });
    expect(shows(({ ask }) => void ask({ method: 'GET', headers }))).toBe(
      '- open: GET\n  stream: 2\n  resumes: "4_1"\n',
    );
  });

  it('headers that a revision demands and that are others, or missing', () => {
    const { 'MCP-Protocol-Version': _, ...headers } = inSession('s', {
      Accept: 'text/html',
      'Content-Type': 'text/plain',
    });
    expect(shows(({ ask }) => void ask({ body: call, headers }))).toBe(
      `${CALL}  headers:\n    content-type: text/plain\n    accept: text/html\n    mcp-protocol-version: ""\n`,
    );
  });

  it('a body that is not JSON', () => {
    expect(shows(({ ask }) => void ask({ ...inS(), body: 'hello' }))).toBe('- client: hello\n  stream: 2\n');
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
  ] as const)('a response that is compressed as %s, as if it were not', (coding, compress) => {
    const said = (headers: Record<string, string>, encode: (text: string) => string | Uint8Array) =>
      shows(({ ask }) => {
        ask(inS()).json(encode(JSON.stringify(result)), headers);
        const event = `data: ${JSON.stringify(result)}\n\n`;
        ask(inS()).stream(headers).says(encode(event)).ends();
      });
    const plain = said({}, (text) => text);
    expect(plain).toContain('result:');
    expect(said({ 'Content-Encoding': coding }, (text) => compress(text))).toBe(plain);
  });

  it.each([
    ['once', (text: string) => gzipSync(text)],
    ['twice', (text: string) => gzipSync(gzipSync(text))],
  ])('a response that is compressed %s without a header that says so, as if it were not', (_times, compress) => {
    const said = (encode: (text: string) => string | Uint8Array) =>
      shows(({ ask }) => {
        ask(inS()).json(encode(JSON.stringify(result)));
        const event = `data: ${JSON.stringify(result)}\n\n`;
        ask(inS()).stream().says(encode(event)).ends();
      });
    expect(said(compress)).toBe(said((text) => text));
  });

  it('a body that begins like gzip and is none, as its bytes', () => {
    expect(shows(({ ask }) => ask(inS()).json(Uint8Array.of(0x1f, 0x8b, 0x08, 0xff)))).toContain(
      'bodyBytes: "H4sI/w=="',
    );
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateRawSync],
    ['deflate', deflateSync],
  ] as const)('of %s that was cut off, what can be decoded', (coding, compress) => {
    const text = `token ${'x'.repeat(20)} ${randomBytes(3_000).toString('hex')}`;
    const said = shows(({ ask }) =>
      ask(inS()).json(compress(text).subarray(0, -100), { 'Content-Encoding': coding, 'Content-Type': 'text/plain' }),
    );
    expect(said).toContain(`token ${'x'.repeat(20)}`);
    expect(said).not.toMatch(/Bytes|content-encoding/);
  });

  it('of gzip with something behind it, both', () => {
    const body = Buffer.concat([gzipSync('{"a":1}'), Buffer.from('and more')]);
    const said = shows(({ ask }) => ask(inS()).json(body, { 'Content-Encoding': 'gzip' }));
    expect(said).toContain('{"a":1}and more');
  });

  it('the events of a compressed stream that nobody ends', () => {
    const events = `data: ${JSON.stringify(result)}\n\n`;
    const begun = gzipSync(events + randomBytes(3_000).toString('hex')).subarray(0, -2_000);
    const headers = { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' };
    const said = shows(({ ask }) => ask(inS()).head(200, headers).says(begun).gone('client', 'fin'));
    expect(said).toContain('result:');
    expect(said).not.toMatch(/Bytes|content-encoding/);
  });

  it('nothing of a compressed response that is longer than can be held', () => {
    using line = conversation({ holdBytesMax: 1_000 });
    line.open('s');
    line.ask(inS()).json(gzipSync('{"a":"'.padEnd(100_000)), { 'Content-Encoding': 'gzip' });
    expect(line.cassetteText()).toMatch(/- server: ""\n {2}stream: 2\n {2}partial: true\n/);
    expect(line.cuts).toEqual(['server']);
  });

  it('a response that is said to be compressed and is not, as its bytes', () => {
    const said = shows(({ ask }) => ask(inS()).json(result, { 'Content-Encoding': 'gzip' }));
    expect(said).toContain(
      '- response: 200\n  stream: 2\n  headers:\n    content-type: application/json\n    content-encoding: gzip\n',
    );
  });

  it.each([
    ['client', 'fin'],
    ['server', 'rst'],
  ] as const)('a connection lost by the %s (%s), and what had come until then', (from, how) => {
    const said = shows(({ ask }) =>
      ask(inS()).head(200, { 'Content-Type': 'application/json' }).says('{"jso').gone(from, how),
    );
    expect(said).toBe(
      `${CALL}- server: '{"jso'\n  stream: 2\n  partial: true\n- close: ${from}\n  stream: 2\n  how: ${how}\n`,
    );
  });

  it('the status of a refusal whose client does not wait for the body', () => {
    const said = shows(({ ask }) => ask(inS()).head(404, { 'Content-Type': 'text/plain' }).gone('client', 'fin'));
    expect(said).toBe(`${CALL}- response: 404\n  stream: 2\n- close: client\n  stream: 2\n  how: fin\n`);
  });

  it('a request that never came to its end', () => {
    const said = shows(({ begin }) => begin({ ...inS(), body: '{"jso' }).gone('client', 'fin'));
    expect(said).toContain(`- client: '{"jso'\n  stream: 2\n  partial: true\n`);
  });

  it('an answer before the end of the request', () => {
    const said = shows(({ begin }) => begin({ ...inS(), body: '{"jso' }).json({ error: 1 }, {}, 413));
    expect(said).toMatch(
      /^- client: '\{"jso'\n {2}stream: 2\n {2}partial: true\n- response: 413\n {2}stream: 2\n {2}headers:\n {4}content-type: application\/json\n {2}body: '\{"error":1\}'/,
    );
  });
});

describe('what is too long', () => {
  it('is cut in the cassette, and told', () => {
    using line = conversation({ holdBytesMax: 200 });
    line.open('s');
    line.ask(inS()).json({ ...result, long: 'x'.repeat(500) });
    line
      .ask(inS())
      .stream()
      .event({ long: 'x'.repeat(500) })
      .event(result)
      .ends();
    line.ask({ ...inS(), body: { ...call, long: 'x'.repeat(500) } });
    expect(line.cuts).toEqual(['server', 'server', 'client']);
    expect(line.cassetteText().match(/partial: true/g)).toHaveLength(3);
    expect(line.cassetteText()).toContain('result: {}');
  });
});

/** design: "Secrets never reach the disk": headers are let through by name, and credentials by their scheme alone. */
it('no secret of a header reaches the cassette', () => {
  const secret = 'sEcReT';
  const headers = {
    Authorization: `Bearer ${secret}`,
    Cookie: secret,
    'X-Api-Key': secret,
    DPoP: secret,
    'Mcp-Param-Token': secret,
    'Proxy-Authorization': secret,
  };
  const said = shows(({ ask }) => {
    ask(inS(headers)).json(result, { 'Set-Cookie': secret, 'Mcp-Session-Id': 's', 'X-Token': secret });
    ask(inS(headers)).json(result);
    ask(inS()).json(result);
  });
  expect(said).not.toContain(secret);
  expect(said.match(/authorization: .*/g)).toEqual(['authorization: Bearer', 'authorization: ""']);
});

describe('a request of 2026-07-28', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const body = { ...call, params: { name: 'grüß', _meta } };
  const demanded = {
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': `=?base64?${Buffer.from('grüß').toString('base64')}?=`,
  };
  const show = (headers: Record<string, string>) => {
    using line = conversation();
    line.ask({ body, headers }).json(result);
    return line.cassetteText('cassette.yaml');
  };

  it('is ordinary with the headers that repeat its body', () => {
    expect(show(demanded)).not.toContain('headers');
  });

  it('is not where they say something else', () => {
    expect(show({ ...demanded, 'Mcp-Name': 'other', 'MCP-Protocol-Version': '2025-11-25' })).toContain(
      '  headers:\n    mcp-protocol-version: "2025-11-25"\n    mcp-name: other\n',
    );
  });
});

it('an event stream that ends inside an event is told as partial, and not as too long', () => {
  using line = conversation({ holdBytesMax: 200 });
  line.open('s');
  line.ask(inS()).stream().says('id: 1\ndata: {"jso').ends();
  expect(line.cassetteText()).toContain(`- server: '{"jso'\n  stream: 2\n  sse:\n    id: "1"\n  partial: true\n`);
  expect(line.cuts).toEqual([]);
});

describe('bodies of many exchanges at the same time', () => {
  const call = (text: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { text } });

  it('have a limit together: the longest are cut, and what comes beside them is whole', () => {
    using line = conversation({ holdBytesMax: 1_000 });
    line.open('s');
    const long = Array.from({ length: 12 }, () => line.begin({ ...inS(), body: call('x'.repeat(900)) }));
    const beside = line.ask({ ...inS(), body: call('beside') });
    beside.json({ jsonrpc: '2.0', id: 1, result: { text: 'y'.repeat(100) } });
    for (const one of long) {
      one.asked();
      one.json({ jsonrpc: '2.0', id: 1, result: {} });
    }
    const text = line.cassetteText();
    expect(text).toContain('text: beside\n');
    expect(text).toContain('y'.repeat(100));
    expect(text.match(/partial: true/g)?.length).toBeGreaterThanOrEqual(8);
    // Each is told of, and each has its beginning.
    expect(text.match(/tools\/call/g)).toHaveLength(13);
    expect(new Set(line.cuts)).toEqual(new Set(['client']));
    expect(line.cuts.length).toBe(text.match(/partial: true/g)?.length);
  });

  it('have it while they wait for their session, too', () => {
    using line = conversation({ holdBytesMax: 1_000 });
    const initialize = call('x'.repeat(900)).replace('tools/call', 'initialize');
    const waiting = Array.from({ length: 12 }, () => line.ask({ body: initialize }));
    for (const one of waiting) one.asked();
    waiting[0]!.json({ jsonrpc: '2.0', id: 1, result: {} }, { 'Mcp-Session-Id': 'a' });
    expect(line.cassetteText()).toMatch(/initialize.*\n.*partial: true/s);
    expect(line.cuts.length).toBeGreaterThanOrEqual(8);
    waiting[11]!.json({ jsonrpc: '2.0', id: 1, result: {} }, { 'Mcp-Session-Id': 'b' });
    expect(line.failures).toEqual([]);
  });

  it('have it in answers and events, too', () => {
    using line = conversation({ holdBytesMax: 1_000 });
    line.open('s');
    const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'z'.repeat(900) } });
    const bodies = Array.from({ length: 6 }, () =>
      line
        .ask({ ...inS(), body: call('b') })
        .head(200)
        .says(answer),
    );
    const streams = Array.from({ length: 6 }, () => line.ask({ ...inS(), body: call('e') }).stream());
    for (const stream of streams) stream.says(`data: ${answer}`);
    for (const body of bodies) body.ends();
    for (const stream of streams) stream.says('\n\n').ends();
    expect(new Set(line.cuts)).toEqual(new Set(['server']));
    expect(line.cuts.length).toBeGreaterThanOrEqual(8);
    expect(line.cassetteText().match(/partial: true/g)).toHaveLength(line.cuts.length);
  });
});

describe('an answer in Zstandard', () => {
  /** A frame of Zstandard (RFC 8878) with one raw block, which needs no compressor. */
  const zstd = (text: string) => {
    const header = (text.length << 3) | 1;
    const frame = [0x28, 0xb5, 0x2f, 0xfd, 0x20, text.length, header & 0xff, header >> 8, header >> 16];
    return Buffer.concat([Buffer.from(frame), Buffer.from(text)]);
  };
  const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2).slice(0, 36)}`;
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: `is ${token}` } });

  it.each<Record<string, string>>([{ 'Content-Encoding': 'zstd' }, {}])(
    'keeps no secret on any Node: %j',
    (headers) => {
      using line = conversation({ redacts: true });
      line.open('s');
      const asked = line.ask({ ...inS(), body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
      asked
        .head(200, { 'Content-Type': 'application/json', ...headers })
        .says(zstd(answer))
        .ends();
      const text = line.cassetteText();
      const hasDecoder = 'zstdDecompressSync' in process.getBuiltinModule('node:zlib');
      const omitted = Buffer.from('[redacted:compressed-body:1]').toString('base64');
      expect(text).toContain(hasDecoder ? 'is [redacted:github-token:1]' : `bodyBytes: "${omitted}"`);
      // Raw blocks show the token, also in base64.
      expect(text).not.toContain(token);
      expect(text).not.toContain(Buffer.from(zstd(answer)).toString('base64').slice(12, 40));
      expect(line.failures).toEqual([]);
    },
  );
});
