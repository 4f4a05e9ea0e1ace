import { expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { callStatsOf, callStatsText } from '../../src/text-report/call-stats.ts';
import { callOn, cassette as conversation, leaves } from '../support/conversation.ts';

const call = (id: number, name: string) => `- client: {id: ${id}, method: tools/call, params: {name: ${name}}}\n`;
const result = (id: number, after: number, text = 'ok') =>
  `- server: {id: ${id}, result: {content: [{type: text, text: ${text}}]}}\n  after: ${after}\n`;
const cassette = (events: string) =>
  parseCassette(`format: mcp-record/1\ntransport: stdio\nevents:\n${events}`, 'calls.yaml');

it('counts the calls of each tool, over all cassettes, and what took longest comes first', () => {
  const calls = (times: readonly number[]) => times.map((time, id) => call(id, 'add') + result(id, time)).join('');
  const first = cassette(calls([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]));
  const second = cassette(call(1, 'slow') + result(1, 500, 'done') + calls([5, 200]).replaceAll('id: ', 'id: 1'));
  expect(callStatsOf([first, second])).toMatchObject([
    { what: 'tools/call "slow"', calls: 1, took: { p50: 500, p95: 500, max: 500 } },
    { what: 'tools/call "add"', calls: 12, fates: { answered: 12 }, took: { p50: 50, p95: 200, max: 200 } },
  ]);
});

it('tells errors, cancelled and pending requests apart, of either side, and sums the bytes of answers', () => {
  const stats = callStatsOf([
    cassette(
      `${call(1, 'add')}- server: {id: 1, error: {code: -32000, message: no}}
${call(2, 'add')}- client: {method: notifications/cancelled, params: {requestId: 2}}
${call(3, 'add')}- server: {id: 7, method: roots/list}
- client: {id: 7, result: {roots: []}}
`,
    ),
  ]);
  expect(stats).toMatchObject([
    { from: 'client', calls: 3, fates: { answered: 0, error: 1, cancelled: 1, pending: 1 }, answerBytes: 63 },
    { from: 'server', what: 'roots/list', calls: 1, fates: { answered: 1 }, answerBytes: 46 },
  ]);
  expect(callStatsText(stats)).toEqual([
    'calls  errors  cancelled  pending  p50 ms  p95 ms  max ms  bytes  what',
    '    3       1          1        1       0       0       0     63  → tools/call "add"',
    '    1                                   0       0       0     46  ← roots/list',
  ]);
  expect(callStatsText(stats, 20).every((line) => line.length <= 20)).toBe(true);
});

it('counts a call whose stream its client closed as cancelled, from 2026-07-28 on', () => {
  const [stats] = callStatsOf([conversation(callOn(1, 1, 'add'), leaves(1, 40))]);
  expect(stats).toMatchObject({ calls: 1, fates: { cancelled: 1, pending: 0 } });
});

it('an outcome that no request had takes no place', () => {
  const stats = callStatsOf([cassette(`${call(1, 'add')}- server: {id: 1, result: {}}\n`)]);
  expect(callStatsText(stats)).toEqual([
    'calls  errors  p50 ms  p95 ms  max ms  bytes  what',
    '    1               0       0       0     36  → tools/call "add"',
  ]);
});

it('a name cannot steer the terminal', () => {
  const stats = callStatsOf([cassette(call(1, String.raw`"a\u001b[2Jb"`))]);
  expect(callStatsText(stats).join('')).not.toContain('\u001b');
});
