import { describe, expect, it } from 'vitest';
import type { FaultCase } from '../../../src/sweep/client/fault-cases.ts';
import { happenedOf, rulesFileOf } from '../../../src/sweep/client/fault-cases.ts';
import {
  drawFaultPairs,
  type JudgedPair,
  PAIR_VERDICTS,
  faultPair as pairOf,
} from '../../../src/sweep/client/two-faults-per-run.ts';
import type { Verdict } from '../../../src/sweep/client/verdict.ts';
import { countsText } from '../../../src/sweep/grid-text.ts';
import {
  judgedPairs as judgedWith,
  judgePairs as judgeWith,
  membersOf as membersWith,
} from '../../../src/sweep/judge-two-fault-runs.ts';

const one = (name: string, rest: Partial<FaultCase> = {}): FaultCase => {
  const [fault, message] = name.split('@') as [string, string];
  return { name, fault, message: Number(message), line: 10 * Number(message), title: `message ${message}`, ...rest };
};
const CASES = ['drop', 'cut', 'junk'].flatMap((fault) => [1, 2, 3].map((message) => one(`${fault}@${message}`)));
const drawPairs = (...args: Parameters<typeof drawFaultPairs>) => {
  const { pairs, of } = drawFaultPairs(...args);
  return { pairs: pairs.map(([first, second]) => pairOf(first, second, args[0])), of };
};
type Judged = Pick<JudgedPair, 'point' | 'verdict' | 'first'> & { why?: string };
const membersOf = (results: readonly Judged[]) => membersWith<FaultCase, Verdict>(results, PAIR_VERDICTS);
const judgePairs = (results: readonly Judged[], alone: readonly Judged[]) =>
  judgeWith<FaultCase, Verdict, Judged>(results, alone, PAIR_VERDICTS);
const judgedPairs = (results: readonly Judged[], runAlone: (cases: readonly FaultCase[]) => Promise<Judged[]>) =>
  judgedWith<FaultCase, Verdict, Judged>(results, PAIR_VERDICTS, runAlone);
const names = (cases: readonly FaultCase[]) => cases.map(({ name }) => name);

describe('pairs', () => {
  it('have the second fault later, after one that does not end the session', () => {
    const { pairs, of } = drawPairs(CASES, { count: 1_000, seed: 1 });
    expect([pairs.length, of]).toEqual([18, 18]);
    expect(names(pairs).slice(0, 4)).toEqual(['drop@1+cut@2', 'drop@1+drop@2', 'drop@1+junk@2', 'junk@1+cut@2']);
    expect(pairs.some(({ pair }) => pair!.cases[0].fault === 'cut')).toBe(false);
    expect(pairs.every(({ pair }) => pair!.cases[0].message < pair!.cases[1].message)).toBe(true);
  });

  it('are drawn by a seed, each once', () => {
    const drawn = (seed: number) => names(drawPairs(CASES, { count: 6, seed }).pairs);
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
    expect(new Set(drawn(3)).size).toBe(6);
  });

  const lost = (name: string, method: string) =>
    one(name, { loses: { request: { method, at: { '/params/of': name } }, answered: { method } } });

  it('have both faults as rules, before those that watch for each answer that may be lost', () => {
    const [first, second] = [lost('drop@1', 'a'), lost('drop@2', 'b')];
    const pair = pairOf(first, one('junk@2'), [first, second, first]);
    expect(pair).toMatchObject({
      name: 'drop@1+junk@2',
      title: 'message 1, then message 2',
      line: 10,
    });
    expect(rulesFileOf(pair)).toEqual({
      seed: 1,
      faults: [
        { do: 'drop', when: { from: 'server', line: 10, nth: 1 }, times: 1 },
        { do: 'junk', when: { from: 'server', line: 20, nth: 1 }, times: 1 },
        ...[first, second].flatMap(({ loses }) => [
          { do: 'observe', when: loses!.request },
          { do: 'observe', when: loses!.answered },
        ]),
      ],
    });
  });

  /** Rules 1 and 2 drop, 3 and 4 watch the first request and its answer, 5 and 6 the second. */
  const ends = [lost('drop@1', 'a'), lost('drop@2', 'b')] as const;
  const dropped = pairOf(...ends, ends);
  const said = (rule: number, method: string, id: number) => ({ rule, method, id });

  it.each([
    ['neither', [], false],
    ['the first', [said(3, 'a', 1), said(1, 'a', 1)], false],
    ['both', [said(3, 'a', 1), said(1, 'a', 1), said(5, 'b', 2), said(2, 'b', 2)], true],
  ])('happened where %s did', (_, journal, fired) => {
    expect(happenedOf(dropped, journal).fired).toBe(fired);
  });

  it.each([
    ['both asked again, and got it', [3, 1, 3, 4, 5, 2, 5, 6], false],
    ['the first did not ask again', [3, 1, 5, 2, 5, 6], true],
    ['the second did not ask again', [3, 1, 3, 4, 5, 2], true],
  ])('lose both answers: %s', (_, rules, isAnswerLost) => {
    const journal = rules.map((rule, n) =>
      said(rule, [1, 3, 4].includes(rule) ? 'a' : 'b', [1, 2].includes(rule) ? n - 1 : n),
    );
    expect(happenedOf(dropped, journal).isAnswerLost).toBe(isAnswerLost);
  });

  it('lose the answer to a request that is asked again, if that takes the place of a later one', () => {
    const again = [
      said(3, 'a', 1),
      said(1, 'a', 1),
      said(3, 'a', 2),
      said(2, 'a', 2),
      said(5, 'b', 3),
      said(6, 'b', 3),
    ];
    expect(happenedOf(dropped, again)).toEqual({ fired: true, isAnswerLost: true });
    expect(happenedOf(dropped, [...again, said(3, 'a', 4), said(4, 'a', 4)]).isAnswerLost).toBe(false);
  });

  it('lose an answer at a message that was a notification in the cassette', () => {
    const moved = pairOf(one('drop@1'), one('drop@2'), ends);
    expect(happenedOf(moved, [said(3, 'a', 1), said(1, 'a', 1), said(2, 'x', 9)]).isAnswerLost).toBe(true);
  });

  it('lose no answer where the second fault is at a request of the server with the same id', () => {
    const journal = [
      said(3, 'a', 1),
      said(1, 'a', 1),
      said(3, 'a', 2),
      said(4, 'a', 2),
      said(2, 'sampling/createMessage', 2),
    ];
    expect(happenedOf(dropped, journal)).toEqual({ fired: true, isAnswerLost: false });
  });
});

