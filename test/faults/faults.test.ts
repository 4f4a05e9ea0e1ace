import { describe, expect, it, vi } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { cut } from '../../src/faults/connections/cut.ts';
import { end } from '../../src/faults/connections/end.ts';
import { exit } from '../../src/faults/connections/exit.ts';
import { halfClose } from '../../src/faults/connections/half-close.ts';
import { stderrFlood } from '../../src/faults/connections/stderr-flood.ts';
import { truncate } from '../../src/faults/connections/truncate.ts';
import { FaultInjector } from '../../src/faults/engine/fault-injector.ts';
import { FAULTS } from '../../src/faults/fault-table.ts';
import { cancel } from '../../src/faults/messages/cancel.ts';
import { coalesce } from '../../src/faults/messages/coalesce.ts';
import { corrupt } from '../../src/faults/messages/corrupt.ts';
import { drop } from '../../src/faults/messages/drop.ts';
import { duplicate } from '../../src/faults/messages/duplicate.ts';
import { errorReply } from '../../src/faults/messages/error-reply.ts';
import { ignoreCancel } from '../../src/faults/messages/ignore-cancel.ts';
import { junk } from '../../src/faults/messages/junk.ts';
import { oversize } from '../../src/faults/messages/oversize.ts';
import { patch } from '../../src/faults/messages/patch.ts';
import { progress } from '../../src/faults/messages/progress.ts';
import { version } from '../../src/faults/messages/version.ts';
import { wrongId } from '../../src/faults/messages/wrong-id.ts';
import { clog } from '../../src/faults/timing/clog.ts';
import { discoverTimeout } from '../../src/faults/timing/discover-timeout.ts';
import { late } from '../../src/faults/timing/late.ts';
import { latency } from '../../src/faults/timing/latency.ts';
import { reorder } from '../../src/faults/timing/reorder.ts';
import { slice } from '../../src/faults/timing/slice.ts';
import { slowClose } from '../../src/faults/timing/slow-close.ts';
import { slowReader } from '../../src/faults/timing/slow-reader.ts';
import { stall } from '../../src/faults/timing/stall.ts';
import { throttle } from '../../src/faults/timing/throttle.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { ANSWER, CALL, came, misbehaving, OTHER, PROGRESS } from './stage.ts';

const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
const call = came('client', CALL);
const answer = came('server', ANSWER);
const other = came('server', OTHER);
const close = (from: 'client' | 'server'): Frame => ({ kind: 'close', at: 0, from });
const ofCall = { method: 'tools/call', kind: 'response' } as const;
/** The answer's bytes as latin1, which shows each byte. */
const bytes = Buffer.from(`${JSON.stringify(ANSWER)}\n`).toString('latin1');

it.each([...FAULTS])('%s changes nothing where its rule does not fire', (name, { params }) => {
  const required = { delay: 5, for: 5, rate: 100, merge: { a: 1 } };
  const fallbacks = Object.entries(params).map(([key, param]) => [key, param.fallback]);
  const values = { ...Object.fromEntries(fallbacks), ...required };
  const fault = { kind: FAULTS.get(name)!, values };
  const line = misbehaving([{ fault, when: { tool: 'another' } }]);
  line.client(CALL, cancelled);
  line.server(PROGRESS, ANSWER, OTHER);
  for (const from of ['client', 'server'] as const) line.traffic.push(close(from));
  line.traffic.push({ kind: 'exit', at: 0, from: 'server', status: 0 });
  expect(line.arrived()).toEqual([
    call,
    came('client', cancelled),
    came('server', PROGRESS),
    answer,
    other,
    '→ close',
    '← close',
    '← exit 0',
  ]);
  expect([line.journal, line.traffic.unfired]).toEqual([[], [{ rule: 1 }]]);
});

