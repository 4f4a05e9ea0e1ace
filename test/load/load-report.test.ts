import { expect, it } from 'vitest';
import { junitOutcome } from '../../src/load/load-junit.ts';
import { type LoadResult, type LoadRun, loadJson, loadOutcome, loadText } from '../../src/load/load-report.ts';
import { LoadStats } from '../../src/load/load-stats.ts';
import { checkThreshold, parseThreshold } from '../../src/load/threshold.ts';
import { failedSteps, type Step } from '../../src/text-report/outcome-model.ts';

const KEPT = {
  started: 0,
  late: 0,
  lateWithFreeClients: 0,
  delayMax: 0,
  missed: 0,
  missedWithFreeClients: 0,
  period: 60_000,
};
const RUN: LoadRun = {
  ...{ version: '1.2.0', date: '2026-11-29T04:12:00.000Z', url: 'http://127.0.0.1:3000/mcp' },
  ...{ clients: 20, for: 60_000, ramp: 0, workers: 1, cores: 1 },
};
const DIFFERS = { status: 'failed', headline: 'differs', recorded: 'sunny', live: 'snow' } as const;

const atSecond = (second: number) => ({ answers: new Map<number, number>(), end: second * 1_000 });

/** 1,200 sessions in a minute, of which the first `wrong` have a wrong answer. */
function load(wrong: number, thresholds: readonly string[] = []): LoadResult {
  const stats = new LoadStats();
  for (let n = 1; n <= 1_200; n++) {
    const step: Step = {
      title: 'tools/call "weather"',
      line: 7,
      status: 'passed',
      duration: 8,
      ...(n <= wrong && DIFFERS),
    };
    stats.add(n, { title: '', file: 'a.yaml', steps: [step], notes: ['a note'], duration: 1 }, atSecond(n / 20));
  }
  const titles = ['tools/call "weather"'];
  return {
    run: RUN,
    files: ['a.yaml'],
    stats,
    arrivals: { ...KEPT, started: 1_200 },
    thresholds: thresholds.map((text) => checkThreshold(parseThreshold(text, { titles }), stats, 60_000)),
    duration: 60_000,
    processDelay: 4,
    undetected: [],
  };
}

it('has a line for each kind of request', () => {
  expect(loadText(load(3))).toEqual([
    'load of a.yaml: 1,200 sessions (3 failed), 1,200 answers in 60.0 s (20/s)',
    '',
    'answers  failed  p50 ms  p95 ms  p99 ms  max ms  what',
    '  1,200       3     8.0     8.0     8.0     8.0  tools/call "weather"',
    '',
  ]);
});

it('notes a few things of sessions, and the most important ones last', () => {
  const result = load(0);
  for (let n = 0; n < 20; n++)
    result.stats.add(n, { title: '', file: 'a.yaml', steps: [], notes: [`note ${n}`], duration: 1 }, atSecond(1));
  const { notes } = loadOutcome(result);
  expect(notes.slice(0, 6)).toEqual([
    'a note',
    'note 0',
    'note 1',
    'note 2',
    'note 3',
    'And 16 more notes of sessions.',
  ]);
  expect(notes.at(-1)).toMatch(/^None of .* certainty/);
});

it('notes how rare a mistake may be that it did not see, by the tool with the fewest calls', () => {
  const certain =
    'None of 1,200 answers to tools/call "weather" was wrong. With 95 % certainty, fewer than 1 in 400 are: a rarer mistake needs more calls.';
  const result = load(0);
  expect(loadOutcome(result).notes).toContain(certain);
  expect(loadJson(result).notes).toContain(certain);
  const step: Step = { title: 'tools/call "rare"', line: 9, status: 'passed', duration: 8 };
  for (let n = 0; n < 30; n++)
    result.stats.add(n, { title: '', file: 'a.yaml', steps: [step], notes: [], duration: 1 }, atSecond(1));
  expect(loadOutcome(result).notes.join()).toContain(
    'None of 30 answers to tools/call "rare" was wrong. With 95 % certainty, fewer than 1 in 10 are',
  );
  expect(loadOutcome(load(1)).notes.join()).not.toContain('certainty');
  expect(loadOutcome(load(1, ['failed<5'])).notes.join()).not.toContain('certainty');
});

it('fails by any difference, and says how often and where first', () => {
  const { steps, notes } = loadOutcome(load(3));
  expect(steps).toEqual([
    expect.objectContaining({ line: 7, live: 'snow', headline: 'differs (3 times, first in session 1 of 1,200)' }),
  ]);
  expect(notes).toEqual(['a note']);
  expect(loadOutcome(load(0)).steps).toEqual([
    { title: '1,200 answers, notifications and ends are as recorded', status: 'passed' },
  ]);
});

