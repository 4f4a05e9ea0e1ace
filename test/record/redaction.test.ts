import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { redactFinished } from '../../src/record/redact-file/redact-finished.ts';
import { LongLineRedaction } from '../../src/record/stdio/redact-long-line.ts';
import { redactBeforeWriting } from '../../src/record/writer/redact-before-writing.ts';
import { createRedactor } from '../../src/redact/redactor.ts';
import { freeNames, temporaryFolder } from '../support/cassette.ts';
import { fixture, recorder, run } from '../support/process.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const line = (data: string) => ({ kind: 'line', at: 0, from: 'client', on: 'protocol', data }) as const;
const message = (params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params });

describe('a recorder', () => {
  const said = `${message({ password: 'hunter2hunter', text: `the token is ${TOKEN}` })}\n`;

  it('keeps no secret, and passes all of it on', async () => {
    const file = newFile();
    const { stdout, stderr } = await run(recorder(file, fixture('cat.js')), said);
    expect(stdout.toString()).toBe(said);
    expect(stderr).toMatch(/^mcp-record: no call, 1 other request, 2 values redacted in 4 places \(.*\) → \S+\n$/);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/hunter2hunter|ghp_/);
    expect(text).toContain('password: "[redacted:password:1]"');
    expect(loadCassette(file).warnings).toEqual([]);
  });

  it('keeps everything where that was asked for by name, and says so', async () => {
    const file = newFile();
    const { stderr } = await run(recorder(file, fixture('cat.js'), '--no-redact'), said);
    expect(stderr).toContain('--no-redact: what passes is kept as it is');
    expect(readFileSync(file, 'utf8')).toContain('hunter2hunter');
  });

  it('takes out of what it wrote before what it learns to be a secret later', async () => {
    const file = newFile();
    const early = message({ text: 'my word is correct-horse-7' });
    const late = message({ password: 'correct-horse-7' });
    await run(recorder(file, fixture('cat.js')), `${early}\n${late}\n`);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('correct-horse-7');
    expect(text).toContain('my word is [redacted:password:1]');
    expect(loadCassette(file).end).toBe('complete');
  });

  it('finds a secret in a line that is too long to be held', async () => {
    const file = newFile();
    const long = message({ text: `${'x '.repeat(3_000_000)} ${TOKEN} end` });
    await run(recorder(file, fixture('cat.js')), `${long}\n`);
    const frames = loadCassette(file).events.map(({ frame }) => frame);
    const kept = frames.flatMap((frame) => (frame.kind === 'message' ? [frame.json.text] : []));
    expect(kept).toHaveLength(2);
    for (const text of kept) expect(text).toMatch(/x {2}\[redacted:[\w-]+:1\] end"\}\}$/);
  });
});

describe('what is kept of a line', () => {
  it('is redacted as the message that it is, its text untouched elsewhere', () => {
    const redactor = createRedactor({ env: {} });
    const kept = redactBeforeWriting(line('{ "n":1.0, "api_key" : "abcdefgh12345678"}'), redactor);
    expect(kept).toMatchObject({ data: '{ "n":1.0, "api_key" : "[redacted:api_key:1]"}' });
  });

  it('is the very frame where nothing is secret', () => {
    const redactor = createRedactor({ env: {} });
    for (const data of [message({ maxTokens: 5 }), 'plain text', '{not json', '']) {
      const frame = line(data);
      expect(redactBeforeWriting(frame, redactor)).toBe(frame);
    }
  });
});

describe('a long line', () => {
  it.each([1, 7, 1_000, 20_000, 100_000])('loses its secret in pieces of %i bytes', (size) => {
    const text = Buffer.from(`${'é '.repeat(size > 1 ? 20_000 : 500)} ${TOKEN} ${'é '.repeat(500)}`);
    const redaction = new LongLineRedaction(createRedactor({ env: {} }));
    const kept: Buffer[] = [];
    for (let at = 0; at < text.length; at += size) {
      kept.push(Buffer.from(redaction.add(text.subarray(at, at + size))));
    }
    kept.push(Buffer.from(redaction.end()));
    const whole = Buffer.concat(kept).toString();
    expect(whole.replace(/\[redacted:[\w-]+:1\]/, TOKEN)).toBe(text.toString());
    expect(whole).not.toContain(TOKEN);
  });
});

/** What is kept of a long line that comes in pieces of that size. */
function keptOfLong(text: Buffer, size: number, redactor = createRedactor({ env: {} })): string {
  const redaction = new LongLineRedaction(redactor);
  const kept: Buffer[] = [];
  for (let at = 0; at < text.length; at += size) kept.push(Buffer.from(redaction.add(text.subarray(at, at + size))));
  return Buffer.concat([...kept, redaction.end()]).toString();
}

