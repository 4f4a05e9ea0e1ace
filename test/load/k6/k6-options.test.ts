import { describe, expect, it } from 'vitest';
import { type K6OptionsInput, k6Options, requestTags } from '../../../src/load/k6/k6-options.ts';
import { parseThreshold } from '../../../src/load/threshold.ts';

const TITLES = ['tools/list', 'tools/call "weather"'];

function optionsOf(rest: Partial<K6OptionsInput> = {}, ...thresholds: string[]) {
  return k6Options({
    clients: 20,
    duration: 60_000,
    ramp: 0,
    patience: 10_000,
    steps: 4,
    tags: requestTags(TITLES),
    thresholds: thresholds.map((text) => parseThreshold(text, { titles: TITLES })),
    ...rest,
  }) as { scenarios: { mcp: object }; thresholds: Record<string, string[]> };
}

describe('the scenario', () => {
  it.each([
    ['clients', {}, { executor: 'constant-vus', vus: 20, duration: '60s' }],
    [
      'clients that start one after the other',
      { ramp: 10_000 },
      {
        executor: 'ramping-vus',
        startVUs: 1,
        stages: [
          { duration: '10s', target: 20 },
          { duration: '50s', target: 20 },
        ],
      },
    ],
    [
      'a rate',
      { rate: 50 },
      {
        executor: 'constant-arrival-rate',
        rate: 50,
        timeUnit: '1s',
        duration: '60s',
        preAllocatedVUs: 20,
        maxVUs: 20,
      },
    ],
    ['a part of a session a second', { rate: 0.25 }, { rate: 1, timeUnit: '4s' }],
    ['a rate with a part', { rate: 2.5 }, { rate: 5, timeUnit: '2s' }],
    [
      'a rate that grows',
      { rate: 8, ramp: 500, duration: 1_500 },
      {
        executor: 'ramping-arrival-rate',
        startRate: 0,
        timeUnit: '1s',
        stages: [
          { duration: '500ms', target: 8 },
          { duration: '1s', target: 8 },
        ],
      },
    ],
    [
      'a ramp that is longer than the load',
      { ramp: 120_000 },
      { executor: 'ramping-vus', stages: [{ duration: '60s', target: 10 }] },
    ],
  ])('has %s', (_, rest, scenario) => {
    expect(optionsOf(rest).scenarios.mcp).toMatchObject(scenario);
  });

  it('lets sessions end that are under way', () => {
    expect(optionsOf().scenarios.mcp).toMatchObject({ gracefulStop: '50s' });
    expect(optionsOf({ steps: 10_000 }).scenarios.mcp).toMatchObject({ gracefulStop: '600s' });
  });
});

describe('the thresholds', () => {
  it.each([
    ['p95<200ms', { mcp_answer_time: ['p(95)<200'] }],
    ['p99.9<=1s', { mcp_answer_time: ['p(99.9)<=1000'] }],
    ['mean<50', { mcp_answer_time: ['avg<50'] }],
    [
      'weather:max<5s',
      {
        'mcp_answer_time{request:tools/call weather}': ['max<5000'],
        'mcp_answers{request:tools/call weather}': ['count>0'],
      },
    ],
    ['rate>100/s', { mcp_answers: ['count>0', 'rate>100'] }],
    ['failed<0.1%', { mcp_failed: ['rate<0.001'] }],
    ['failed<=3', { mcp_failures: ['count<=3'] }],
  ])('have %s', (text, expected) => {
    expect(optionsOf({}, text).thresholds).toMatchObject(expected);
  });

  it('fail any difference, unless one says how many may fail, and a load that had no answer', () => {
    expect(optionsOf().thresholds).toEqual({ mcp_answers: ['count>0'], mcp_failed: ['rate==0'] });
    expect(optionsOf({}, 'failed<=3').thresholds).not.toHaveProperty('mcp_failed');
  });

  it('fail sessions of a rate that never started', () => {
    expect(optionsOf({ rate: 5 }).thresholds).toMatchObject({ dropped_iterations: ['count==0'] });
  });
});

it('gives each title a tag of its own that a threshold can name', () => {
  const titles = ['tools/call "a{b}"', 'tools/call "a,b,"', 'tools/call "a\'b:"', '日本'];
  const tags = [...requestTags(titles).values()];
  expect(tags).toEqual(['tools/call a_b_', 'tools/call a_b_ 2', 'tools/call a_b_ 3', '__']);
});