it('says how many failures it does not list', () => {
  const result = load(0);
  for (let n = 0; n < 120; n++) {
    const step: Step = { title: 'ping', status: 'failed', headline: 'x'.repeat(n) };
    result.stats.add(n, { title: '', file: 'a.yaml', steps: [step], notes: [], duration: 1 }, atSecond(60));
  }
  expect(loadOutcome(result).steps.at(-1)).toEqual({
    title: 'answers, notifications and ends are as recorded',
    status: 'failed',
    headline: '120 of 1,320 are not, 20 of them of kinds that are not listed',
  });
});

it('lets a threshold say how many may fail, and tells of them', () => {
  const { steps, notes } = loadOutcome(load(3, ['failed<1%', 'p95<5ms']));
  expect(steps).toEqual([
    { title: 'failed<1%: it is 0.25 %', status: 'passed' },
    { title: 'p95<5ms', status: 'failed', headline: 'it is 8.0 ms' },
  ]);
  expect(notes).toContain('tools/call "weather": differs (3 times, first in session 1 of 1,200)');
  const tooMany = load(30, ['failed<1%']);
  expect(failedSteps(loadOutcome(tooMany)).map(({ headline }) => headline)).toEqual([
    'differs (30 times, first in session 1 of 1,200)',
    'it is 2.5 %',
  ]);
  expect(junitOutcome(tooMany)).toEqual(loadOutcome(tooMany));
});

it('fails where sessions of a rate never started, and notes those that started late', () => {
  const arrivals = { ...KEPT, started: 9, late: 4, delayMax: 250, missed: 2 };
  const { steps, notes } = loadOutcome({ ...load(0), arrivals });
  expect(steps.at(-1)).toEqual({
    title: 'the rate',
    status: 'failed',
    headline:
      '2 of 11 sessions never started, because all clients were busy. Allow more with --clients, or ask for less',
  });
  expect(notes[1]).toBe(
    '4 sessions started late, by up to 250 ms, because all clients were busy. Allow more with --clients.',
  );
  const late = loadOutcome({ ...load(0), arrivals: { ...arrivals, missed: 0 } });
  expect(failedSteps(late)).toEqual([]);
});

it('says that the process was late itself where clients were free', () => {
  const own = { late: 4, lateWithFreeClients: 4, delayMax: 250, missed: 873, missedWithFreeClients: 873 };
  const { steps, notes } = loadOutcome({ ...load(0), arrivals: { ...KEPT, started: 127, period: 500, ...own } });
  expect(steps.at(-1)!.headline).toBe(
    '873 of 1,000 sessions never started, because this process was late itself. At most 254 sessions a second started here. Divide the rate among several machines, or ask for a lower one',
  );
  expect(notes[1]).toBe(
    '4 sessions started late, by up to 250 ms, because this process was late itself. Their times contain its own. Ask for a lower rate.',
  );
});

it('advises to use cores that no worker uses', () => {
  const own = { started: 127, lateWithFreeClients: 4, missed: 873, missedWithFreeClients: 873 };
  const run = { ...RUN, workers: 2, cores: 8 };
  const { steps, notes } = loadOutcome({
    ...load(0),
    run,
    processDelay: 1_544,
    arrivals: { ...KEPT, ...own, late: 4, delayMax: 250, period: 500 },
  });
  expect(steps.at(-1)!.headline).toMatch(/Use more cores of this machine \(--workers 8\), or ask for a lower one$/);
  expect(notes[1]).toMatch(/Use more cores of this machine \(--workers 8\), or ask for a lower rate\.$/);
  expect(notes[2]).toMatch(/Use more cores of this machine \(--workers 8\), or use fewer clients\.$/);
});

it('names both causes where both held sessions back', () => {
  const both = { late: 4, lateWithFreeClients: 1, delayMax: 250, missed: 8, missedWithFreeClients: 6 };
  const { steps, notes } = loadOutcome({ ...load(0), arrivals: { ...KEPT, started: 12, period: 500, ...both } });
  expect(steps.at(-1)!.headline).toBe(
    '8 of 20 sessions never started: 2 because all clients were busy, 6 because this process was late itself. At most 24 sessions a second started here. Divide the rate among several machines, or ask for a lower one',
  );
  expect(notes[1]).toBe(
    '4 sessions started late, by up to 250 ms: 3 because all clients were busy, 1 because this process was late itself. Their times contain its own. Ask for a lower rate.',
  );
});

