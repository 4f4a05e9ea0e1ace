import { describe, expect, it } from 'vitest';
import { LoadStats } from '../../src/load/load-stats.ts';
import { checkThreshold, parseThreshold } from '../../src/load/threshold.ts';
import type { Step } from '../../src/text-report/outcome-model.ts';

const TITLES = ['initialize', 'tools/list', 'tools/call "weather"', 'tools/call "add"', 'prompts/get "add"'];
const stats = new LoadStats();
for (let n = 1; n <= 100; n++) {
  const failed: Partial<Step> = n <= 2 ? { status: 'failed', headline: 'differs' } : {};
  const steps: Step[] = [
    { title: 'tools/call "weather"', status: 'passed', duration: 10 * n, ...failed },
    { title: 'tools/list', status: 'passed', duration: 1 },
  ];
  stats.add(n, { title: '', file: 'a.yaml', steps, notes: [], duration: 1 }, { answers: new Map(), end: 0 });
}

stats.addStreams({ lost: 3, resumed: 2 });

const NO_CONDITION =
  'it is not METRIC<VALUE, with p95 (or another percentile), mean, max, failed, rate, lostStreams or resumedStreams as METRIC';

describe('a threshold', () => {
  it.each([
    ['p50<500ms', true],
    ['p99>500ms', true],
    ['weather:p50<500ms', false],
    ['weather:p95<1s', true],
    ['weather : p95 < 0.9s', false],
    ['tools/list:max<=1', true],
    ['tools/list:max<1', false],
    ['tools/call "weather":max<=1001', true],
    ['tools/call "add":p99<1s', false],
    ['mean<254', true],
    ['failed<=2', true],
    ['failed<2', false],
    ['failed<1.1%', true],
    ['failed<1%', false],
    ['failed<100%', true],
    ['rate>19/s', true],
    ['rate>=21', false],
    ['lostStreams<=3', true],
    ['lostStreams<3', false],
    ['resumedStreams<=2', true],
    ['resumedStreams<2', false],
  ])('%s: %s', (text, holds) => {
    expect(checkThreshold(parseThreshold(text, { titles: TITLES }), stats, 10_000).holds).toBe(holds);
  });

  it('does not hold for requests that nobody answered', () => {
    const { holds, actual } = checkThreshold(parseThreshold('initialize:p99<1s', { titles: TITLES }), stats, 1_000);
    expect([holds, actual]).toEqual([false, undefined]);
  });

  it('of event streams is an error where none can be counted', () => {
    const noStreams = 'a server over stdio has no event streams';
    expect(() => parseThreshold('lostStreams<1', { titles: TITLES, noStreams })).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ why: noStreams }) }),
    );
  });

  it.each([
    ['', NO_CONDITION],
    ['p95', NO_CONDITION],
    ['p95=200ms', NO_CONDITION],
    ['p95<fast', NO_CONDITION],
    ['p100<1s', NO_CONDITION],
    ['median<1s', NO_CONDITION],
    ['p95<1%', 'p95 is in ms or s'],
    ['failed<1ms', 'failed is in numbers or %'],
    ['rate>1s', 'rate is in /s'],
    ['p0<1s', 'a percentile is above 0 and below 100'],
    ['p00.0<1s', 'a percentile is above 0 and below 100'],
    ['failed>=0', 'failed can only have an upper limit'],
    ['failed<=100%', 'it always holds'],
    ['failed<100.1%', 'it always holds'],
    ['rate>0', 'it always holds'],
    ['p95>=0s', 'it always holds'],
    ['lostStreams>0', 'lostStreams can only have an upper limit'],
    ['lostStreams<1%', 'lostStreams is a number'],
    ['weather:lostStreams<1', 'lostStreams is that of all requests together'],
    ['weather:failed<1%', 'failed is that of all requests together'],
    ['sun:p95<1s', 'the requests are initialize, tools/list, weather, tools/call "add", prompts/get "add"'],
    ['tools/call:p95<1s', 'tools/call is a method whose requests are measured by name: write, for example, weather'],
    [
      'prompts/get:p95<1s',
      'prompts/get is a method whose requests are measured by name: write, for example, prompts/get "add"',
    ],
    ['add:p95<1s', 'add may be tools/call "add" or prompts/get "add"'],
  ])('%s is an error', (text, why) => {
    expect(() => parseThreshold(text, { titles: TITLES })).toThrow(
      expect.objectContaining({ code: 'USAGE_BAD_THRESHOLD', problem: expect.objectContaining({ why }) }),
    );
  });

  it('has a next step for a total that names one request', () => {
    const nextOf = (text: string): string => {
      try {
        parseThreshold(text, { titles: TITLES });
      } catch (error) {
        return (error as { problem: { next: string } }).problem.next;
      }
      return '';
    };
    expect(nextOf('weather:failed<1%')).toMatch(/^Write --threshold 'failed<1%' for all requests, or load a cassette/);
    expect(nextOf('weather:rate>5')).toMatch(/^Write --threshold 'rate>5' for all \d kinds of requests together/);
    expect(nextOf('weather:lostStreams<1')).toBe("Write --threshold 'lostStreams<1'.");
  });
});