describe('a bad pair', () => {
  const pair = (verdict: 'crashed' | 'passed' | 'unreached', first = 'drop@1', second = 'junk@2') => ({
    point: pairOf(one(first), one(second), []),
    verdict,
  });

  it('is a finding where neither fault alone is bad', () => {
    const results = [
      pair('crashed'),
      pair('crashed', 'junk@1', 'junk@3'),
      pair('passed', 'drop@1', 'cut@2'),
      pair('unreached'),
    ];
    expect(names(membersOf(results))).toEqual(['drop@1', 'junk@2', 'junk@1', 'junk@3']);
    const judged = judgePairs(results, [
      { point: one('drop@1'), verdict: 'reported' },
      { point: one('junk@2'), verdict: 'passed' },
      { point: one('junk@1'), verdict: 'passed' },
      { point: one('junk@3'), verdict: 'hung' },
    ]);
    expect(judged.map(({ verdict }) => verdict)).toEqual(['crashed', 'single', 'passed', 'unreached']);
    expect(judged[1]).toMatchObject({ why: 'junk@3 alone is hung' });
  });

  it('is a finding where a fault alone did not happen, which explains nothing', () => {
    const alone = [{ point: one('drop@1'), verdict: 'unreached' as const }];
    expect(judgePairs([pair('crashed')], alone).map(({ verdict }) => verdict)).toEqual(['crashed']);
  });
});

describe('a fault that is bad alone', () => {
  type Alone = { point: FaultCase; verdict: Verdict };
  const result = ({ point, verdict }: Alone, first?: Verdict) => ({
    point,
    verdict,
    ...(first && { first }),
    duration: 1,
    stderrTail: '',
  });
  const lies = pairOf(one('drop@1'), one('junk@2'), []);
  const liesAgain = pairOf(one('drop@1'), one('junk@3'), []);
  const crashes = pairOf(one('drop@1'), one('cut@2'), []);
  const runAlone = (verdicts: Record<string, Verdict>) => async (cases: readonly FaultCase[]) =>
    cases.map((point) => result({ point, verdict: verdicts[point.name] ?? 'passed' }));

  it('is a finding itself, once, and its pairs are none', async () => {
    const results = [lies, liesAgain, crashes].map((point) => result({ point, verdict: 'lied' }));
    const judged = await judgedPairs(results, runAlone({ 'drop@1': 'lied' }));
    expect(judged.map(({ point, verdict }) => `${verdict} ${point.name}`)).toEqual([
      'lied drop@1',
      'single drop@1+junk@2',
      'single drop@1+junk@3',
      'single drop@1+cut@2',
    ]);
    expect(countsText(judged, PAIR_VERDICTS)).toBe('0 good, 1 bad (1 lied), 3 single');
  });

  it('is a finding where the client ended badly before the second fault', async () => {
    const results = [
      result({ point: lies, verdict: 'unreached' }, 'hung'),
      result({ point: crashes, verdict: 'passed' }),
    ];
    const judged = await judgedPairs(results, runAlone({ 'drop@1': 'hung' }));
    expect(judged.map(({ verdict }) => verdict)).toEqual(['hung', 'single', 'passed']);
    expect(names(membersOf(results))).toEqual(['drop@1']);
  });

  it('is none where it is good alone, or where the client gave up at it', async () => {
    const first = [result({ point: lies, verdict: 'unreached' }, 'hung')];
    expect((await judgedPairs(first, runAlone({}))).map(({ verdict }) => verdict)).toEqual(['unreached']);
    const gaveUp = [result({ point: lies, verdict: 'unreached' })];
    const never = () => Promise.reject(new Error('it has run something'));
    expect((await judgedPairs(gaveUp, never)).map(({ verdict }) => verdict)).toEqual(['unreached']);
  });
});
