import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../src/cassette/cassette.ts';
import type { Channel } from '../../src/channel/channel.ts';
import type { WireFrame } from '../../src/channel/frame.ts';
import { cut } from '../../src/faults/connections/cut.ts';
import { SwitchableFaultInjector } from '../../src/faults/engine/switchable-fault-injector.ts';
import { cancel } from '../../src/faults/messages/cancel.ts';
import { corrupt } from '../../src/faults/messages/corrupt.ts';
import { drop } from '../../src/faults/messages/drop.ts';
import { duplicate } from '../../src/faults/messages/duplicate.ts';
import { junk } from '../../src/faults/messages/junk.ts';
import type { Rule } from '../../src/faults/rules/fault-rule.ts';
import { latency } from '../../src/faults/timing/latency.ts';
import { slowReader } from '../../src/faults/timing/slow-reader.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import type { Finding } from '../../src/replay/findings/finding.ts';
import { type Ending, type ServeOptions, serveStdio } from '../../src/replay/serve-stdio.ts';
import {
  call,
  cassette as cassetteOf,
  client,
  clientCloses,
  exits,
  notification,
  progress,
  request,
  result,
  server,
  signal,
  stderr,
} from '../support/conversation.ts';

const [A, resultA] = [call(1, 'a'), result(1, 'A')];
const lines = (...messages: unknown[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

/** A served cassette, and the client's end of it in the hands of a test. */
function served(cassette: Cassette, options: Partial<ServeOptions> = {}) {
  const clock = new ManualClock();
  const did: string[] = [];
  const findings: Finding[] = [];
  let receive: (frame: WireFrame) => void = () => {};
  const client = { full: false, drain: () => {} };
  const channel: Channel = {
    listen: (listener) => {
      receive = listener;
    },
    send: (frame) => {
      did.push(frame.kind === 'bytes' ? `${frame.on}: ${Buffer.from(frame.data)}` : frame.kind);
      return !client.full;
    },
    drained: (stream, resume) => {
      did.push(`awaits ${stream}`);
      client.drain = resume;
    },
    pause: (stream) => void did.push(`pauses ${stream}`),
    resume: (stream) => void did.push(`resumes ${stream}`),
  };
  let ending: Ending | undefined;
  const report = (finding: Finding) => void findings.push(finding);
  const done = serveStdio({ cassette, channel, clock, report, ...options }).then((end) => {
    ending = end;
  });
  return {
    clock,
    client,
    findings,
    done,
    writes(text: string | Uint8Array) {
      const data = typeof text === 'string' ? Buffer.from(text) : text;
      receive({ kind: 'bytes', at: clock.now(), from: 'client', on: 'protocol', data });
    },
    passes: (frame: WireFrame) => receive(frame),
    /** What the server wrote and did since it was asked last. */
    sees: () => did.splice(0),
    /** How it ended, if it has. */
    async end() {
      await Promise.resolve();
      await Promise.resolve();
      return ending;
    },
  };
}

describe('what a client writes', () => {
  it('is answered in one piece where it came in one', () => {
    const B = call(2, 'b');
    const session = served(cassetteOf(client(A), server(resultA), client(B), server(result(2, 'B'))));
    session.writes(lines(B, A));
    expect(session.sees()).toEqual([`protocol: ${lines(result(2, 'B'), resultA)}`]);
  });

  it('is read at newlines, wherever it was cut', () => {
    const odd = call(1, 'é', { text: '\u2028' });
    const session = served(cassetteOf(client(odd), server(resultA)));
    for (const byte of Buffer.from(`plain text\n\n${lines(odd)}`)) session.writes(Uint8Array.of(byte));
    expect(session.sees()).toEqual([`protocol: ${lines(resultA)}`]);
  });

  it('without its last newline counts when input ends', async () => {
    const session = served(cassetteOf(client(A), server(resultA)));
    session.writes(JSON.stringify(A));
    session.passes(clientCloses);
    expect(session.sees()).toEqual([`protocol: ${lines(resultA)}`]);
    expect(await session.end()).toMatchObject({ status: undefined });
  });
});

describe('what a server says', () => {
  it('goes to the stream that it went to', () => {
    const session = served(cassetteOf(stderr('Starting'), client(A), stderr('Working'), server(resultA)));
    expect(session.sees()).toEqual(['stderr: Starting\n']);
    session.writes(lines(A));
    expect(session.sees()).toEqual(['stderr: Working\n', `protocol: ${lines(resultA)}`]);
  });

  it('as one batch is one again', () => {
    const [B, resultB] = [call(2, 'b'), result(2, 'B')];
    const batch = (from: 'client' | 'server', ...messages: object[]) =>
      ({ kind: 'message', at: 0, from, json: new JsonText(JSON.stringify(messages)) }) as const;
    const session = served(cassetteOf(batch('client', A, B), batch('server', resultA, resultB)));
    session.writes(lines([A, B]));
    session.clock.endTurn();
    expect(session.sees()).toEqual([`protocol: ${lines([resultA, resultB])}`]);
  });

  it('by itself, later, goes out at once', () => {
    const reporting = call(1, 'a', {}, 1);
    const session = served(cassetteOf(client(reporting), server(progress(1, 1)), server(resultA)));
    session.writes(lines(reporting));
    expect(session.sees()).toEqual([`protocol: ${lines(progress(1, 1))}`]);
    // Clients lose progress that they read together with the response.
    session.clock.advance(19);
    expect(session.sees()).toEqual([]);
    session.clock.advance(1);
    expect(session.sees()).toEqual([`protocol: ${lines(resultA)}`]);
  });

  it('to a client that does not read, stops us from reading until it has', () => {
    const session = served(cassetteOf(client(A), server(resultA)));
    session.client.full = true;
    session.writes(lines(A));
    expect(session.sees()).toEqual([`protocol: ${lines(resultA)}`, 'pauses protocol', 'awaits protocol']);
    session.client.drain();
    expect(session.sees()).toEqual(['resumes protocol']);
  });

  it('where nothing was recorded is a miss, told at once', () => {
    const session = served(cassetteOf(client(A), server(resultA)));
    session.writes(lines(call(5, 'b')));
    expect(session.sees().join()).toContain('-32603');
    expect(session.findings.map(({ kind }) => kind)).toEqual(['miss']);
  });
});

describe('the end', () => {
  const recorded = cassetteOf(client(A), server(resultA), clientCloses, stderr('bye'), exits(3));

  it('of input is the end of the session, with what the cassette has there and its status', async () => {
    const session = served(recorded);
    session.writes(lines(A));
    session.sees();
    expect(await session.end()).toBeUndefined();
    session.passes(clientCloses);
    expect(session.sees()).toEqual(['stderr: bye\n']);
    expect(await session.end()).toMatchObject({ status: 3 });
  });

  it('by a signal is one too', async () => {
    const session = served(recorded);
    session.passes(signal('SIGTERM'));
    expect(await session.end()).toMatchObject({ status: 3 });
    expect(session.findings.map(({ kind }) => kind)).toEqual(['unused']);
  });

  it('waits for an answer that only waits for its time', async () => {
    const session = served(cassetteOf(client(A, 0), server(resultA, 50)), { timing: 'recorded' });
    session.writes(lines(A));
    session.passes(clientCloses);
    expect(await session.end()).toBeUndefined();
    session.clock.advance(50);
    expect(session.sees()).toEqual([`protocol: ${lines(resultA)}`]);
    expect(await session.end()).toMatchObject({ status: undefined });
  });

  it('of the server in a call comes with what it had said before, and nothing comes after', async () => {
    const session = served(
      cassetteOf(client(A), server(notification('message', { data: 1 })), exits('SIGSEGV'), stderr('too late')),
    );
    session.writes(lines(A, call(2, 'more')));
    expect(session.sees()).toEqual([`protocol: ${lines(notification('message', { data: 1 }))}`]);
    expect(await session.end()).toMatchObject({ status: 'SIGSEGV' });
    session.writes(lines(A));
    session.passes(clientCloses);
    expect(session.sees()).toEqual([]);
  });
});

it('a pointer that is none is an error before anything is said', async () => {
  const { done, sees } = served(cassetteOf(client(A)), { ignore: ['params/name'] });
  await expect(done).rejects.toMatchObject({ code: 'USAGE_BAD_POINTER' });
  expect(sees()).toEqual([]);
});

describe('what stands before the cassette', () => {
  const B = call(2, 'b');
  const recorded = cassetteOf(client(A), server(resultA), client(B), server(result(2, 'B')));

  it('answers some messages, leaves the others, and ends with the session', async () => {
    let runs: () => readonly { unused: readonly { message?: unknown }[] }[] = () => [];
    const ends: string[] = [];
    const session = served(recorded, {
      started: (played) => {
        runs = played;
      },
      intercept: (play) => (context) => {
        const played = play(context);
        return {
          receive(json) {
            const { id, params } = json.value as typeof B;
            if (params?.name !== 'a') return played.receive(json, 0);
            context.send({
              kind: 'message',
              at: 0,
              from: 'server',
              json: new JsonText(JSON.stringify(result(id, 'own'))),
            });
          },
          finish() {
            ends.push('ends');
            played.finish();
          },
        };
      },
    });
    session.writes(lines(A, B));
    expect(session.sees()).toEqual([`protocol: ${lines(result(1, 'own'), result(2, 'B'))}`]);
    expect(runs().map(({ unused }) => unused.map(({ message }) => message))).toEqual([[A]]);
    session.passes(clientCloses);
    await session.end();
    expect(ends).toEqual(['ends']);
  });
});

describe('with faults', () => {
  const recorded = cassetteOf(client(A), server(resultA), clientCloses, exits(0));
  const faults = (...rules: Rule[]) => ({ faults: { rules, seed: 1, Traffic: SwitchableFaultInjector } });

  it('do not wait for the answer to a request of the server that they cancel', async () => {
    const ask = request(7, 'roots/list');
    const asking = cassetteOf(client(A), server(ask), client(result(7, 'roots')), server(resultA));
    const session = served(asking, faults({ fault: cancel(), when: { from: 'server', method: 'roots/list' } }));
    session.writes(lines(A));
    const cancelled = notification('cancelled', { requestId: 7, reason: 'Injected by mcp-record' });
    expect(session.sees()).toEqual([`protocol: ${lines(ask, cancelled)}`]);
    session.clock.advance(1);
    expect(session.sees()).toEqual([`protocol: ${lines(resultA)}`]);
    // An answer may have crossed the cancellation.
    session.writes(lines(result(7, 'roots')));
    session.passes(clientCloses);
    await session.end();
    expect(session.findings).toEqual([]);
  });

  it('says what they make of what it says', () => {
    const session = served(recorded, faults({ fault: junk({ text: 'ready' }) }));
    session.writes(lines(A));
    expect(session.sees()).toEqual([`protocol: ready\n`, `protocol: ${lines(resultA)}`]);
  });

  it('hears what they make of what the client says', () => {
    const session = served(recorded, faults({ fault: duplicate(), when: { from: 'client' } }));
    session.writes(lines(A));
    expect(session.sees().join().split('\n')).toHaveLength(3);
    // What a fault doubled is no other request of the client: it is answered as the first one.
    expect(session.findings).toEqual([]);
  });

  it('ends as they end it, and tells what never fired', async () => {
    const session = served(recorded, faults({ fault: cut({ bytes: 2 }) }, { fault: drop(), when: { tool: 'b' } }));
    session.writes(lines(A));
    expect(session.sees()).toEqual(['protocol: {"', 'close']);
    expect(await session.end()).toEqual({ status: 'SIGKILL', unfired: [{ rule: 2 }] });
  });

  it('does not end before what they hold has gone out', async () => {
    const session = served(recorded, faults({ fault: latency({ delay: 50 }) }));
    session.writes(lines(A));
    session.passes(clientCloses);
    session.clock.advance(49);
    expect([session.sees(), await session.end()]).toEqual([[], undefined]);
    session.clock.advance(1);
    expect(session.sees()).toEqual([`protocol: ${lines(resultA)}`]);
    expect(await session.end()).toMatchObject({ status: 0 });
  });

  it('lets the client wait while it is read slowly', () => {
    const slow = { fault: slowReader({ rate: lines(A).length }), when: { from: 'client' } } as const;
    const session = served(recorded, faults(slow));
    session.writes(lines(A));
    expect(session.sees()).toEqual(['pauses protocol', `protocol: ${lines(resultA)}`]);
    session.clock.advance(999);
    expect(session.sees()).toEqual([]);
    session.clock.advance(1);
    expect(session.sees()).toEqual(['resumes protocol']);
  });

  it('takes others before the next message', () => {
    let next: { rules: readonly Rule[]; seed: number } | undefined;
    const { faults: none } = faults();
    const session = served(recorded, { faults: { ...none, changed: () => next } });
    next = { rules: [{ fault: drop() }], seed: 2 };
    session.writes(lines(A));
    expect(session.sees()).toEqual([]);
  });

  it('reads on as it can what they damage', () => {
    const damaged = { fault: corrupt({ kind: 'bad-json' }), when: { from: 'client' }, times: 1 } as const;
    const session = served(recorded, faults(damaged));
    session.writes(lines(A, A));
    expect(session.sees()).toEqual([`protocol: ${lines(resultA)}`]);
  });
});