it('is JSON with all figures', () => {
  expect(JSON.parse(JSON.stringify(loadJson(load(1, ['rate>1']))))).toMatchObject({
    run: { version: '1.2.0', date: '2026-11-29T04:12:00.000Z', clients: 20, for: 60_000, ramp: 0 },
    files: ['a.yaml'],
    sessions: 1_200,
    failedSessions: 1,
    answers: 1_200,
    failed: 1,
    started: 1_200,
    calls: [{ what: 'tools/call "weather"', answers: 1_200, failed: 1, took: { p99: expect.closeTo(8, 1) } }],
    intervals: { 0: { at: 0, duration: 1_000, answers: 19, failed: 1, sessions: 19 }, length: 60 },
    failures: [{ count: 1, session: 1, step: { line: 7, live: 'snow' } }],
    thresholds: [{ text: 'rate>1', holds: true, actual: 20 }],
  });
});

it('says that its own process was late, and that all sessions send the same values', () => {
  expect(loadOutcome({ ...load(0), processDelay: 1_544, undetected: ['same values'] }).notes).toEqual([
    'a note',
    expect.stringMatching(/^This process was late itself: it often read answers 1,544 ms after/),
    expect.stringMatching(/^None of 1,200 answers/),
    'same values',
  ]);
});

it('lets no threshold of streams excuse a wrong answer', () => {
  const result = load(3, ['lostStreams<=0']);
  result.stats.addStreams({ lost: 1, resumed: 1 });
  const { steps } = loadOutcome({
    ...result,
    thresholds: result.thresholds.map((threshold) => checkThreshold(threshold, result.stats, 60_000)),
  });
  expect(steps.map(({ title, status, headline }) => [title, status, headline])).toEqual([
    ['tools/call "weather"', 'failed', 'differs (3 times, first in session 1 of 1,200)'],
    ['lostStreams<=0', 'failed', 'it is 1'],
  ]);
});

/** A load with a slow kind of requests after a fast one, and one without an answer. */
function mixed(run: Partial<LoadRun> = {}): LoadResult {
  const result = load(0);
  const step = (title: string, rest: Partial<Step>): Step => ({ title, status: 'passed', ...rest });
  const steps = [step('tools/call "search"', { duration: 300 }), step('the end', { status: 'failed' })];
  result.stats.add(1, { title: '', file: 'a.yaml', steps, notes: [], duration: 1 }, atSecond(1));
  return { ...result, run: { ...RUN, ...run } };
}

it('lists the slowest kind of requests first, and one without times last', () => {
  const kinds = ['tools/call "search"', 'tools/call "weather"', 'the end'];
  expect(loadJson(mixed()).calls.map(({ what }) => what)).toEqual(kinds);
  const rows = loadText(mixed()).slice(3, 6);
  expect(rows.map((row, index) => row.endsWith(kinds[index]!))).toEqual([true, true, true]);
});

it('says that clients that wait for each other do not show the slowest tool', () => {
  const note = expect.stringMatching(/^With --clients, times include the wait .* use a low --rate\.$/);
  expect(loadJson(mixed()).notes).toContainEqual(note);
  expect(loadJson(mixed({ rate: 5 })).notes).not.toContainEqual(note);
  expect(loadJson(mixed({ clients: 1 })).notes).not.toContainEqual(note);
  // A single kind of requests is not compared with another.
  expect(loadJson(load(0)).notes).not.toContainEqual(note);
});

it('advises a lower rate only where the rate made the process late', () => {
  const noteOf = (own: Partial<LoadResult['arrivals']>) =>
    loadOutcome({ ...load(0), arrivals: { ...KEPT, started: 100, delayMax: 25, ...own } }).notes[1];
  expect(noteOf({ late: 1, lateWithFreeClients: 1 })).toBe(
    '1 session started late, by 25 ms, because this process was late itself. Its times contain its own. Other work on this machine may be the cause.',
  );
  expect(noteOf({ late: 5, lateWithFreeClients: 5 })).toContain('Ask for a lower rate.');
  expect(noteOf({ late: 1, lateWithFreeClients: 1, missed: 1, missedWithFreeClients: 1 })).toContain('a lower rate.');
  expect(noteOf({ late: 1 })).toBe(
    '1 session started late, by 25 ms, because all clients were busy. Allow more with --clients.',
  );
});

it('has the failures that a threshold limits as skipped tests for JUnit', () => {
  const [failure, threshold, ...rest] = junitOutcome(load(3, ['failed<1%'])).steps;
  expect(failure).toMatchObject({
    title: 'tools/call "weather"',
    status: 'skipped',
    headline: 'differs (3 times, first in session 1 of 1,200): counted by failed<1%',
  });
  expect(threshold).toMatchObject({ title: 'failed<1%: it is 0.25 %', status: 'passed' });
  expect(rest).toEqual([]);
  expect(junitOutcome(load(3))).toEqual(loadOutcome(load(3)));
});