describe('latency', () => {
  it('holds frames from their arrival on, so that a stream is late as a whole', () => {
    const line = misbehaving([latency({ delay: 50 })]);
    line.server(ANSWER);
    line.clock.advance(10);
    line.server(OTHER);
    line.clock.advance(100);
    expect(line.arrivedAt()).toEqual([
      [50, answer],
      [60, other],
    ]);
  });

  it('waits once for all that arrives at one time, and as often as there are times', () => {
    const line = misbehaving([latency({ delay: 50 })]);
    const after = vi.spyOn(line.clock, 'after');
    line.server(...Array.from({ length: 10_000 }, () => OTHER));
    line.clock.advance(1);
    line.server(ANSWER);
    line.clock.advance(100);
    expect(after).toHaveBeenCalledTimes(2);
    expect(line.arrivedAt().slice(-2)).toEqual([
      [50, other],
      [51, answer],
    ]);
  });

  it('keeps the order of what it does not hold', () => {
    const line = misbehaving([{ fault: latency({ delay: 50 }), when: { nth: 1 } }]);
    line.server(ANSWER, OTHER);
    line.clock.advance(50);
    expect(line.arrivedAt()).toEqual([
      [50, answer],
      [50, other],
    ]);
  });

  it('varies by its seed', () => {
    const times = (seed: number, distribution: 'uniform' | 'normal' | 'lognormal') => {
      const line = misbehaving([latency({ delay: 100, jitter: 90, distribution })], seed);
      for (let n = 0; n < 5; n++) {
        line.server(ANSWER);
        line.clock.advance(1_000);
      }
      return line.arrivedAt().map(([at], n) => at - 1_000 * n);
    };
    for (const distribution of ['uniform', 'normal', 'lognormal'] as const) {
      expect(times(1, distribution)).toEqual(times(1, distribution));
      expect(times(1, distribution)).not.toEqual(times(2, distribution));
      expect(new Set(times(1, distribution)).size).toBe(5);
    }
  });
});

describe('stall', () => {
  it('lets nothing pass any more', () => {
    const line = misbehaving([{ fault: stall(), when: { nth: 1 } }]);
    line.server(ANSWER, OTHER);
    line.clock.advance(1e9);
    line.client(CALL);
    expect(line.arrived()).toEqual([call]);
  });

  it('holds nobody whom the client has ended', () => {
    const line = misbehaving([{ fault: stall(), when: { nth: 1 } }]);
    line.server(ANSWER);
    for (const from of ['client', 'server'] as const) line.traffic.push(close(from));
    line.traffic.push({ kind: 'exit', at: 0, from: 'server', status: 0 });
    expect(line.arrived()).toEqual(['→ close', '← exit 0']);
  });

  it('gives back what it held, one by one, where it has an end', () => {
    const line = misbehaving([{ fault: stall({ for: 100 }), when: { nth: 1 } }]);
    line.server(ANSWER, OTHER);
    line.clock.advance(99);
    expect(line.arrived()).toEqual([]);
    line.clock.advance(1);
    expect(line.arrived()).toEqual([answer, other]);
  });
});

it('clog gives everything back in one burst', () => {
  const line = misbehaving([{ fault: clog({ for: 100 }), when: { nth: 1 } }]);
  line.server(ANSWER, OTHER);
  line.clock.advance(100);
  expect(line.arrivedAt()).toEqual([[100, `← ${bytes}${other.slice(2)}`]]);
});

it('throttle keeps its rate, and what follows waits', () => {
  const line = misbehaving([{ fault: throttle({ rate: 100 }), when: { nth: 1 } }]);
  line.server(ANSWER, OTHER);
  line.clock.advance(60_000);
  const all = line.arrivedAt();
  const pieces = all.slice(0, -1);
  expect(pieces.map(([, what]) => what.slice(2)).join('')).toBe(bytes);
  expect(pieces.at(-1)![0]).toBeCloseTo((1000 * bytes.length) / 100);
  expect(all.at(-1)![1]).toBe(other);
});

