import { truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { IncrementalCassetteParser } from '../src/cassette/read/incremental-cassette-parser.ts';
import { loadCassette } from '../src/cassette/read/load-cassette.ts';
import { parseCassette } from '../src/cassette/read/parse-cassette.ts';
import type { Channel } from '../src/channel/channel.ts';
import { ManualClock } from '../src/kernel/manual-clock.ts';
import { JsonText } from '../src/protocol/json-text.ts';
import { RecordedBody } from '../src/record/http/recorded-body.ts';
import { SecretRegistry } from '../src/redact/replace/secret-registry.ts';
import type { Finding } from '../src/replay/findings/finding.ts';
import type { PlaybackContext } from '../src/replay/http/create-session-player.ts';
import type { HttpResponseWriter } from '../src/replay/http/http-response-writer-types.ts';
import { ServerSession } from '../src/replay/http/server-session.ts';
import { differenceText } from '../src/text-report/difference-text.ts';
import { HOLD_BYTES_MAX, LineDecoder } from '../src/transports/stdio/line-decoder.ts';
import { liveServerOverChannel } from '../src/verify/run/live-server-over-channel.ts';
import type { LiveEvents } from '../src/verify/run/live-server-types.ts';
import { freeNames, temporaryFolder } from './support/cassette.ts';
import { get, wires } from './transports/http/wire.ts';

const newFile = freeNames(temporaryFolder());
const HEAD = 'format: mcp-record/1\ntransport: stdio\n';
const MIB = 1024 * 1024;

/** What is said against a cassette that holds this. */
function trouble(text: string): string {
  try {
    parseCassette(text, 'cassette.yaml');
    return '';
  } catch (error) {
    return String(error);
  }
}

const inFlow = (value: string) => trouble(`${HEAD}events:\n- client: ${value}\n`);
const nested = (levels: number) => `{a: ${'['.repeat(levels)}${']'.repeat(levels)}}`;
const aliases = (count: number) => `{a: &a 1, b: [${Array(count).fill('*a').join(', ')}]}`;

describe('a limit lets through what is just as long, and stops what is longer by one:', () => {
  it('a line that is held', () => {
    const seen: string[] = [];
    const long = { open: () => seen.push('long'), piece: () => {}, close: () => {} };
    const decoder = new LineDecoder({ from: 'client', on: 'protocol', line: () => seen.push('held'), long });
    for (const length of [HOLD_BYTES_MAX, HOLD_BYTES_MAX + 1]) {
      const line = Buffer.alloc(length, 'x');
      decoder.write(line.subarray(0, 1000), 0);
      decoder.write(line.subarray(1000), 0);
      decoder.write(Buffer.from('\n'), 0);
    }
    expect(seen).toEqual(['held', 'long']);
  });

  it('a body that is held', () => {
    for (const [length, isCut] of [
      [64, false],
      [65, true],
    ] as const) {
      const body = new RecordedBody(64);
      body.add(Buffer.alloc(60));
      body.add(Buffer.alloc(length - 60));
      expect(body.isCut).toBe(isCut);
      expect(body.take()).toHaveLength(64);
    }
  });

  it('what stands before the events of a cassette, as it is read piece by piece', () => {
    const before = (length: number) => Buffer.from(`${HEAD}# `.padEnd(length, 'x'));
    const walk = new IncrementalCassetteParser('cassette.yaml');
    expect(walk.push(before(MIB))).toEqual([]);
    expect(() => new IncrementalCassetteParser('cassette.yaml').push(before(MIB + 1))).toThrow(
      /\[CASSETTE_NOT_RECOGNIZED\]/,
    );
  });

  it('a cassette that is loaded', () => {
    const file = newFile();
    writeFileSync(file, `${HEAD}events:\n`);
    truncateSync(file, 500 * MIB + 1);
    expect(() => loadCassette(file)).toThrow(/\[CASSETTE_TOO_LARGE\]/);
  });

  it('an event that no recorder laid out so', () => {
    const [before, after] = ['client: {method: a, params: {b: &anchor ', '}}\n'];
    const event = (length: number) => `${before}${'x'.repeat(length - before.length - after.length)}${after}`;
    const said = (length: number) => trouble(`${HEAD}events:\n- ${event(length - 2)}`);
    expect(said(16 * MIB)).toBe('');
    expect(said(16 * MIB + 1)).toMatch(/longer than 16 MiB.*\[CASSETTE_DAMAGED\]/s);
  });

  it('levels of nesting in a message', () => {
    expect(inFlow(nested(64))).toBe('');
    expect(inFlow(nested(65))).toMatch(/nested deeper than 64 levels.*\[CASSETTE_DAMAGED\]/s);
  });

  it('aliases of one mapping, and the values that they make', () => {
    expect(inFlow(aliases(1000))).toBe('');
    expect(inFlow(aliases(1001))).toMatch(/more than 1000 aliases.*\[CASSETTE_DAMAGED\]/s);
    const list = `&a [${Array(999).fill(1).join(', ')}]`;
    expect(inFlow(`{a: ${list}, b: [${Array(1000).fill('*a').join(', ')}]}`)).toMatch(
      /aliases repeat too much.*\[CASSETTE_DAMAGED\]/s,
    );
  });

  it('lines that are drawn, and those that are shown', () => {
    const list = (length: number, from = 0) => Array.from({ length }, (_, n) => n + from);
    const drawn = (lines: number) => differenceText(list(lines - 2 - 2), list(0)).length;
    // The names of the two, and how many lines more.
    expect(drawn(2000)).toBe(203);
    expect(drawn(2001)).toBeLessThan(100);
  });

  it('a secret that is looked for by its value, wherever it stands', () => {
    const { secrets, soughtFor } = sought();
    const value = (n: number) => `xK7q${n}Wz`;
    for (let n = 1; n <= 100_001; n++) secrets.placeholder('key', value(n));
    expect([1, 100_000, 100_001].map((n) => soughtFor.has(value(n)))).toEqual([true, true, false]);
    expect([100_000, 100_001, 100_002].map((n) => secrets.placeholder('key', value(n)))).toEqual([
      '[redacted:key:100000]',
      '[redacted:key:100001]',
      '[redacted:key:100001]',
    ]);
    expect(secrets.learnt).toHaveLength(100_000);
  });

  it('a spelling of such a secret, of which each counts', () => {
    const { secrets, soughtFor } = sought();
    const value = (n: number) => `x%4B7q${n}Wz`;
    for (let n = 1; n <= 50_001; n++) secrets.placeholder('key', value(n));
    expect([1, 50_000, 50_001].map((n) => soughtFor.has(value(n)))).toEqual([true, true, false]);
    expect(secrets.placeholder('key', value(50_000))).toBe('[redacted:key:50000]');
    expect(secrets.placeholder('key', value(50_001))).toBe('[redacted:key:100001]');
  });

  it('what such secrets have in characters', () => {
    const { secrets, soughtFor } = sought();
    const value = (letter: string, length: number) => `xK7q${letter.repeat(length - 4)}`;
    const [first, fits, tooLong] = [value('a', 16 * MIB - 10), value('b', 10), value('c', 11)];
    for (const each of [first, tooLong, fits]) secrets.placeholder('key', each);
    expect([first, fits, tooLong].map((each) => soughtFor.has(each))).toEqual([true, true, false]);
  });

  it('what a mock server says that nobody listens to', () => {
    const found: Finding[] = [];
    let say: PlaybackContext['send'] = () => {};
    const session = new ServerSession({
      createPlayer: (context) => {
        say = context.send;
        return { runs: [], receive() {}, done() {}, faulted() {}, finish() {} };
      },
      modern: false,
      listens: false,
      report: (finding) => found.push(finding),
    });
    const says = (n: number) =>
      say({ kind: 'message', at: 0, from: 'server', json: new JsonText(`{"method":"${n}"}`) });
    for (let n = 1; n <= 1_000; n++) says(n);
    expect(found).toEqual([]);
    for (let n = 1_001; n <= 1_003; n++) says(n);
    expect(found).toEqual([{ kind: 'unsent', text: expect.stringContaining('cannot be delivered') }]);

    const heard: (string | undefined)[] = [];
    const reply: Partial<HttpResponseWriter> = { stream() {}, event: (data) => heard.push(data) };
    session.listen(reply as HttpResponseWriter);
    expect([heard.length, heard[0], heard.at(-1)]).toEqual([1_000, '{"method":"1"}', '{"method":"1000"}']);
  });

  it('a line that `verify` waits for', () => {
    const stopped: string[] = [];
    let write: (data: Uint8Array) => void = () => {};
    const channel: Channel = {
      listen(receive) {
        write = (data) => receive({ kind: 'bytes', at: 0, from: 'server', on: 'protocol', data });
      },
      send: () => true,
      drained() {},
      pause() {},
      resume() {},
    };
    const events: Partial<LiveEvents> = { stop: (why) => stopped.push(why) };
    liveServerOverChannel(channel, new ManualClock()).begin(undefined as never, events as LiveEvents);
    const piece = Buffer.alloc(MIB, 'x');
    for (let n = 0; n < 256; n++) write(piece);
    expect(stopped).toEqual([]);
    write(Buffer.from('x'));
    expect(stopped).toEqual(['it sent more than 256 MB in one line']);
  });

  // What Node counts of a request is its target, and the names and values of its headers.
  it.each([
    [64 * 1024, 'GET /mcp'],
    [64 * 1024 + 1, 'HTTP/1.1 431 '],
  ])('the head of a request: with %i bytes somebody hears %j', async (length, said) => {
    await using line = await wires();
    const head = `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${line.port}\r\nX: `.padEnd(length, 'x');
    const client = line.client().says(`${head}\r\n\r\n`);
    const heard = await Promise.race([line.far().then((far) => far.hears('\r\n\r\n')), client.hears('\r\n\r\n')]);
    expect(heard).toMatch(new RegExp(`^${said}`));
  });

  it.each([
    [64 * 1024, 200],
    [64 * 1024 + 1, 502],
  ])('the head of an answer: with %i bytes the client hears %i', async (length, status) => {
    await using line = await wires();
    const client = line.client().says(get(line.port));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(`${'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: '.padEnd(length, 'x')}\r\n\r\n`);
    expect(await client.hears('\r\n\r\n')).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

/** Secrets, and the values that they have looked for. */
function sought(): { secrets: SecretRegistry; soughtFor: ReadonlySet<string> } {
  const soughtFor = new Set<string>();
  return { secrets: new SecretRegistry({ add: (value) => void soughtFor.add(value) }), soughtFor };
}
