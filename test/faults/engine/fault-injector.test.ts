import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/faults/fault.ts';
import { drop } from '../../../src/faults/messages/drop.ts';
import { duplicate } from '../../../src/faults/messages/duplicate.ts';
import { errorReply } from '../../../src/faults/messages/error-reply.ts';
import { junk } from '../../../src/faults/messages/junk.ts';
import { patch } from '../../../src/faults/messages/patch.ts';
import { wrongId } from '../../../src/faults/messages/wrong-id.ts';
import type { Rule } from '../../../src/faults/rules/fault-rule.ts';
import type { When } from '../../../src/faults/rules/when.ts';
import { latency } from '../../../src/faults/timing/latency.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { ANSWER, CALL, came, misbehaving, OTHER, PROGRESS } from '../stage.ts';

const answer = came('server', ANSWER);
const other = came('server', OTHER);
/** Those of CALL, in another order. */
const PARAMS = { _meta: CALL.params._meta, name: CALL.params.name };

describe('a rule selects', () => {
  const READ = { jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: 'file:///a' } };
  const left = (when: When = {}) => {
    const line = misbehaving([{ fault: drop(), when }]);
    line.client(CALL, READ);
    line.server(PROGRESS, ANSWER, OTHER);
    const all = [came('client', CALL), came('client', READ), came('server', PROGRESS), answer, other];
    const names = ['call', 'read', 'progress', 'answer', 'other'];
    const arrived = line.arrived();
    return names.filter((_, n) => !arrived.includes(all[n]!));
  };

  it.each([
    [undefined, ['progress', 'answer', 'other']],
    [{ from: 'client' }, ['call', 'read']],
    [{ kind: 'response' }, ['answer', 'other']],
    [{ kind: 'notification' }, ['progress']],
    [{ method: 'tools/call' }, ['answer']],
    [{ from: 'client', method: 'tools/call' }, ['call']],
    [{ tool: 'add' }, ['progress', 'answer']],
    [{ tool: 'add', kind: 'response' }, ['answer']],
    [{ prompt: 'add' }, []],
    [{ resource: 'file:///a' }, ['other']],
    [{ at: { '/result/text': 'é' } }, ['answer']],
    [{ at: { '/result': {} } }, ['other']],
    [{ at: { '/result': { text: 'é' } } }, ['answer']],
    [{ from: 'client', at: { '/params': PARAMS } }, ['call']],
    [{ from: 'client', at: { '/params': { ...PARAMS, more: 1 } } }, []],
    [{ at: { '/id': 1, '/method': 'x' } }, []],
    [{ nth: 2 }, ['answer']],
    [{ after: 1 }, ['answer', 'other']],
    [{ after: 1, nth: 2 }, ['other']],
    [{ stream: 1 }, []],
  ] as const)('by %j', (when, dropped) => expect(left(when)).toEqual(dropped));
});

it('the refusal of an HTTP request is none of the messages that are counted, and an error on stdio is', () => {
  const refusal = { jsonrpc: '2.0', error: { code: -32000, message: 'no' }, id: null };
  for (const [stream, dropped] of [
    [{ stream: 1 }, OTHER],
    [{}, ANSWER],
  ] as const) {
    const line = misbehaving([{ fault: drop(), when: { after: 1, nth: 1 } }]);
    for (const message of [refusal, ANSWER, refusal, OTHER])
      line.traffic.push({
        kind: 'message',
        at: 0,
        from: 'server',
        json: new JsonText(JSON.stringify(message)),
        ...stream,
      });
    expect(line.arrived()).not.toContain(came('server', dropped));
    expect(line.journal).toMatchObject([{ message: 2, id: dropped.id }]);
  }
});

it('a rule fires as often as it may', () => {
  const line = misbehaving([{ fault: drop(), times: 2 }]);
  line.server(OTHER, OTHER, OTHER, OTHER);
  expect(line.arrived()).toHaveLength(2);
  const never = misbehaving([{ fault: drop(), times: 0 }]);
  never.server(OTHER);
  expect([never.arrived(), never.traffic.unfired]).toEqual([[other], [{ rule: 1 }]]);
});