describe('slice', () => {
  it('cuts a message into pieces, inside a character too', () => {
    const line = misbehaving([slice({ size: 1, gap: 2 })]);
    line.server(ANSWER);
    line.clock.advance(1_000);
    expect(line.arrivedAt()).toEqual([...bytes].map((byte, n) => [2 * n, `← ${byte}`]));
  });

  it('varies the pieces by its seed', () => {
    const lengths = (seed: number) => {
      const line = misbehaving([slice({ size: 10, variation: 9 })], seed);
      line.server(ANSWER);
      line.clock.advance(1_000);
      return line.arrived().map((piece) => piece.length);
    };
    expect(lengths(1)).toEqual(lengths(1));
    expect(lengths(1)).not.toEqual(lengths(2));
  });
});

describe('coalesce', () => {
  it('makes one piece of several frames', () => {
    const line = misbehaving([{ fault: coalesce({ count: 2 }), when: { nth: 1 } }]);
    line.server(PROGRESS, OTHER);
    expect(line.arrived()).toEqual([`${came('server', PROGRESS)}${other.slice(2)}`]);
  });

  it('sends a message alone if no other comes in time', () => {
    const line = misbehaving([coalesce({ wait: 50 })]);
    line.server(OTHER);
    line.clock.advance(49);
    expect(line.arrived()).toEqual([]);
    line.clock.advance(1);
    expect(line.arrived()).toEqual([other]);
    line.server(OTHER);
    line.clock.advance(49);
    line.server(OTHER);
    expect(line.arrived()).toEqual([`${other}${other.slice(2)}`]);
  });

  it('does not wait beyond the end', () => {
    const line = misbehaving([coalesce({ count: 9 })]);
    line.server(OTHER);
    line.traffic.push(close('server'));
    expect(line.arrived()).toEqual([other, '← close']);
  });
});

it('slow-reader stops reading for as long as the bytes take', () => {
  const line = misbehaving([slowReader({ rate: 1_000 })]);
  line.server(OTHER, OTHER);
  line.clock.advance(OTHER_BYTES - 1);
  expect(line.paused).toEqual(['pause server', 'pause server']);
  line.clock.advance(1);
  expect([line.paused.at(-1), line.arrived()]).toEqual(['resume server', [other, other]]);
});
const OTHER_BYTES = JSON.stringify(OTHER).length + 1;

it('drop swallows', () => {
  const line = misbehaving([{ fault: drop(), when: ofCall }]);
  line.client(CALL);
  line.server(ANSWER, OTHER);
  expect(line.arrived()).toEqual([call, other]);
});

it('duplicate says it again, with its gap, and in order', () => {
  const line = misbehaving([{ fault: duplicate({ count: 2, gap: 5 }), when: { nth: 1 } }]);
  line.server(ANSWER, OTHER);
  line.clock.advance(100);
  expect(line.arrivedAt()).toEqual([
    [0, answer],
    [5, answer],
    [10, answer],
    [10, other],
  ]);
});

describe('reorder', () => {
  it('swaps two', () => {
    const line = misbehaving([{ fault: reorder(), when: { nth: 1 } }]);
    line.server(ANSWER, OTHER, PROGRESS);
    expect(line.arrived()).toEqual([other, answer, came('server', PROGRESS)]);
  });

  it('shuffles more, by the seed, and loses none', () => {
    const order = (seed: number) => {
      const line = misbehaving([reorder({ window: 8 })], seed);
      for (let id = 0; id < 8; id++) line.server({ ...OTHER, id });
      return line.arrived();
    };
    expect(order(1)).toEqual(order(1));
    expect(order(1)).not.toEqual(order(2));
    expect(order(1).sort()).toEqual(order(2).sort());
  });

  it('sends what it has if no other comes in time', () => {
    const line = misbehaving([reorder()]);
    line.server(ANSWER);
    line.clock.advance(99);
    expect(line.arrived()).toEqual([]);
    line.clock.advance(1);
    expect(line.arrived()).toEqual([answer]);
    line.server(ANSWER, OTHER);
    line.clock.advance(100);
    expect(line.arrived()).toEqual([other, answer]);
  });

  it('lets nothing overtake the end', () => {
    const line = misbehaving([reorder()]);
    line.server(ANSWER);
    line.traffic.push(close('server'));
    expect(line.arrived()).toEqual([answer, '← close']);
  });
});

