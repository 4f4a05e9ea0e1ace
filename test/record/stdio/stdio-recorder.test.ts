import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { CassetteFile } from '../../../src/cassette/write/cassette-file.ts';
import type { Side, WireFrame } from '../../../src/channel/frame.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { redactFinished } from '../../../src/record/redact-file/redact-finished.ts';
import { StdioRecorder } from '../../../src/record/stdio/stdio-recorder.ts';

let folder: string;
let file: string;
let written: CassetteFile[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-recorder-'));
  file = join(folder, 'cassette.yaml');
});
afterEach(() => {
  // Windows removes no folder with a file that is open.
  for (const cassette of written) cassette.abandon();
  written = [];
  rmSync(folder, { recursive: true });
});

function start(lineBytesMax?: number, clock = new ManualClock(new Date('2026-11-21T03:02:15Z'))) {
  const failures: unknown[] = [];
  const open = () => {
    const cassette = new CassetteFile(file);
    written.push(cassette);
    return cassette;
  };
  const failed = (error: unknown) => void failures.push(error);
  const recorder = new StdioRecorder({
    open,
    clock,
    gap: 'coarse',
    redactAgain: redactFinished,
    failed,
    holdBytesMax: lineBytesMax,
    behindBytesMax: lineBytesMax,
  });
  const bytes = (from: Side, text: string | Uint8Array): WireFrame => {
    return { kind: 'bytes', at: clock.now(), from, on: 'protocol', data: Buffer.from(text as string) };
  };
  return {
    clock,
    failures,
    recorder,
    client: (text: string | Uint8Array) => recorder.tap(bytes('client', text)),
    server: (text: string | Uint8Array) => recorder.tap(bytes('server', text)),
    cassette: () => readFileSync(file, 'utf8'),
    events: () => parseCassette(readFileSync(file), file).events.map(({ frame }) => frame),
  };
}