describe('a long line', () => {
  it.each([4_099, 65_536])('loses what base64 in it says, wherever pieces of %i bytes cut it', (size) => {
    const said = 'some words of a file, '.repeat(5_000);
    for (const shift of [0, 1, 2, 3]) {
      const file = Buffer.from(`${said}${' '.repeat(shift)}${TOKEN}\n${said}`).toString('base64');
      const kept = keptOfLong(Buffer.from(`{"a":"${'x'.repeat(shift)}","blob":"${file}"}`), size);
      const blob = /"blob":"([^"]*)"/.exec(kept)?.[1] ?? '';
      expect(Buffer.from(blob.split('=')[0]!, 'base64').toString()).toContain('[redacted:github-token:1]');
      for (const part of blob.split('=')) {
        for (const from of [0, 1, 2, 3])
          expect(Buffer.from(part.slice(from), 'base64').toString('latin1')).not.toContain(TOKEN.slice(8));
      }
    }
  });

  it('keeps nothing of a token behind the piece in which it began', () => {
    const text = Buffer.from(`{"a":"${'é '.repeat(500)}","b":"${TOKEN}${'c3D4'.repeat(200)} end"}`);
    for (const size of [1, 13, 100, 1_000]) {
      const kept = keptOfLong(text, size);
      expect(kept).not.toMatch(/a1B2|c3D4/);
      expect(kept).toContain(' end"}');
    }
  });

  it('has a word whole that goes on in the next piece, though what was before it became longer', () => {
    const env = { API_TOKEN: 's3cr3tpw' };
    const long = (...pieces: string[]) => {
      const redaction = new LongLineRedaction(createRedactor({ env }));
      const kept = pieces.map((piece) => Buffer.from(redaction.add(Buffer.from(piece))).toString());
      return kept.join('') + Buffer.from(redaction.end());
    };
    const pieces = [`["${TOKEN.slice(0, -2)}`, `${TOKEN.slice(-2)}","${TOKEN}","s`, '3c', 'r3tpw","w', 'xy"] '];
    expect(long(...pieces)).toMatch(
      /^\["\[redacted:github-token:\d\]","\[redacted:github-token:\d\]","\[redacted:API_TOKEN:\d\]","wxy"\] $/,
    );
  });

  it('is looked at a last time, too', () => {
    const blind = { ...createRedactor({ env: {} }), text: (text: string) => text };
    const kept = keptOfLong(Buffer.from(`${'é '.repeat(20_000)} ${TOKEN} end`), 65_536, blind);
    expect(kept).toMatch(/ redacted\.github-token end$/);
  });

  it.each([0, 1, 2, 3, 4, 5, 6])('loses a token of which %i bytes end a piece of base64', (bytes) => {
    const PIECE = 64 * 1024;
    // Neither was learnt before: what was is looked for everywhere.
    const [spelt, said] = ['Q', 'R'].map((letter) => `${letter}${bytes}zK`.repeat(9));
    const text = `${'x'.repeat(2 * PIECE - bytes - 1)}-ghp_${spelt}--${'x'.repeat(PIECE)}`;
    expect(keptOfLong(Buffer.from(text), PIECE)).not.toContain(spelt);
    const file = `${'x'.repeat((2 * PIECE * 3) / 4 - bytes - 1)} ghp_${said} ${'x'.repeat(PIECE)}`;
    const kept = keptOfLong(Buffer.from(Buffer.from(file).toString('base64')), PIECE);
    expect(Buffer.from(kept, 'base64').toString('latin1')).not.toContain(said);
  });

  it('that is nothing but base64 passes as it is, in bounded memory', () => {
    const text = Buffer.from(Buffer.alloc(3_000_000, 'no secret in here; ').toString('base64'));
    expect(keptOfLong(text, 65_536)).toBe(text.toString());
  });
});

describe('a cassette that is redacted again', () => {
  const cassette = (text: string) => {
    const file = newFile();
    writeFileSync(file, text);
    return file;
  };
  const TEXT = `# MCP session recorded by mcp-record. Format: mcp-record/1
format: mcp-record/1
recorder: mcp-record 0.1.0
transport: stdio
events:
- client:
    text: so secret-word-1 it is
  after: 400
- server: "secret-word-1"
- end: complete
`;

  it('has the same events at the same times, without it', () => {
    const file = cassette(TEXT);
    const redactor = createRedactor({ env: { MY_TOKEN: 'secret-word-1' } });
    redactFinished(file, redactor);
    expect(readFileSync(file, 'utf8')).toBe(
      TEXT.replace('so secret-word-1 it is', 'so [redacted:MY_TOKEN:1] it is').replace(
        '"secret-word-1"',
        '"[redacted:MY_TOKEN:1]"',
      ),
    );
  });

  it('stays the file that it was where nothing is secret, with its comments', () => {
    const file = cassette(TEXT.replace('events:', '# mine\nevents:'));
    redactFinished(file, createRedactor({ env: {} }));
    expect(readFileSync(file, 'utf8')).toContain('# mine');
  });

  it('leaves nothing beside it, also where it fails', () => {
    const file = join(folder, 'none.yaml');
    expect(() => redactFinished(file, createRedactor({ env: {} }))).toThrow(/ENOENT/);
    expect(() => readFileSync(`${file}.${process.pid}.tmp`)).toThrow(/ENOENT/);
  });
});

describe('a message over HTTP', () => {
  it('has no secret in its headers, nor in the id of its event', () => {
    const redactor = createRedactor({ env: {}, rules: [{ pattern: 'CUST-\\d{5}', name: 'customer' }] });
    const headers = { 'www-authenticate': 'Bearer scope="read:CUST-12345"' };
    const given = { ...line('{"jsonrpc":"2.0","id":1}'), headers, sse: { id: 'ev-CUST-12345' } };
    expect(redactBeforeWriting(given, redactor)).toEqual({
      ...given,
      headers: { 'www-authenticate': 'Bearer scope="read:[redacted:customer:1]"' },
      sse: { id: 'ev-[redacted:customer:1]' },
    });
    const clean = { ...given, headers: { allow: 'GET' }, sse: { id: '7' } };
    expect(redactBeforeWriting(clean, redactor)).toBe(clean);
  });
});
