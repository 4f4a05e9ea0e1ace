import { describe, expect, it } from 'vitest';
import type { MessageFrame, WireFrame } from '../../../src/channel/frame.ts';
import { SwitchableFaultInjector } from '../../../src/faults/engine/switchable-fault-injector.ts';
import type { Rule } from '../../../src/faults/rules/fault-rule.ts';
import { parseFaultRules } from '../../../src/faults/rules/parse-fault-rules.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';

const rulesOf = (...faults: object[]): Rule[] =>
  parseFaultRules({ faults }, { name: 'a test', transport: 'stdio' }).rules;

const said = (text: string): MessageFrame => ({
  kind: 'message',
  at: 0,
  from: 'server',
  json: new JsonText(JSON.stringify({ jsonrpc: '2.0', method: text })),
});

function traffic() {
  const heard: unknown[] = [];
  const clock = new ManualClock();
  const fired: [string, readonly Rule[]][] = [];
  const live = new SwitchableFaultInjector({
    seed: 0,
    clock,
    encode: () => new Uint8Array(),
    fired: ({ fault }, rules) => void fired.push([fault, rules]),
    send: (frame: WireFrame) =>
      void heard.push(frame.kind === 'message' ? (frame.json.value as { method: string }).method : frame.kind),
  });
  return { live, heard, clock, fired };
}

describe('traffic that misbehaves as it was last told', () => {
  it('passes before it was told anything, and after it was told nothing', () => {
    const { live, heard } = traffic();
    live.push(said('before'));
    live.use(rulesOf({ do: 'drop' }));
    live.push(said('during'));
    live.use([]);
    live.push(said('after'));
    expect(heard).toEqual(['before', 'after']);
  });

  it('counts messages from where the rules began to hold, and says whose rule fired', () => {
    const { live, heard, fired } = traffic();
    const [first, second] = [rulesOf({ do: 'drop', when: { nth: 1 } }), rulesOf({ do: 'drop', when: { nth: 2 } })];
    live.use(first);
    live.push(said('one'));
    live.use(second);
    live.push(said('two'));
    live.push(said('three'));
    expect(heard).toEqual(['two']);
    expect(fired).toEqual([
      ['drop', first],
      ['drop', second],
    ]);
    expect(fired[1]![1]).toBe(second);
  });

  it('lets go what rules of before hold, in its time', () => {
    const { live, heard, clock } = traffic();
    let isIdle = false;
    live.use(rulesOf({ do: 'latency', delay: 50 }));
    live.push(said('held'));
    live.use([]);
    live.whenIdle(() => {
      isIdle = true;
    });
    expect([heard, isIdle]).toEqual([[], false]);
    clock.advance(50);
    expect([heard, isIdle]).toEqual([['held'], true]);
  });

  it('drops what is held when it is stopped', () => {
    const { live, heard, clock } = traffic();
    live.use(rulesOf({ do: 'latency', delay: 50 }));
    live.push(said('held'));
    live.stop();
    clock.advance(50);
    expect(heard).toEqual([]);
  });

  it('says which rules have not fired, now and ever', () => {
    const { live } = traffic();
    live.use(rulesOf({ do: 'drop', when: { nth: 9 } }));
    live.use(rulesOf({ do: 'drop', when: { nth: 1 } }, { do: 'cut', when: { nth: 9 } }));
    live.push(said('one'));
    expect(live.unfired).toEqual([{ rule: 2 }]);
    expect(live.everUnfired).toEqual(['Rule 1 (drop) never fired.', 'Rule 2 (cut) never fired.']);
    live.use([]);
    expect(live.unfired).toEqual([]);
  });

  it('begins anew with the same rules or with others, and forgets which have not fired', () => {
    const { live, heard } = traffic();
    const [first, other] = [rulesOf({ do: 'drop', when: { nth: 1 } }), rulesOf({ do: 'drop', when: { nth: 2 } })];
    live.use(first);
    live.restart();
    live.push(said('one'));
    expect([heard, live.everUnfired]).toEqual([[], []]);
    live.restart(other);
    live.push(said('two'));
    expect([heard, live.everUnfired]).toEqual([['two'], ['Rule 1 (drop) never fired.']]);
  });

  it('draws chance from the seed that it was told last', () => {
    const passed = (...seeds: number[]) => {
      const { live, heard } = traffic();
      for (const seed of seeds) live.use(rulesOf({ do: 'drop', probability: 0.5 }), seed);
      live.restart();
      for (let n = 0; n < 40; n++) live.push(said(`message ${n}`));
      return heard;
    };
    expect(passed(1, 2)).toEqual(passed(2));
    expect(passed(1)).not.toEqual(passed(2));
  });

  it('begins with rules about the beginning, or where they begin to hold later', () => {
    for (const isThere of [false, true]) {
      const { live, heard, fired } = traffic();
      if (isThere) live.begin();
      live.use(rulesOf({ do: 'down' }));
      if (!isThere) live.begin();
      expect([heard, fired.length]).toEqual([['close', 'exit'], 1]);
    }
  });
});