describe('chance', () => {
  const fates = (rules: Rule[], seed = 1) => {
    const line = misbehaving(rules, seed);
    for (let id = 0; id < 64; id++) line.server({ ...OTHER, id });
    return line.arrived();
  };
  const half: Rule = { fault: drop(), probability: 0.5 };

  it('is the same for the same seed, and another for another', () => {
    expect(fates([half], 7)).toEqual(fates([half], 7));
    expect(fates([half], 7)).not.toEqual(fates([half], 8));
    expect(fates([{ ...half, probability: 0 }])).toHaveLength(64);
    expect(fates([{ ...half, probability: 1 }])).toHaveLength(0);
  });

  it('of one rule is not shifted by another', () => {
    const more: Rule = { fault: latency({ delay: 0, jitter: 0 }), probability: 0.5 };
    const line = misbehaving([half, more], 7);
    for (let id = 0; id < 64; id++) {
      line.server({ ...OTHER, id });
      line.clock.advance(1);
    }
    expect(line.arrived()).toEqual(fates([half], 7));
  });
});

it('several rules meet a message in their order, each as the one before left it', () => {
  const line = misbehaving([
    patch({ merge: { id: 5 } }),
    duplicate(),
    { fault: wrongId({ id: 'other-type' }), when: { nth: 2 } },
    { fault: junk({ text: '-' }), when: { at: { '/id': '5' } } },
  ]);
  line.server(OTHER);
  expect(line.arrived()).toEqual([came('server', { ...OTHER, id: 5 }), '← -\n', came('server', { ...OTHER, id: '5' })]);
});

it('the journal names the message itself, however long another rule has held it, and whatever one has made of it', () => {
  const first = { nth: 1 };
  const line = misbehaving([
    { fault: latency({ delay: 50 }), when: first },
    { fault: patch({ merge: { more: 1 } }), when: first },
    { fault: junk(), when: first },
  ]);
  line.server(ANSWER, OTHER, OTHER);
  line.clock.advance(50);
  expect(line.journal.map(({ fault, message }) => [fault, message])).toEqual([
    ['latency', 1],
    ['patch', 1],
    ['junk', 1],
  ]);
});

it('the journal has every rule that fired, on which message', () => {
  const line = misbehaving([
    { fault: drop(), when: { tool: 'add' } },
    { fault: drop(), when: { tool: 'none' } },
    { fault: junk(), when: { from: 'client' }, times: 1 },
  ]);
  line.client(CALL);
  line.server(OTHER, ANSWER);
  expect(line.journal).toEqual([
    { rule: 3, fault: 'junk', from: 'client', message: 1, method: 'tools/call', id: 1 },
    { rule: 1, fault: 'drop', from: 'server', message: 2, method: 'tools/call', id: 1 },
  ]);
  expect(line.traffic.unfired).toEqual([{ rule: 2 }]);
});

it('nothing passes after the end, and nothing is held', () => {
  const line = misbehaving([latency({ delay: 5 })]);
  line.server(ANSWER);
  line.traffic.stop();
  line.server(OTHER);
  line.clock.advance(100);
  expect(line.arrived()).toEqual([]);
});

describe('"nth" of a later rule counts a message that an earlier rule', () => {
  const call = (id: number) => ({ ...CALL, id });
  const reply = (id: number) => ({ jsonrpc: '2.0', id, result: {} });
  const firings = (rules: readonly Rule[]) => {
    const line = misbehaving(rules);
    for (const id of [1, 2, 3, 4, 5]) {
      line.client(call(id));
      line.server(reply(id));
    }
    line.clock.advance(1_000);
    return line.journal.map(({ rule, id }) => [rule, id]);
  };

  it.each<[what: string, first: Fault, from: When]>([
    ['answered', errorReply(), { kind: 'request', from: 'client' }],
    ['dropped on its way to the server', drop(), { from: 'client' }],
    ['dropped on its way to the client', drop(), {}],
    ['replaced', errorReply(), {}],
    ['delays', latency({ delay: 50 }), {}],
    ['copies', duplicate(), {}],
    ['changes', patch({ merge: { more: 1 } }), {}],
  ])('%s', (_, first, from) => {
    const when = { method: 'tools/call', ...from };
    expect(
      firings([
        { fault: first, when: { ...when, nth: 1 } },
        { fault: junk(), when: { ...when, nth: 3 } },
      ]).filter(([rule]) => rule === 2),
    ).toEqual([[2, first.kind.name === 'duplicate' ? 2 : 3]]);
  });

  it('took at the same place, which is the reason if the rule never fires', () => {
    const line = misbehaving([1, 2].map(() => ({ fault: drop(), when: { nth: 1 } })));
    line.client(CALL);
    line.server(ANSWER);
    expect(line.traffic.unfired).toEqual([{ rule: 2, why: 'an earlier rule took the message' }]);
  });
});
