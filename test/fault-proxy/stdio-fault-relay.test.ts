import { expect, it } from 'vitest';
import type { Channel } from '../../src/channel/channel.ts';
import type { WireFrame } from '../../src/channel/frame.ts';
import { stdioFaultRelay } from '../../src/fault-proxy/stdio-fault-relay.ts';
import type { Rule } from '../../src/faults/rules/fault-rule.ts';
import { latency } from '../../src/faults/timing/latency.ts';
import { slowReader } from '../../src/faults/timing/slow-reader.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';

/** A client and a server over stdio with a fault between them, and what each of them got. */
function relayed(rule: Rule) {
  const clock = new ManualClock();
  const ends: (number | string)[] = [];
  const side = () => {
    const got: string[] = [];
    let receive: (frame: WireFrame) => void = () => {};
    const channel: Channel = {
      listen: (listener) => {
        receive = listener;
      },
      send: (frame) => got.push(frame.kind === 'bytes' ? Buffer.from(frame.data).toString() : frame.kind) > 0,
      drained: (_, resume) => resume(),
      pause: () => void got.push('pause'),
      resume: () => void got.push('resume'),
    };
    return { channel, got, says: (frame: WireFrame) => receive(frame) };
  };
  const [client, server] = [side(), side()];
  stdioFaultRelay({
    client: client.channel,
    server: server.channel,
    clock,
    faults: { rules: [rule], seed: 1 },
    exited: ({ status }) => void ends.push(status),
  });
  const text = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';
  const bytes = (from: 'client' | 'server') =>
    ({ kind: 'bytes', at: 0, from, on: 'protocol', data: Buffer.from(text) }) as const;
  return {
    clock,
    client,
    ends,
    text,
    clientSays: () => client.says(bytes('client')),
    serverSays: () => server.says(bytes('server')),
    signal: () => client.says({ kind: 'signal', at: 0, from: 'client', signal: 'SIGTERM' }),
    exit: () => server.says({ kind: 'exit', at: 0, from: 'server', status: 0 }),
  };
}

it('the end of the server does not wait for a slow reader, who holds nothing', () => {
  const relay = relayed({ fault: slowReader({ rate: 1 }), when: { from: 'client' } });
  relay.clientSays();
  expect(relay.client.got).toEqual(['pause']);
  relay.exit();
  expect(relay.ends).toEqual([0]);
});

it('the end of the server waits for a held message, until the client sends a signal', () => {
  const rule: Rule = { fault: latency({ delay: 60_000 }) };
  const patient = relayed(rule);
  patient.serverSays();
  patient.exit();
  expect(patient.ends).toEqual([]);
  patient.clock.advance(60_000);
  expect([patient.client.got, patient.ends]).toEqual([[patient.text], [0]]);

  const impatient = relayed(rule);
  impatient.serverSays();
  impatient.exit();
  impatient.signal();
  impatient.signal();
  impatient.clock.advance(60_000);
  expect([impatient.client.got, impatient.ends]).toEqual([[], [0]]);
});
