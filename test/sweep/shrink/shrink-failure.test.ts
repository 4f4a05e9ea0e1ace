import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import type { FailingProgram, Observation } from '../../../src/sweep/shrink/same-failure.ts';
import type { BudgetLimit } from '../../../src/sweep/shrink/shrink-budget.ts';
import { type Shrunk, shrinkFailure } from '../../../src/sweep/shrink/shrink-failure.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';

const answer = (id: number, result: object) => server({ jsonrpc: '2.0', id, result });
const CALLS = 20;
/** A session with twenty calls. The answer of call `n` is event `4 + 2 * n`. */
const session = cassette(
  client(
    request(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }),
  ),
  answer(0, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
  client(notification('initialized')),
  ...Array.from({ length: CALLS }, (_, n) => [
    client(call(n + 1, `call-${n}`, { text: 'a text that is longer than needed' })),
    answer(n + 1, { content: [{ type: 'text', text: `the answer to call-${n}, at some length` }] }),
  ]).flat(),
);
const lineOf = (n: number) => 5 + 2 * n;

const HUNG: Observation = {
  point: 'stall@1',
  title: 't',
  verdict: 'hung',
  isBad: true,
  cause: 'it hangs',
  stderrTail: '',
};
const GOOD: Observation = { ...HUNG, verdict: 'passed', isBad: false };

/** Texts of a cassette, and what a program of a test does with them. */
const textOf = ({ events }: Cassette) =>
  events.map(({ frame }) => (frame.kind === 'message' ? frame.json.text : '')).join('\n');

interface Tried {
  fails(text: string, run: number): Observation | undefined;
  endsWell?(text: string): boolean;
  line?: number;
  budget?: BudgetLimit;
  found?(shrunk: Shrunk): void;
  expected?(time: number): void;
}

async function shrunk({ fails, endsWell, line = lineOf(7), budget = { runs: 500 }, found, expected }: Tried) {
  const attempts: string[] = [];
  const clock = new ManualClock();
  const program: FailingProgram = {
    async attempt(played) {
      const text = textOf(played);
      attempts.push(text);
      clock.advance(1_000);
      return fails(text, attempts.length);
    },
    ...(endsWell && {
      failureWithoutFaults: async (played: Cassette) => (endsWell(textOf(played)) ? undefined : 'it ended with 1'),
    }),
  };
  const result = await shrinkFailure({
    cassette: session,
    lines: [line],
    program,
    budget,
    clock,
    ...(found && { found }),
    ...(expected && { expected }),
  });
  return { ...result, attempts, left: textOf(result.cassette) };
}

