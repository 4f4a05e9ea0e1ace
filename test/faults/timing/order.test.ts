import { describe, expect, it } from 'vitest';
import type { Frame, WireFrame } from '../../../src/channel/frame.ts';
import { FaultInjector } from '../../../src/faults/engine/fault-injector.ts';
import { parseFaultRules } from '../../../src/faults/rules/parse-fault-rules.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';

type Message = Extract<Frame, { kind: 'message' }>;

/** Traffic of a server in a given order. Each message has its line as its text. */
function ordered(rule: { lines: number[]; moved: number[]; gap?: number }, transport: 'stdio' | 'http' = 'stdio') {
  const clock = new ManualClock();
  const lines = new WeakMap<Frame, number>();
  const came: [at: number, what: string | number][] = [];
  const told: string[] = [];
  const when = { from: 'server', line: rule.moved[0], nth: 1 };
  const { rules } = parseFaultRules(
    { faults: [{ do: 'order', ...rule, when, times: 1 }] },
    { name: 'test', transport },
  );
  const traffic = new FaultInjector({
    rules,
    seed: 1,
    clock,
    transport,
    encode: () => new Uint8Array(0),
    lineOf: (frame) => lines.get(frame),
    send: (frame: WireFrame) =>
      void came.push([
        clock.now(),
        frame.kind === 'message' ? ((frame.json.value as { id: number }).id ?? 'log') : frame.kind,
      ]),
    fired: ({ line }) => void told.push(`fired at line ${line}`),
    unchanged: ({ unchanged }) => void told.push(unchanged),
  });
  const push = (line: number, json: object, stream?: number) => {
    const frame: Message = {
      kind: 'message',
      at: 0,
      from: 'server',
      json: new JsonText(JSON.stringify(json)),
      ...(stream && { stream }),
    };
    lines.set(frame, line);
    traffic.push(frame);
  };
  return {
    clock,
    traffic,
    told,
    answer: (line: number, stream?: number) => push(line, { jsonrpc: '2.0', id: line, result: {} }, stream),
    log: (line: number) => push(line, { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info' } }),
    came: () => came.splice(0),
  };
}

describe('a given order', () => {
  it('holds messages until those before them have been sent, with a gap between swapped ones', () => {
    const { answer, came, clock, told } = ordered({ lines: [1, 3, 2, 4], moved: [3, 2] });
    answer(2);
    answer(1);
    expect(came()).toEqual([[0, 1]]);
    expect(told).toEqual([]);
    answer(4);
    answer(3);
    expect(told).toEqual(['fired at line 3']);
    expect(came()).toEqual([[0, 3]]);
    clock.advance(20);
    expect(came()).toEqual([
      [20, 2],
      [20, 4],
    ]);
  });

  it('keeps a notification apart from what follows it', () => {
    const { answer, log, came, clock } = ordered({ lines: [2, 1], moved: [2, 1] });
    answer(1);
    log(2);
    expect(came()).toEqual([[0, 'log']]);
    clock.advance(60);
    expect(came()).toEqual([[60, 1]]);
  });

  it('takes another gap, for a client that reads slowly', () => {
    const { answer, log, came, clock } = ordered({ lines: [2, 1, 3], moved: [2, 1], gap: 200 });
    answer(1);
    answer(3);
    log(2);
    clock.advance(599);
    expect(came()).toEqual([[0, 'log']]);
    clock.advance(1);
    expect(came()).toEqual([
      [600, 1],
      [600, 3],
    ]);
  });

  it('goes on without a message that does not come, and says for which one', () => {
    const { answer, came, clock, told } = ordered({ lines: [3, 2], moved: [3, 2] });
    answer(2);
    expect(came()).toEqual([]);
    clock.advance(1_000);
    expect(came()).toEqual([[1_000, 2]]);
    answer(3);
    expect(came()).toEqual([[1_000, 3]]);
    expect(told).toEqual([
      'the message at line 3 had not come 1000 ms after the one at line 2: the client waits for that one first',
    ]);
  });

  it('happens all the same if a message is missing that would not have moved', () => {
    const { answer, came, clock, told } = ordered({ lines: [1, 3, 2], moved: [3, 2] });
    answer(2);
    answer(3);
    expect(told).toEqual(['fired at line 3']);
    clock.advance(1_020);
    expect(came().map(([, what]) => what)).toEqual([3, 2]);
  });

  it('sends everything before the end of the session, and has not happened', () => {
    const { answer, came, told, traffic } = ordered({ lines: [4, 2, 3], moved: [4, 2, 3] });
    answer(4);
    answer(3);
    traffic.push({ kind: 'close', at: 0, from: 'client' });
    expect(came()).toEqual([
      [0, 4],
      [0, 'close'],
      [0, 3],
    ]);
    traffic.stop();
    expect(told).toEqual(['the session ended before all messages of this order could be sent']);
  });

  it('has not happened if the client ends while a message is held back for a later one', () => {
    const { answer, told, traffic } = ordered({ lines: [4, 3, 2], moved: [4, 3, 2] });
    answer(4);
    answer(2);
    traffic.push({ kind: 'close', at: 0, from: 'client' });
    expect(told).toEqual(['the client ended while a message was held back for one that was recorded later']);
  });

  it('over HTTP, holds the end of a stream behind its message, and keeps streams apart', () => {
    const { answer, came, clock, traffic } = ordered({ lines: [2, 1], moved: [2, 1] }, 'http');
    answer(1, 7);
    traffic.push({ kind: 'close', at: 0, from: 'server', stream: 7 });
    expect(came()).toEqual([]);
    answer(2, 8);
    traffic.push({ kind: 'close', at: 0, from: 'server', stream: 8 });
    expect(came()).toEqual([
      [0, 2],
      [0, 'close'],
    ]);
    clock.advance(20);
    expect(came()).toEqual([
      [20, 1],
      [20, 'close'],
    ]);
  });

  it('needs a list of lines', () => {
    const rules = { faults: [{ do: 'order', lines: 'x', moved: [1] }] };
    expect(() => parseFaultRules(rules, { name: 'test', transport: 'stdio' })).toThrow('a list of lines');
  });
});
