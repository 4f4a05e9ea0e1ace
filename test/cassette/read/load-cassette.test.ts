import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cassetteOf, loadCassette, pathOf } from '../../../src/cassette/read/load-cassette.ts';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { streamCassette } from '../../../src/cassette/read/stream-cassette.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { itOnPosix } from '../../support/on-posix.ts';

const BY_HAND = 'format: mcp-record/1\nevents:\n';
const FILE = 'cassettes/a.yaml';

const read = (text: string | Uint8Array) =>
  parseCassette(text, FILE).events.map(({ line, frame }) => [
    line,
    frame.kind === 'message' ? frame.json.text : frame.kind,
  ]);

describe('a cassette', () => {
  it('is a header, events with their lines and times, and why it ended', () => {
    const cassette = [
      '# MCP session recorded by mcp-record. Format: mcp-record/1',
      'format: mcp-record/1',
      'recorder: mcp-record 0.1.0',
      "recorded: '2026-11-21T03:02:15Z'",
      'transport: stdio',
      'events:',
      '- client:',
      '    id: 1.0',
      '- stderr: hello',
      '  after: 400',
      '- exit: 0',
      '  after: 20',
      '- end: complete',
      '',
    ].join('\n');
    expect(parseCassette(cassette, FILE)).toMatchObject({
      file: FILE,
      header: { recorder: 'mcp-record 0.1.0', recorded: '2026-11-21T03:02:15Z', transport: 'stdio' },
      events: [
        { line: 7, frame: { kind: 'message', at: 0, from: 'client', json: { text: '{"id":1.0}' } } },
        { line: 9, frame: { kind: 'line', at: 400, data: 'hello' } },
        { line: 11, frame: { kind: 'exit', at: 420, status: 0 } },
      ],
      end: 'complete',
      warnings: [],
    });
  });

  const PING = '- client:\n    jsonrpc: "2.0"\n    id: 1\n    method: ping\n- close: client\n';
  const AS_READ = [
    [3, '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    [7, 'close'],
  ];

  it.each([
    ['without its last line break', BY_HAND + PING.trimEnd()],
    ['with CRLF', (BY_HAND + PING).replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\ufeff${BY_HAND}${PING}`],
    ['with comments behind values', BY_HAND.replace('\n', ' # f\n') + PING.replace('ping', 'ping # p')],
    ['with other quotes', BY_HAND + PING.replace('"2.0"', "'2.0'")],
  ])('is read %s', (_, cassette) => expect(read(cassette)).toEqual(AS_READ));

  it.each([
    ['indented lists', `format: mcp-record/1\nevents:\n${PING.replace(/^/gm, '  ')}`, [3, 7]],
    [
      'JSON',
      '{"format":"mcp-record/1","events":[{"client":{"jsonrpc":"2.0","id":1,"method":"ping"}},{"close":"client"}]}',
      [1, 1],
    ],
    ['flow events', `${BY_HAND}- client: {jsonrpc: "2.0", id: 1, method: ping}\n- {close: client}\n`, [3, 4]],
    ['another order of keys', `events:\n${PING}format: mcp-record/1\n`, [2, 6]],
    ['document marks', `---\n${BY_HAND}${PING}...\n`, [4, 8]],
  ])('is read in another shape: %s', (_, cassette, lines) => {
    expect(read(cassette)).toEqual(AS_READ.map(([, what], index) => [lines[index], what]));
  });

  it('may repeat an event by an alias', () => {
    expect(read(`${BY_HAND}- client: &m\n    jsonrpc: "2.0"\n    id: 1e0\n    method: ping\n- client: *m\n`)).toEqual([
      [3, '{"jsonrpc":"2.0","id":1e0,"method":"ping"}'],
      [7, '{"jsonrpc":"2.0","id":1e0,"method":"ping"}'],
    ]);
  });

  it('may have no events', () => {
    expect(read('format: mcp-record/1\nevents: []\n')).toEqual([]);
    expect(read('format: mcp-record/1\nevents:\n')).toEqual([]);
  });
});

/** The whole message, as a person sees it. */
function refusal(cassette: string | Uint8Array): string {
  try {
    parseCassette(cassette, FILE);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('what is no cassette is refused', () => {
  it('when it is empty', () => {
    expect(refusal('')).toBe(refusal('\n \n'));
    expect(refusal('')).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: the file is empty. [CASSETTE_EMPTY]
        Restore it from version control, or delete it and record again."
    `);
  });

  it('when it is something else', () => {
    expect(refusal('const x = {a: 1};\nfoo(')).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it has no list of "events:". [CASSETTE_NOT_RECOGNIZED]
        at cassettes/a.yaml:1:1
          const x = {a: 1};
          ^
        A cassette is a YAML file with "format: mcp-record/1" and a list of "events:"."
    `);
    expect(refusal('{"a":1}')).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it does not say "format:". [CASSETTE_NOT_RECOGNIZED]
        at cassettes/a.yaml:1:1
          {"a":1}
          ^
        A cassette is a YAML file with "format: mcp-record/1" and a list of "events:"."
    `);
    expect(refusal('format: mcp-record/1\n')).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it has no "events:". [CASSETTE_NOT_RECOGNIZED]
        at cassettes/a.yaml:1:1
          format: mcp-record/1
          ^
        A cassette is a YAML file with "format: mcp-record/1" and a list of "events:"."
    `);
    expect(refusal('openapi: 3.0.0\nevents:\n- a: 1\n')).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it does not say "format:". [CASSETTE_NOT_RECOGNIZED]
        at cassettes/a.yaml:1:1
          openapi: 3.0.0
          ^
        A cassette is a YAML file with "format: mcp-record/1" and a list of "events:"."
    `);
    expect(refusal(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff))).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it is not text. [CASSETTE_NOT_RECOGNIZED]
        at cassettes/a.yaml:1:1
          
          ^
        A cassette is a YAML file with "format: mcp-record/1" and a list of "events:"."
    `);
  });

  it('when it is of a newer format', () => {
    expect(refusal('format: mcp-record/2\nevents:\n- novelty: 1\n')).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it is in format mcp-record/2, and this version knows formats up to mcp-record/1. [CASSETTE_NEWER_FORMAT]
        at cassettes/a.yaml:1:1
          format: mcp-record/2
          ^
        Upgrade mcp-record: npm install mcp-record@latest"
    `);
  });

  it('when its header is wrong', () => {
    expect(refusal('format: mcp-record/1\nrecordr: x\nevents:\n- close: client\n')).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: a header has no key "recordr". [CASSETTE_BAD_HEADER]
        at cassettes/a.yaml:2:1
          recordr: x
          ^
        Did you mean "recorder"?"
    `);
  });

  it('when an event is wrong', () => {
    expect(refusal(`${BY_HAND}- client:\n    method: ping\n  afer: 5\n`)).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: an event has no key "afer". [CASSETTE_BAD_EVENT]
        at cassettes/a.yaml:5:3
            afer: 5
            ^
        Did you mean "after"?"
    `);
    expect(refusal(`${BY_HAND}- close: client\n- close: 7\n`)).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: "close" is 7, not client or server. [CASSETTE_BAD_EVENT]
        at cassettes/a.yaml:4:3
          - close: 7
            ^
        Name the side that stopped sending."
    `);
    expect(refusal(`${BY_HAND}- end: complete\n- close: client\n`)).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: an event follows "end". [CASSETTE_BAD_EVENT]
        at cassettes/a.yaml:4:3
          - close: client
            ^
        Remove it, or put "end" last."
    `);
  });

  it('when it is damaged in the middle', () => {
    expect(refusal(`${BY_HAND}- close: client\n- client:\n    a: "unclosed\n- close: server\n`)).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it is damaged here: missing closing "quote. [CASSETTE_DAMAGED]
        at cassettes/a.yaml:5:17
              a: "unclosed
                          ^
        Mend the line, restore the file from version control, or delete it and record again."
    `);
    expect(refusal(`${BY_HAND}- client:\n    a: 1\n    a: 2\n`)).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it is damaged here: the key "a" stands there twice. [CASSETTE_DAMAGED]
        at cassettes/a.yaml:5:5
              a: 2
              ^
        Mend the line, restore the file from version control, or delete it and record again."
    `);
    expect(refusal(`${BY_HAND}- client:\n\ta: 1\n`)).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it is damaged here: tabs are not allowed as indentation. [CASSETTE_DAMAGED]
        at cassettes/a.yaml:4:1
          	a: 1
          ^
        Mend the line, restore the file from version control, or delete it and record again."
    `);
    expect(refusal(`${BY_HAND}- hello\n`)).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it is damaged here: this is not a mapping of keys to values. [CASSETTE_DAMAGED]
        at cassettes/a.yaml:3:3
          - hello
            ^
        Mend the line, restore the file from version control, or delete it and record again."
    `);
    expect(refusal(`format: mcp-record/1\nevents:\n  - a: [\n`)).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it is damaged here: flow sequence in block collection must be sufficiently indented and end with a ]. [CASSETTE_DAMAGED]
        at cassettes/a.yaml:3:9
            - a: [
                  ^
        Mend the line, restore the file from version control, or delete it and record again."
    `);
  });

  it('when it holds bytes that are no text', () => {
    const cassette = Buffer.concat([
      Buffer.from(`${BY_HAND}- stderr: é`),
      Uint8Array.of(0xff),
      Buffer.from('\n- close: client\n'),
    ]);
    expect(refusal(cassette)).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it is damaged here: bytes that are not UTF-8. [CASSETTE_DAMAGED]
        at cassettes/a.yaml:3:12
          - stderr: é
                     ^
        Mend the line, restore the file from version control, or delete it and record again."
    `);
  });

  it('when it holds a merge conflict', () => {
    const conflict = '- client:\n    id: 1\n<<<<<<< HEAD\n  after: 10\n=======\n  after: 20\n>>>>>>> theirs\n';
    expect(refusal(BY_HAND + conflict)).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: it holds an unresolved merge conflict. [CASSETTE_MERGE_CONFLICT]
        at cassettes/a.yaml:5:1
          <<<<<<< HEAD
          ^
        Resolve it, or take one side whole: git checkout --ours FILE, or --theirs."
    `);
    expect(
      refusal(`format: mcp-record/1\n<<<<<<< HEAD\n=======\n>>>>>>> theirs\nevents:\n- close: client\n`),
    ).toContain('CASSETTE_MERGE_CONFLICT');
  });

  it('when a key stands there twice, at any level', () => {
    const list = (n: number) => `events:\n- client:\n    id: ${n}\n    method: ping\n`;
    expect(refusal(`format: mcp-record/1\n${list(1)}${list(2)}`)).toMatchInlineSnapshot(`
      "Cannot read cassette cassettes/a.yaml: the key "events" stands there twice. [CASSETTE_BAD_HEADER]
        at cassettes/a.yaml:6:1
          events:
          ^
        Put all events into one list, or take one side whole."
    `);
    expect(refusal(`format: mcp-record/1\nevents: []\n${list(2)}`)).toContain(
      'the key "events" stands there twice. [CASSETTE_BAD_HEADER]\n  at cassettes/a.yaml:2:1',
    );
    const twice = [
      ['format: mcp-record/1\nformat: mcp-record/1\nevents: []\n', 2],
      [`format: mcp-record/1\ntransport: stdio\ntransport: http\n${list(1)}`, 3],
      [`${BY_HAND}- close: client\n  close: server\n`, 4],
      [`${BY_HAND}- close: client\n  after: 1\n  after: 2\n`, 5],
      [`${BY_HAND}- client: { id: 1, params: { a: 1, b: [{ c: 1, c: 2 }] } }\n`, 3],
      [`${BY_HAND}- response: 200\n  headers:\n    a: b\n    a: c\n`, 6],
      [`${BY_HAND}- sse: { id: a, id: b }\n`, 3],
      [`${BY_HAND}- client: { id: 1 }\n  match: { ignore: [], ignore: [] }\n`, 4],
      ['{"format":"mcp-record/1","events":[],\n"events":[]}', 2],
    ] as const;
    expect(twice.map(([cassette]) => /twice[\s\S]*?a\.yaml:(\d+)/.exec(refusal(cassette))?.[1])).toEqual(
      twice.map(([, line]) => String(line)),
    );
  });

  it('when it would run something, or repeat without end', () => {
    expect(refusal(`${BY_HAND}- client: !!js/function "x"\n`)).toContain('[CASSETTE_DAMAGED]');
    expect(refusal(`${BY_HAND}- client: &a\n    x: *a\n`)).toContain('nested deeper than 64 levels');
    const bomb = Array.from({ length: 9 }, (_, n) => `    l${n + 1}: &l${n + 1} [${`*l${n},`.repeat(9)}]\n`).join('');
    expect(refusal(`${BY_HAND}- client:\n    l0: &l0 [1]\n${bomb}`)).toContain('more than 1000 aliases');
    expect(refusal(`${BY_HAND}- client: ${'['.repeat(50_000)}\n`)).toContain('nested deeper than 64 levels');
  });
});

describe('a file', () => {
  const folder = temporaryFolder();

  it('is loaded', () => {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, `${BY_HAND}- close: client\n`);
    expect(loadCassette(file)).toMatchObject({ file, events: [{ line: 3, frame: { kind: 'close' } }] });
  });

  it('may be missing, or a directory', () => {
    expect(() => loadCassette('no/such.yaml')).toThrowErrorMatchingInlineSnapshot(`
      [McpRecordError: Cannot read cassette no/such.yaml: there is no such file. [CASSETTE_NOT_FOUND]
        Check the name, or record it: mcp-record record -o no/such.yaml -- COMMAND]
    `);
    expect(() => loadCassette(folder)).toThrow('it is a directory. [CASSETTE_IS_DIRECTORY]');
  });

  itOnPosix('links', 'may be a link to itself', () => {
    const circle = join(folder, 'circle.yaml');
    symlinkSync(circle, circle);
    expect(() => loadCassette(circle)).toThrow('too many symbolic links');
    expect(() => loadCassette(circle)).toThrow('[CASSETTE_UNREADABLE]');
  });

  itOnPosix('pipes', 'may be a pipe or a device, which never ends', async () => {
    const pipe = join(folder, 'pipe.yaml');
    spawnSync('mkfifo', [pipe]);
    expect(() => loadCassette(pipe)).toThrow('it is a pipe, and no file. [CASSETTE_NOT_A_FILE]');
    expect(() => loadCassette('/dev/zero')).toThrow('it is a device, and no file. [CASSETTE_NOT_A_FILE]');
    await expect(streamCassette(pipe)).rejects.toThrow('[CASSETTE_NOT_A_FILE]');
  });
});

it('is given as a value, or as the path of its file', () => {
  const file = join(temporaryFolder(), 'ping.yaml');
  writeFileSync(file, `${BY_HAND}- client: { id: 1, method: ping }\n`);
  const loaded = cassetteOf(file);
  expect(loaded).toEqual(loadCassette(file));
  expect(cassetteOf(loaded)).toBe(loaded);
  expect([pathOf(file), pathOf(loaded)]).toEqual([file, file]);
});