describe('late', () => {
  it('holds the answer until its request is cancelled', () => {
    const line = misbehaving([late({ delay: 7 })]);
    line.client(CALL);
    line.server(ANSWER);
    line.clock.advance(1_000);
    expect(line.arrived()).toEqual([call]);
    line.client({ ...cancelled, params: { requestId: 2 } }, cancelled);
    line.clock.advance(7);
    expect(line.arrivedAt().at(-1)).toEqual([1_007, answer]);
  });

  it('sends it where the cancel came first', () => {
    const line = misbehaving([late()]);
    line.client(CALL, cancelled);
    line.server(ANSWER);
    line.clock.advance(0);
    expect(line.arrived()).toEqual([call, came('client', cancelled), answer]);
  });
});

it('truncate gives the first bytes, and then the end of the stream', () => {
  const line = misbehaving([{ fault: truncate({ bytes: 9 }), when: { nth: 1 } }]);
  line.server(ANSWER, OTHER);
  line.traffic.push({ kind: 'exit', at: 0, from: 'server', status: 0 });
  expect(line.arrived()).toEqual(['← {"jsonrpc', '← close', '← exit 0']);
});

describe('corrupt', () => {
  const damaged = (values: Parameters<typeof corrupt>[0]) => {
    const line = misbehaving([corrupt(values)]);
    line.server(ANSWER);
    return line.arrived()[0]!.slice(2);
  };
  const differing = (text: string) => [...text].filter((byte, at) => byte !== bytes[at]).length;

  it('flips bits, and stays one line', () => {
    const text = damaged({ kind: 'flip', bytes: 1 });
    expect([text.length, differing(text), text.split('\n').length]).toEqual([bytes.length, 1, 2]);
  });

  it('puts in bytes that are no UTF-8', () => {
    const text = damaged({ kind: 'invalid-utf8' });
    expect([differing(text), text.includes('\xff')]).toEqual([1, true]);
  });

  it.each(['flip', 'invalid-utf8'] as const)(
    'leaves no message that parses, though most bytes are text: %s',
    (kind) => {
      const text = JSON.stringify({ ...ANSWER, result: { content: ['a', 'b', 'c'.repeat(500), 'say "d"'] } });
      for (const bytes of [1, 2, 3, 50])
        for (let seed = 0; seed < 100; seed++) {
          const line = misbehaving([corrupt({ kind, bytes })], seed);
          line.server(text);
          const came = line.arrived()[0]!.slice(2);
          expect(() => JSON.parse(came), came).toThrow();
        }
    },
  );

  it('leaves out the end of the JSON', () => {
    expect(damaged({ kind: 'bad-json' })).toBe(`${bytes.slice(0, -2)}\n`);
  });

  it('says JSON that is no JSON-RPC', () => {
    expect(damaged({ kind: 'not-json-rpc' })).toBe('{"mcp-record":"not JSON-RPC"}\n');
  });
});

it('junk puts a line before the message', () => {
  const line = misbehaving([junk({ text: 'ready' })]);
  line.server(ANSWER);
  expect(line.arrived()).toEqual(['← ready\n', answer]);
});

it('oversize makes the message long, and leaves it what it is', () => {
  const line = misbehaving([oversize({ bytes: 1_000 })]);
  line.server(ANSWER);
  const text = line.arrived()[0]!.slice(2, -1);
  expect([Buffer.byteLength(text), JSON.parse(text)]).toEqual([1_000, ANSWER]);
});