describe('a recorder', () => {
  it('is a cassette at once, and writes the events of one turn of the event loop in one piece, with the dash that commits them', () => {
    const { clock, client, server, cassette } = start();
    client('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    server('{"jsonrpc":"2.0","id":1,"result":{}}\nnot json\n');
    const begun = cassette();
    expect(begun).toMatch(/events:\n- $/);
    expect(parseCassette(begun, 'begun').events).toEqual([]);
    clock.endTurn();
    expect(cassette()).toBe(
      [
        '# MCP session recorded by mcp-record. Format: mcp-record/1',
        'format: mcp-record/1',
        `recorder: mcp-record ${JSON.parse(readFileSync('package.json', 'utf8')).version}`,
        "recorded: '2026-11-21T03:02:15.000Z'",
        'transport: stdio',
        'events:',
        '- client:',
        '    jsonrpc: "2.0"',
        '    id: 1',
        '    method: ping',
        '- server:',
        '    jsonrpc: "2.0"',
        '    id: 1',
        '    result: {}',
        '- server: not json',
        '- ',
      ].join('\n'),
    );
  });

  it('writes the gap before an event, from the last one written', () => {
    const { clock, client, recorder, cassette } = start();
    client('{}\n');
    clock.advance(130);
    client('{}\n');
    recorder.end('complete');
    expect(cassette().split('\n').slice(6)).toEqual([
      '- client: {}',
      '- client: {}',
      '  after: 100',
      '- end: complete',
      '',
    ]);
  });

  it('streams a line that is too long to hold, and keeps what others say meanwhile for after it', () => {
    const { client, server, recorder, events } = start(8);
    server('{"long":');
    server('"0123456789');
    client('{"a":1}\n');
    server('0123456789"}\n{"b":2}\n');
    recorder.end('complete');
    expect(events().map((frame) => frame.kind === 'message' && [frame.from, frame.json.value])).toEqual([
      ['server', { long: '01234567890123456789' }],
      ['client', { a: 1 }],
      ['server', { b: 2 }],
    ]);
  });

  it('keeps two lines too long to hold apart, however they cross', () => {
    const { client, server, recorder, events } = start(8);
    server('ssssssssss');
    client('cccccccccc');
    server('SSSSSSSSSS\n');
    client('CCCCCCCCCC\n');
    recorder.end('complete');
    expect(events().map((frame) => frame.kind === 'line' && [frame.from, frame.data])).toEqual([
      ['server', 'ssssssssssSSSSSSSSSS'],
      ['client', 'ccccccccccCCCCCCCCCC'],
    ]);
  });

  describe('behind a line that is too long to hold', () => {
    const HELD = 300_000;
    const LINE = 'x'.repeat(HELD + 200_000);

    /** A clock that ends a turn only as often as it is asked to. */
    class StepClock extends ManualClock {
      readonly tasks: Array<() => void> = [];
      override endOfTurn(task: () => void): void {
        this.tasks.push(task);
      }
      step(): number {
        for (const task of this.tasks.splice(0)) task();
        return this.tasks.length;
      }
    }

    it('is no further than what may be held, and catches up a piece in each turn once it has ended', () => {
      const clock = new StepClock();
      const { server, cassette, events } = start(HELD, clock);
      server(LINE.slice(0, HELD + 150_000));
      clock.step();
      const begun = cassette().length;
      expect(begun).toBeGreaterThan(150_000);
      expect(begun).toBeLessThan(HELD);
      server(`${LINE.slice(HELD + 150_000)}\n`);
      const lengths = [cassette().length];
      while (clock.step() > 0) lengths.push(cassette().length);
      expect(lengths.length).toBeGreaterThan(4);
      for (const [i, length] of lengths.entries()) if (i > 0) expect(length - lengths[i - 1]!).toBeLessThan(180_000);
      expect(events()).toEqual([expect.objectContaining({ kind: 'line', from: 'server', data: LINE })]);
    });

    it('catches up at once when anything else is said, which comes after it', () => {
      const clock = new StepClock();
      const { client, server, events } = start(HELD, clock);
      server(`${LINE}\n`);
      client('{"a":1}\n');
      clock.step();
      expect(events().map(({ kind }) => kind)).toEqual(['line', 'message']);
      server(`${LINE}\n`);
      server(`${LINE}\n`);
      while (clock.step() > 0);
      expect(events().map(({ kind }) => kind)).toEqual(['line', 'message', 'line', 'line']);
    });

    it('is not behind when the cassette ends; a line that has not ended is partial', () => {
      const { client, server, recorder, events } = start(HELD);
      server(`${LINE}\n`);
      client(LINE);
      recorder.end('complete');
      const frame = (from: Side) => expect.objectContaining({ kind: 'line', from, data: LINE });
      expect(events()).toEqual([frame('server'), frame('client')]);
      expect(events()[1]).toMatchObject({ partial: true });
    });
  });

  describe('of a line that takes long to be written', () => {
    const LONG = `"${'x'.repeat(300_000)}"`;

    it('writes it when nothing else was said for a while', () => {
      const { clock, server, events, cassette } = start();
      server('"first"\n');
      server(`${LONG}\n`);
      clock.advance(4);
      expect(cassette().length).toBeLessThan(LONG.length);
      clock.advance(1);
      expect(events().map(({ kind }) => kind)).toEqual(['line', 'line']);
    });

    it('writes it before whatever else is said, in the same turn', () => {
      const { clock, client, server, events } = start();
      for (const _ of [1, 2]) {
        server(`${LONG}\n`);
        client('{"a":1}\n');
      }
      server(`${LONG}\n${LONG}\n`);
      clock.endTurn();
      const sides = events().map((frame) => 'from' in frame && frame.from);
      expect(sides).toEqual(['server', 'client', 'server', 'client', 'server']);
    });

    it('writes it in the turn in which anything passes after it, though that is no whole line', () => {
      const { clock, server, events } = start();
      server(`${LONG}\n`);
      server('{"begun');
      clock.endTurn();
      expect(events()).toHaveLength(1);
    });

    it('writes it before the end, which whoever asks whether anything was said knows to be needed', () => {
      const { server, recorder, events } = start();
      expect(recorder.isBlank).toBe(true);
      server(LONG.slice(0, 100_000));
      server(`${LONG.slice(100_000)}\n`);
      expect([recorder.isBlank, recorder.path]).toEqual([false, undefined]);
      recorder.end('complete');
      expect(events()).toHaveLength(1);
    });

    it('says that it cannot, and does not throw where nobody would catch it', () => {
      file = join(folder, 'cassette.yaml', '\0');
      const { clock, server, failures } = start();
      // In pieces, as from a pipe.
      server(LONG.slice(0, 100_000));
      server(`${LONG.slice(100_000)}\n`);
      expect(failures).toHaveLength(0);
      clock.advance(5);
      expect(failures).toHaveLength(1);
    });
  });

  it('says once that the cassette cannot be written, and does not throw', () => {
    file = join(folder, 'cassette.yaml', '\0');
    const { client, failures, recorder } = start();
    client('{}\n');
    client('{}\n');
    recorder.end('complete');
    expect(failures).toHaveLength(1);
  });

  it('names the cassette of a mere question apart, until the client says more', () => {
    const { client, recorder } = start();
    client('{"jsonrpc":"2.0","id":1,"method":"server/discover"}\n');
    expect(recorder.path).toBe(join(folder, 'cassette.probe.yaml'));
    client('{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n');
    expect(recorder.path).toBe(file);
  });
});

describe('HTTP/2 over standard input', () => {
  const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

  it.each([
    ['at once', [`${preface}secret\nsecret`]],
    ['in pieces', ['PRI * HT', 'TP/2.0\r\n\r\nSM\r\n\r\nsecret\n', 'secret']],
  ])('that comes %s is refused, and nothing of it is written, because no secret in it can be found', (_how, pieces) => {
    const { client, recorder } = start();
    expect(() => pieces.map(client)).toThrow(expect.objectContaining({ code: 'HTTP2_OVER_STDIO' }));
    client('secret\n');
    recorder.end('complete');
    expect(recorder.path).toBeUndefined();
  });

  it('ends a cassette that the server has begun', () => {
    const { client, server, recorder, cassette } = start();
    server('\n');
    expect(() => client(preface)).toThrow('the client speaks HTTP/2');
    server('secret\n');
    recorder.end('complete');
    expect(cassette()).toMatch(/- server: ""\n- end: /);
    expect(cassette()).not.toContain('secret');
  });

  it('is a line like others after a message', () => {
    const { clock, client, events } = start();
    client(`{"jsonrpc":"2.0","id":1,"method":"ping"}\nPRI * HTTP/2.0\r\n`);
    clock.endTurn();
    expect(events()).toMatchObject([{ kind: 'message' }, { kind: 'line', data: 'PRI * HTTP/2.0\r' }]);
  });
});
