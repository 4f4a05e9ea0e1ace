import { describe, expect, it } from 'vitest';
import {
  bytesClosing,
  bytesOpening,
  endText,
  eventPieces,
  eventText,
  headerText,
} from '../../../src/cassette/write/format-event.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';

const message = (text: string) => ({ kind: 'message', at: 0, from: 'server', json: new JsonText(text) }) as const;
const line = (data: string | Uint8Array) => ({ kind: 'line', at: 0, from: 'server', on: 'protocol', data }) as const;

describe('the text of a cassette', () => {
  it('opens with what it is, through the first dash', () => {
    const header = {
      format: 'mcp-record/1',
      recorder: 'mcp-record 0.1.0',
      recorded: '2026-11-21T03:02:15Z',
      transport: 'stdio',
    } as const;
    expect(headerText(header)).toMatchInlineSnapshot(`
      "# MCP session recorded by mcp-record. Format: mcp-record/1
      format: mcp-record/1
      recorder: mcp-record 0.1.0
      recorded: '2026-11-21T03:02:15Z'
      transport: stdio
      events:
      - "
    `);
  });

  it('shows a message in block style, commits it by the next dash, and says what passed before it', () => {
    const text =
      '{"result":{"content":[{"type":"text","text":"one\\n\\n  two"}],"grid":[[1,[2.50]],[],{}]},"jsonrpc":"2.0","id":8}';
    expect(eventText(message(text), 400)).toMatchInlineSnapshot(`
      "server:
          result:
            content:
              - type: text
                text: |-
                  one

                    two
            grid:
              - - 1
                - - 2.50
              - []
              - {}
          jsonrpc: "2.0"
          id: 8
        after: 400
      - "
    `);
  });

  it('shows a line that holds a message as that message', () => {
    expect(eventText(line(' { "id" : 1e400 }\r'))).toBe('server:\n    id: 1e400\n- ');
  });

  it('keeps a line that YAML could not give back', () => {
    expect(eventText(line('{"id":1,"id":1}'))).toBe(`server: '{"id":1,"id":1}'\n- `);
    expect(eventText(line('Listening: no'))).toBe('server: "Listening: no"\n- ');
    expect(eventText(line('42'))).toBe('server: "42"\n- ');
    expect(eventText(line(''))).toBe('server: ""\n- ');
  });

  it('keeps an unfinished line as it is, even where it looks like a message', () => {
    expect(eventText({ ...line('{"id":1}'), partial: true })).toBe(`server: '{"id":1}'\n  partial: true\n- `);
  });

  it('writes bytes in base64, at once or in pieces', () => {
    const bytes = new Uint8Array([0xff, 0xfe, 0x0a]);
    expect(eventText(line(bytes), 10)).toBe('serverBytes: "//4K"\n  after: 10\n- ');
    expect(`${bytesOpening('server', 'protocol')}//4K${bytesClosing({ after: 10 })}`).toBe(eventText(line(bytes), 10));
    expect(bytesOpening('client', 'protocol')).toBe('clientBytes: "');
    expect(bytesOpening('server', 'stderr')).toBe('stderrBytes: "');
    expect(bytesClosing({ partial: true })).toBe('"\n  partial: true\n- ');
  });

  it('tells standard error, ends of streams, signals and exits apart', () => {
    const at = 0;
    const stderr = { kind: 'line', at, from: 'server', on: 'stderr' } as const;
    expect(eventText({ ...stderr, data: '{"level":"info"}' })).toBe(`stderr: '{"level":"info"}'\n- `);
    expect(eventText({ kind: 'close', at, from: 'client' })).toBe('close: client\n- ');
    expect(eventText({ kind: 'signal', at, from: 'client', signal: 'SIGTERM' })).toBe('signal: SIGTERM\n- ');
    expect(eventText({ kind: 'exit', at, from: 'server', status: 0 })).toBe('exit: 0\n- ');
    expect(eventText({ kind: 'exit', at, from: 'server', status: 'SIGKILL' })).toBe('exit: SIGKILL\n- ');
  });

  it('ends with the reason', () => {
    expect(endText('complete')).toBe('end: complete\n');
  });

  it('comes in pieces where it is long, and is the same', () => {
    const long = 'x'.repeat(70_000);
    const frames = [
      message(JSON.stringify({ data: long, more: [long, `${long}: `], id: 1 })),
      line(JSON.stringify({ data: long })),
      { ...message(JSON.stringify({ data: long })), stream: 3, session: 'new' as const, status: 202 },
    ];
    for (const frame of frames) {
      const pieces = eventPieces(frame, 20);
      expect(pieces.length).toBeGreaterThan(2);
      expect(pieces.join('')).toBe(eventText(frame, 20));
    }
  });

  it('comes as one piece where it is short, or no message', () => {
    const long = 'x'.repeat(70_000);
    for (const frame of [
      message('{}'),
      line(long),
      line(`{"a":"${long}","a":1}`),
      { ...line(`{"a":"${long}"}`), partial: true } as const,
      { ...line(`{"a":"${long}"}`), on: 'stderr' } as const,
      line(Buffer.from(long)),
    ])
      expect(eventPieces(frame, 20)).toEqual([eventText(frame, 20)]);
  });
});