describe('wrong-id', () => {
  it.each([
    ['unknown', 1, 'mcp-record:unknown'],
    ['other-type', 1, '1'],
    ['other-type', '7', 7],
    ['other-type', 'a', 0],
  ] as const)('%s makes %j %j', (id, from, to) => {
    const line = misbehaving([wrongId({ id })]);
    line.server({ ...ANSWER, id: from });
    expect(line.arrived()).toEqual([came('server', { ...ANSWER, id: to })]);
  });

  it('reused takes that of the answer before', () => {
    const line = misbehaving([{ fault: wrongId({ id: 'reused' }), when: { nth: 2 } }]);
    line.server(OTHER, ANSWER);
    expect(line.arrived()).toEqual([other, came('server', { ...ANSWER, id: 2 })]);
  });
});

it('patch merges, and null removes', () => {
  const line = misbehaving([patch({ merge: { result: { text: null, more: { a: 1 } } } })]);
  line.server(ANSWER);
  expect(line.arrived()).toEqual([came('server', { ...ANSWER, result: { more: { a: 1 } } })]);
});

describe('error-reply', () => {
  const error = { code: -32000, message: 'no', data: 7 };

  it('stands in the place of an answer', () => {
    const line = misbehaving([errorReply(error)]);
    line.server({ ...ANSWER, id: 'a' });
    expect(line.arrived()).toEqual([came('server', { jsonrpc: '2.0', id: 'a', error })]);
  });

  it('stands in the place of an error without an id, or with the id null', () => {
    const refused = { code: -32600, message: 'not readable' };
    for (const id of [{}, { id: null }]) {
      const line = misbehaving([errorReply(error)]);
      line.server({ jsonrpc: '2.0', ...id, error: refused });
      expect(line.arrived()).toEqual([came('server', { jsonrpc: '2.0', id: null, error })]);
    }
  });

  it('answers a request at once, which then does not arrive', () => {
    const line = misbehaving([{ fault: errorReply(error), when: { from: 'client', kind: 'request' } }]);
    line.client(CALL);
    expect(line.arrived()).toEqual([came('server', { jsonrpc: '2.0', id: 1, error })]);
  });
});

describe('what ends a conversation', () => {
  const after = (fault: ReturnType<typeof cut>) => {
    const line = misbehaving([{ fault, when: { nth: 1 } }]);
    line.server(ANSWER, OTHER);
    line.traffic.push({ kind: 'exit', at: 0, from: 'server', status: 0 });
    return line.arrived();
  };

  it('end: cleanly, and with 0', () => expect(after(end())).toEqual(['← close', '← exit 0']));
  it('cut: killed', () => expect(after(cut())).toEqual(['← close fin', '← exit SIGKILL']));
  it('cut: inside the message', () =>
    expect(after(cut({ bytes: 2 }))).toEqual(['← {"', '← close fin', '← exit SIGKILL']));
  it('exit: with a code', () => expect(after(exit({ status: 7 }))).toEqual(['← close', '← exit 7']));
  it('exit: by a signal', () => expect(after(exit({ status: 'SIGSEGV' }))).toEqual(['← close', '← exit SIGSEGV']));
  it('half-close: the process lives', () => expect(after(halfClose())).toEqual(['← close', '← exit 0']));
});

it('slow-close holds the end of input and signals back', () => {
  const line = misbehaving([slowClose({ for: 5_000 })]);
  line.traffic.push(close('client'));
  line.traffic.push({ kind: 'signal', at: 0, from: 'client', signal: 'SIGTERM' });
  line.clock.advance(5_000);
  expect(line.arrivedAt()).toEqual([
    [5_000, '→ close'],
    [5_000, '→ signal'],
  ]);
});