describe('a failure', () => {
  it('is shrunk to the handshake, the message, and what else is needed', async () => {
    const needs = (text: string) => text.includes('"call-2"') && text.includes('"call-13"');
    const { messages, left, messagesBefore, attempts, runs, isCutShort } = await shrunk({
      fails: (text) => (needs(text) ? HUNG : GOOD),
    });
    expect([messages, messagesBefore, isCutShort]).toEqual([9, 43, false]);
    expect([...left.matchAll(/call-\d+/g)].map(([name]) => name)).toEqual(['call-2', 'call-7', 'call-13']);
    expect(runs).toBe(attempts.length);
    // The last three runs had the same cassette.
    expect(new Set(attempts.slice(-3))).toEqual(new Set([left]));
  });

  it('has smaller messages, as far as they do not matter', async () => {
    const { left } = await shrunk({ fails: (text) => (text.includes('the answer to call-7') ? HUNG : GOOD) });
    expect(left).toContain('the answer to call-7');
    expect(left).not.toContain('at some length, at');
    expect(left).toContain('"arguments":{}');
  });

  it('is announced with about the longest time that the search and its last runs take', async () => {
    const times: number[] = [];
    const expected = (time: number) => void times.push(time);
    await shrunk({ fails: () => HUNG, budget: { runs: 10 }, expected });
    await shrunk({ fails: () => HUNG, budget: { time: 60_000 }, expected });
    // Each run takes a second. The last one of a search may begin just before its time is over.
    expect(times).toEqual([13_000, 64_000]);
  });

  it('is the same for equal programs', async () => {
    const fails = (text: string) => (text.includes('"call-11"') ? HUNG : GOOD);
    expect(await shrunk({ fails })).toEqual(await shrunk({ fails }));
  });

  it('of another cause is not taken for it', async () => {
    const other = { ...HUNG, cause: 'it hangs elsewhere' };
    const { left } = await shrunk({ fails: (text) => (text.includes('"call-2"') ? HUNG : other) });
    expect(left).toContain('"call-2"');
  });

  it('of a point that was not reached is not taken for it', async () => {
    const unreached = { ...HUNG, verdict: 'unreached' };
    const { left } = await shrunk({ fails: (text) => (text.includes('"call-2"') ? HUNG : unreached) });
    expect(left).toContain('"call-2"');
  });

  it('of a client that fails without the fault, too, is not taken for it', async () => {
    const asked: string[] = [];
    const { left, messages } = await shrunk({
      fails: () => HUNG,
      endsWell(text) {
        asked.push(text);
        return text.includes('"call-2"') && text.includes('"call-19"');
      },
    });
    // A mended client goes on after the message, and needs what the failing one needs without the fault.
    expect([...left.matchAll(/call-\d+/g)].map(([name]) => name)).toEqual(['call-2', 'call-7', 'call-19']);
    expect(messages).toBe(9);
    expect(asked.length).toBeGreaterThan(0);
  });

  it('takes the long run of a client that hangs only with what ends well without the fault', async () => {
    const runsOf = async (verdict: string) => {
      const failure = { ...HUNG, verdict };
      // Only the whole cassette ends well, so that each smaller one is in vain.
      const { attempts, messages } = await shrunk({ fails: () => failure, endsWell: () => false, line: lineOf(19) });
      expect(messages).toBe(43);
      return attempts.length;
    };
    // Two runs at first, one of the cassette as it would be written, and three at last.
    expect(await runsOf('hung')).toBe(6);
    expect(await runsOf('crashed')).toBeGreaterThan(6);
  });

  it('is found as far as the runs or the time of the budget last, and is confirmed', async () => {
    const fails = (text: string) => (['"call-2"', '"call-13"'].every((one) => text.includes(one)) ? HUNG : GOOD);
    for (const budget of [{ runs: 6 }, { time: 6_000 }]) {
      const { messages, isCutShort, runs } = await shrunk({ fails, budget });
      expect(messages).toBeGreaterThan(9);
      expect(messages).toBeLessThan(43);
      expect([isCutShort, runs]).toEqual([true, 2 + 6 + 3]);
    }
  });

  it('is told of with each smaller cassette', async () => {
    const told: number[] = [];
    await shrunk({
      fails: (text) => (text.includes('"call-2"') ? HUNG : GOOD),
      found: ({ messages }) => void told.push(messages),
    });
    expect(told.at(-1)).toBe(7);
    expect(told).toEqual([...told].sort((one, other) => other - one));
  });

  it('that nothing smaller has is the whole cassette', async () => {
    const { messages, isCutShort } = await shrunk({
      fails: (text) => (text.length >= textOf(session).length ? HUNG : GOOD),
      budget: { runs: 400 },
    });
    expect([messages, isCutShort]).toEqual([43, false]);
  });
});

describe('what is no failure', () => {
  it.each([
    ['that passes', () => GOOD, 'SHRINK_NO_FAILURE', 'its verdict is passed'],
    [
      'that is not reached',
      () => ({ ...HUNG, verdict: 'unreached', why: 'it ended' }),
      'SHRINK_NO_FAILURE',
      'since it ended',
    ],
    ['that has no message', () => undefined, 'SHRINK_NO_FAILURE', 'does not fail'],
    ['that fails once', (_: string, run: number) => (run === 1 ? HUNG : GOOD), 'SHRINK_NOT_REPEATED', 'it is passed'],
    [
      'whose server cannot start again',
      (_: string, run: number) => (run === 1 ? HUNG : undefined),
      'SHRINK_NOT_REPEATED',
      'nothing of that kind',
    ],
  ])('is a point %s', async (_, fails, code, why) => {
    const error = await shrunk({ fails }).catch((thrown) => thrown);
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(why)]);
  });

  it('is one that does not repeat at the end: it is not shrunk', async () => {
    let last = '';
    let same = 0;
    const fails = (text: string) => {
      same = text === last ? same + 1 : 0;
      last = text;
      // The second of the last three runs passes.
      return same === 2 ? GOOD : HUNG;
    };
    const error = await shrunk({ fails }).catch((thrown) => thrown);
    expect([error.code, error.message]).toEqual(['SHRINK_NOT_REPEATED', expect.stringContaining('at the end')]);
  });
});
