import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../src/cassette/cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { sessionPrefix } from '../../src/fork/session-prefix.ts';
import {
  call,
  cancel,
  cassette,
  client,
  clientCloses,
  exits,
  notification,
  request,
  result,
  server,
} from '../support/conversation.ts';

const handshake = [client(request(0, 'initialize', {})), server(result(0, 'hi')), client(notification('initialized'))];

/** Lines of the events that are played up to a line. Each event is a line. */
function played(line: number, ...frames: Frame[]): number[] {
  return sessionPrefix(cassette(...frames), { line, lineCount: frames.length }).events.map((event) => event.line);
}

describe('the prefix of a session', () => {
  it('has the event at the line, and all before it', () => {
    const frames = [...handshake, client(call(1, 'add')), server(result(1, '3')), client(call(2, 'add'))];
    expect(played(5, ...frames)).toEqual([1, 2, 3, 4, 5]);
  });

  it('has no end: the client of a file that ends goes on', () => {
    const whole: Cassette = { ...cassette(...handshake), end: 'complete' };
    expect(sessionPrefix(whole, { line: 3, lineCount: 3 })).not.toHaveProperty('end');
  });

  it('has an event that spans lines, by any of them', () => {
    const { events, ...rest } = cassette(...handshake);
    const spread: Cassette = { ...rest, events: events.map((event, n) => ({ ...event, line: 10 * n + 5 })) };
    const lines = (line: number) => sessionPrefix(spread, { line, lineCount: 40 }).events.map((event) => event.line);
    expect([lines(15), lines(24), lines(25), lines(40)]).toEqual([
      [5, 15],
      [5, 15],
      [5, 15, 25],
      [5, 15, 25],
    ]);
  });

  it('is that of the session of its line, over HTTP', () => {
    const at = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
    const opens = (stream: number, id: number) => [
      at(stream, client(request(id, 'initialize', {}))),
      at(stream, server({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } })),
    ];
    const calls = (stream: number, id: number) => [
      at(stream, client(call(id, 'add'))),
      at(stream, server(result(id, '3'))),
    ];
    const recorded = cassette(...opens(1, 0), ...calls(2, 1), ...opens(3, 0), ...calls(4, 1));
    const merged: Cassette = { ...recorded, header: { ...recorded.header, transport: 'http' } };
    const lines = (line: number) => sessionPrefix(merged, { line, lineCount: 8 }).events.map((event) => event.line);
    expect([lines(4), lines(8)]).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ]);
  });

  it('leaves out that the client closed its side before the answer', () => {
    const frames = [...handshake, client(call(1, 'add')), clientCloses, server(result(1, '3')), exits(0)];
    expect(played(6, ...frames)).toEqual([1, 2, 3, 4, 6]);
  });

  it('keeps the later answer to a question of the server', () => {
    const frames = [
      ...handshake,
      client(call(1, 'add')),
      server(request(0, 'roots/list')),
      server(result(1, '3')),
      client(call(2, 'add')),
      client({ jsonrpc: '2.0', id: 0, result: { roots: [] } }),
      server(result(2, '3')),
    ];
    expect(played(6, ...frames)).toEqual([1, 2, 3, 4, 5, 6, 8]);
  });

  it('may leave requests open that have no answer, or are cancelled, or stay open', () => {
    expect(played(4, ...handshake, client(call(1, 'slow')))).toHaveLength(4);
    expect(played(5, ...handshake, client(call(1, 'slow')), client(cancel(1)), server(result(1, 'late')))).toHaveLength(
      5,
    );
    const listens = client(request(1, 'subscriptions/listen', {}));
    expect(played(4, ...handshake, listens, server(result(1, 'the end')))).toHaveLength(4);
  });
});

describe('a line is refused', () => {
  const fails = (line: number, ...frames: Frame[]) => {
    try {
      played(line, ...frames);
      return undefined;
    } catch (error) {
      const { code, problem } = error as { code: string; problem: { why: string; next: string } };
      return [code, problem.why, problem.next];
    }
  };

  it('in the middle of calls, with the lines around them', () => {
    const calls = [client(call(1, 'add')), client(call(2, 'add')), server(result(2, 'b')), server(result(1, 'a'))];
    const next = 'Name cassette.yaml:7 to play it whole. Name cassette.yaml:3 to stop before it.';
    expect(fails(4, ...handshake, ...calls)).toEqual([
      'FORK_IN_CALL',
      expect.stringContaining('tools/call "add" of line 4'),
      next,
    ]);
    expect(fails(5, ...handshake, ...calls)?.[2]).toBe(next);
    expect(fails(6, ...handshake, ...calls)?.[2]).toBe(next);
    expect(fails(7, ...handshake, ...calls)).toBeUndefined();
  });

  it('in a call that is cancelled only later', () => {
    const frames = [...handshake, client(call(1, 'slow')), client(cancel(1)), server(result(1, 'late'))];
    expect(fails(4, ...frames)?.[0]).toBe('FORK_IN_CALL');
  });

  it('after the server has ended, before the client has begun, and outside of the file', () => {
    expect(fails(4, ...handshake, exits(1))?.[1]).toBe('the session has ended before, at line 4');
    expect(fails(1, server(notification('message')), ...handshake)?.[1]).toContain('later, at line 2');
    expect(fails(0, ...handshake)?.[1]).toBe('the file has 3 lines');
    expect(fails(4, ...handshake)?.[1]).toBe('the file has 3 lines');
  });

  it('of a cassette without a request of a client', () => {
    expect(fails(1)?.[0]).toBe('FORK_NO_CLIENT');
    expect(fails(1, server(request(1, 'ping')))?.[0]).toBe('FORK_NO_CLIENT');
  });
});