it('version answers initialize with another revision', () => {
  const line = misbehaving([version({ as: '2099-01-01' })]);
  line.client({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
  const result = { protocolVersion: '2025-11-25', capabilities: {} };
  line.server({ jsonrpc: '2.0', id: 0, result });
  const wrong = { ...result, protocolVersion: '2099-01-01' };
  expect(line.arrived()[1]).toBe(came('server', { jsonrpc: '2.0', id: 0, result: wrong }));
});

it('discover-timeout does not answer server/discover', () => {
  const line = misbehaving([discoverTimeout({ for: 60_000 })]);
  line.client({ jsonrpc: '2.0', id: 1, method: 'server/discover' });
  line.server(ANSWER);
  expect(line.arrived()).toHaveLength(1);
  line.clock.advance(60_000);
  expect(line.arrived()).toEqual([answer]);
});

describe('cancel', () => {
  const given = came('client', { ...cancelled, params: { requestId: 1, reason: 'Injected by mcp-record' } });

  it('follows its request at once', () => {
    const line = misbehaving([cancel()]);
    line.client(CALL);
    expect(line.arrived()).toEqual([call, given]);
  });

  it('follows the frames it is told to, the answer too', () => {
    const line = misbehaving([cancel({ at: 2 })]);
    line.client(CALL);
    line.server(PROGRESS, ANSWER, OTHER);
    expect(line.arrived()).toEqual([call, came('server', PROGRESS), answer, given, other]);
  });

  it('does not count the message that made the client send its request', () => {
    const sent: string[] = [];
    const traffic = new FaultInjector({
      rules: [{ fault: cancel({ at: 1 }) }],
      seed: 1,
      clock: new ManualClock(),
      encode: () => new Uint8Array(0),
      send(frame) {
        if (frame.kind !== 'message') return;
        sent.push(frame.json.text);
        if (sent.length === 1) say('client', CALL);
      },
    });
    const say = (from: 'client' | 'server', message: object) =>
      traffic.push({ kind: 'message', at: 0, from, json: new JsonText(JSON.stringify(message)) });
    say('server', OTHER);
    expect(sent).toEqual([OTHER, CALL].map((message) => JSON.stringify(message)));
    say('server', PROGRESS);
    expect(sent.at(-1)).toContain('notifications/cancelled');
  });

  it('cancels a request after a time, while the server works on it', () => {
    const line = misbehaving([cancel({ delay: 200 })]);
    line.client(CALL);
    line.clock.advance(199);
    expect(line.arrived()).toEqual([came('client', CALL)]);
    line.clock.advance(1);
    expect(line.arrived()).toEqual([given]);
  });

  it('counts the time from the message that it waits for', () => {
    const line = misbehaving([cancel({ at: 1, delay: 50 })]);
    line.client(CALL);
    line.clock.advance(500);
    line.server(PROGRESS);
    line.clock.advance(49);
    expect(line.arrived()).toEqual([came('client', CALL), came('server', PROGRESS)]);
    line.clock.advance(1);
    expect(line.arrived()).toEqual([given]);
  });
});

it('ignore-cancel keeps cancels from the server', () => {
  const line = misbehaving([ignoreCancel()]);
  line.client(CALL, cancelled);
  line.server(ANSWER);
  expect(line.arrived()).toEqual([call, answer]);
});

describe('progress', () => {
  const arriving = (values: Parameters<typeof progress>[0]) => {
    const line = misbehaving([progress(values)]);
    line.client(CALL);
    line.server(PROGRESS, ANSWER);
    return line.arrived().slice(1);
  };
  const with_ = (change: object) => came('server', { ...PROGRESS, params: { ...PROGRESS.params, ...change } });

  it('goes down', () => expect(arriving({})).toEqual([with_({ progress: -1 }), answer]));
  it('comes after the answer', () =>
    expect(arriving({ kind: 'after-answer' })).toEqual([answer, came('server', PROGRESS)]));
  it('names a token that nobody gave', () =>
    expect(arriving({ kind: 'unknown-token' })).toEqual([with_({ progressToken: 'mcp-record:unknown' }), answer]));
  it('comes a thousand times', () => expect(arriving({ kind: 'storm' })).toHaveLength(1_001));
});

it('stderr-flood fills standard error before the message', () => {
  const line = misbehaving([stderrFlood({ bytes: 5_000 })]);
  line.server(ANSWER);
  const all = line.arrived();
  const flood = all.slice(0, -1).map((what) => Number(what.split(' ')[2]) + 1);
  expect([flood.reduce((sum, length) => sum + length, 0), all.at(-1)]).toEqual([5_000, answer]);
});
