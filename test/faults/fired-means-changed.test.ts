import { expect, it } from 'vitest';
import { FAULTS } from '../../src/faults/fault-table.ts';
import type { Rule } from '../../src/faults/rules/fault-rule.ts';
import { parseFaultRules } from '../../src/faults/rules/parse-fault-rules.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { ANSWER, CALL, misbehaving, OTHER, PROGRESS } from './stage.ts';

const VALUES = [0, 1, 2, 20, 60, 70, 500, 'forever', '2025-06-18', { result: { text: 'é' } }, { a: null }];
const WORDS = ['flip', 'invalid-utf8', 'bad-json', 'not-json-rpc', 'line', 'bom', 'reused', 'other-type', 'unknown'];
const KINDS = ['decreasing', 'after-answer', 'unknown-token', 'storm', 'normal', 'lognormal', 'SIGKILL', 'Ready'];
const CONDITIONS = [
  {},
  { kind: 'request' },
  { kind: 'response' },
  { kind: 'notification' },
  { kind: 'end' },
  { from: 'client' },
  { from: 'client', kind: 'notification' },
  { from: 'client', kind: 'end' },
  { method: 'tools/call' },
  { nth: 1 },
  { after: 3 },
];
const INITIALIZE = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };
const INITIALIZED = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } };
const CANCELLED = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
const ASKED = { jsonrpc: '2.0', id: 1, method: 'ping' };
const SENT = { jsonrpc: '2.0', method: 'notifications/message', params: {} };

/** Plays one session, and returns what each side received and when, and what has fired. */
function play(rules: readonly Rule[], seed: number) {
  const line = misbehaving(rules, seed);
  line.traffic.begin();
  const steps = [
    () => line.client(INITIALIZE),
    () => line.server(INITIALIZED),
    () => line.client({ ...SENT, method: 'notifications/initialized' }, CALL, { ...CALL, id: 2 }),
    () => line.server(SENT, SENT, PROGRESS, ASKED),
    () => line.client({ jsonrpc: '2.0', id: 1, result: {} }, CANCELLED),
    () => line.server(ANSWER),
    () => line.server(OTHER, PROGRESS),
    () => line.traffic.push({ kind: 'close', at: 0, from: 'client' }),
    () => line.traffic.push({ kind: 'close', at: 0, from: 'server' }),
    () => line.traffic.whenIdle(() => line.traffic.push({ kind: 'exit', at: 0, from: 'server', status: 0 })),
  ];
  const seen: [at: number, what: string][] = [];
  for (const step of [...steps, () => line.clock.advance(10_000_000)]) {
    step();
    line.clock.advance(200);
    seen.push(...line.arrivedAt());
    // As a relay does at the exit of the server.
    const exit = seen.findIndex(([, what]) => what.startsWith('← exit'));
    if (exit < 0) continue;
    seen.splice(exit + 1);
    line.traffic.stop();
  }
  line.traffic.stop();
  return { ...line, seen: [seen, line.paused] };
}

/** Returns a random rule with this fault. Undefined: the rule is refused. */
function anyRule(name: string, random: () => number): Rule | undefined {
  const one = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  const { params } = FAULTS.get(name)!;
  const values = Object.entries(params).flatMap(([param, { read, fallback }]) => {
    const fitting = [...VALUES, ...WORDS, ...KINDS, ...(param === 'rate' ? [1_000, 1_000_000] : [])].filter(
      (value) => read(value) !== undefined,
    );
    // A large default takes long.
    const isLarge = typeof fallback === 'number' && fallback > 10_000;
    return fallback !== undefined && !isLarge && random() < 0.4 ? [] : [[param, one(fitting)]];
  });
  const rule = { do: name, ...Object.fromEntries(values), when: one(CONDITIONS), ...(random() < 0.3 && { times: 1 }) };
  try {
    return parseFaultRules({ faults: [rule] }, { name: 'faults', transport: 'stdio' }).rules[0];
  } catch {
    return undefined;
  }
}

const plain = play([], 1).seen;
const kinds = [...FAULTS.values()].filter(({ transports }) => transports.includes('stdio')).map(({ name }) => name);
/** Faults that wait for another message, and send the first one later if none comes. */
const WAITING = ['coalesce', 'reorder'];

it.each(kinds)('%s fires if, and only if, somebody receives something else or at another time', (name) => {
  const random = seededRandom(7, kinds.indexOf(name));
  let [fired, passed] = [0, 0];
  for (let seed = 1; seed <= 300; seed++) {
    const rule = anyRule(name, random);
    if (rule === undefined) continue;
    const { seen, journal, traffic } = play([rule], seed);
    const isChanged = JSON.stringify(seen) !== JSON.stringify(plain);
    const shown = JSON.stringify({ ...rule.fault.values, when: rule.when, seed, seen });
    if (journal.length > 0) expect(isChanged, shown).toBe(true);
    else if (!WAITING.includes(name)) expect(isChanged, shown).toBe(false);
    expect(traffic.unfired.length, shown).toBe(journal.length > 0 ? 0 : 1);
    if (journal.length > 0) fired++;
    else passed++;
  }
  expect([fired > 0, fired + passed > 20]).toEqual([true, true]);
});
