import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageFrame, WireFrame } from '../../src/channel/frame.ts';
import { cut } from '../../src/faults/connections/cut.ts';
import { FaultInjector, type Fired } from '../../src/faults/engine/fault-injector.ts';
import type { Fault } from '../../src/faults/fault.ts';
import { FAULTS } from '../../src/faults/fault-table.ts';
import { drop } from '../../src/faults/messages/drop.ts';
import type { Rule } from '../../src/faults/rules/fault-rule.ts';
import type { When } from '../../src/faults/rules/when.ts';
import { late } from '../../src/faults/timing/late.ts';
import { latency } from '../../src/faults/timing/latency.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { encodeLine } from '../../src/transports/stdio/encode-line.ts';
import { fuzzed } from '../support/fuzz.ts';
import { ANSWER, CALL, OTHER, PROGRESS } from './stage.ts';

const LOG = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };
const CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const ASKS = { jsonrpc: '2.0', id: 1, method: 'roots/list' };
const SAID = [CALL, LOG, CHANGED, PROGRESS, ASKS, ANSWER, OTHER];

interface Said {
  from: 'client' | 'server';
  message: unknown;
  stream: number;
  /** How long after the one before. */
  after: number;
}

/** What arrives, when, and what the journal says of it. What need not be pushed is not, if `passes`. */
function heard(rules: readonly Rule[], said: readonly Said[], passes: boolean) {
  const clock = new ManualClock();
  const arrived: string[] = [];
  const journal: Fired[] = [];
  const encode = (frame: WireFrame) => (frame.kind === 'bytes' ? frame.data : (encodeLine(frame) ?? new Uint8Array(0)));
  const send = (frame: WireFrame) =>
    void arrived.push(`${clock.now()} ${frame.from} ${frame.stream} ${frame.kind} ${encode(frame)}`);
  const traffic = new FaultInjector({
    ...{ rules, seed: 1, clock, transport: 'http', encode, send },
    fired: (one) => void journal.push(one),
  });
  traffic.begin();
  let passed = 0;
  for (const { from, message, stream, after } of said) {
    clock.advance(after);
    const json = new JsonText(JSON.stringify(message));
    const frame: MessageFrame = { kind: 'message', at: clock.now(), from, stream, json };
    if (!passes || !traffic.passesOver(from, message, stream)) traffic.push(frame);
    else if (++passed > 0) send(frame);
  }
  clock.advance(100_000);
  return { arrived, journal, unfired: traffic.unfired, passed };
}

/** One or two of these: more at once hardly ever hold. */
const when: fc.Arbitrary<When> = fc
  .array(
    fc.constantFrom<When>(
      { from: 'client' },
      { kind: 'notification' },
      { kind: 'response' },
      { kind: 'start' },
      { method: LOG.method },
      { method: CHANGED.method },
      { method: PROGRESS.method },
      { tool: 'add' },
      { at: { '/params/level': 'info' } },
      { stream: 1 },
      { nth: 2 },
      { after: 2 },
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((keys) => Object.assign({}, ...keys));
/** Every fault, with the least that it needs. */
const faults = fc.constantFrom(...FAULTS.values()).map((kind): Fault => {
  const values = Object.entries(kind.params).map(([name, param]) => [
    name,
    'fallback' in param ? param.fallback : FITTING.map(param.read).find((value) => value !== undefined),
  ]);
  return { kind, values: Object.fromEntries(values) };
});
/** Values of which each parameter takes one. */
const FITTING = [1, 404, 'x', { a: 1 }, '2025-06-18'];
const rule: fc.Arbitrary<Rule> = fc.record(
  { fault: faults, when, times: fc.constantFrom(0, 1, 3), probability: fc.constant(0.5) },
  { requiredKeys: ['fault'] },
);
const conversation = fc.array(
  fc.record({
    from: fc.constantFrom('client', 'server', 'server'),
    message: fc.constantFrom(...SAID),
    stream: fc.constantFrom(1, 2),
    after: fc.constantFrom(0, 0, 1, 50),
  } as const),
  { maxLength: 20 },
);

it('what is passed over arrives as if it had been pushed, and the journal is the same', () => {
  const seen = ({ passed: _, ...rest }: ReturnType<typeof heard>) => rest;
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 3 }), conversation, (rules, said) => {
      expect(seen(heard(rules, said, true))).toEqual(seen(heard(rules, said, false)));
    }),
    fuzzed(200),
  );
});

describe('is passed over', () => {
  const logs = Array.from({ length: 5 }, (): Said => ({ from: 'server', message: LOG, stream: 1, after: 0 }));

  it.each<[string, Rule]>([
    ['that is about another method', { fault: latency({ delay: 5 }), when: { method: 'tools/call' } }],
    ['that is about answers', { fault: cut(), when: { kind: 'response' } }],
    ['that is about a tool', { fault: drop(), when: { tool: 'add' } }],
    ['that is about another stream', { fault: drop(), when: { stream: 2 } }],
    ['that is about the client', { fault: drop(), when: { from: 'client' } }],
    ['that may not fire any more', { fault: drop(), times: 0 }],
  ])('what comes under a rule %s', (_, rule) => expect(heard([rule], logs, true).passed).toBe(5));

  it.each<[string, Rule]>([
    ['that selects it', { fault: drop(), when: { method: LOG.method } }],
    ['that looks into messages', { fault: drop(), when: { at: { '/params/level': 'x' } } }],
    ['whose fault wants to see it', { fault: late(), when: { from: 'client' } }],
  ])('nothing under a rule %s', (_, rule) => expect(heard([rule], logs, true).passed).toBe(0));

  it('and counted all the same', () => {
    const changed: Said = { from: 'server', message: CHANGED, stream: 1, after: 0 };
    const rule = { fault: drop(), when: { method: CHANGED.method, after: 5 } };
    const { passed, journal } = heard([rule], [...logs, changed], true);
    expect([passed, journal.map(({ message }) => message)]).toEqual([5, [6]]);
  });

  it('nothing that has to wait for what is held', () => {
    const rule = { fault: latency({ delay: 5 }), when: { method: CHANGED.method } };
    const held: Said = { from: 'server', message: CHANGED, stream: 1, after: 0 };
    const { passed } = heard([rule], [logs[0]!, held, logs[1]!, { ...logs[2]!, after: 5 }], true);
    expect(passed).toBe(2);
  });
});
