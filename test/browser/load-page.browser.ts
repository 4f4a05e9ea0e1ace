import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoadPageCheck, LoadPageData, LoadPageFigures } from '../../src/html-report/data/load/load-page-data.ts';
import { loadPage } from '../../src/html-report/html-page.ts';
import { readLoadAssets } from '../../src/html-report/report-assets.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';
import { run } from '../support/process.ts';
import { findings } from './axe.ts';
import { launch, open } from './chromium.ts';

let browser: Browser;
const folder = temporaryFolder();
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** A page of figures, and where it lies. */
function pageOf(name: string, data: LoadPageData): string {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, loadPage(data, readLoadAssets()));
  return file;
}

const took = (p50: number) => ({ p50, p95: p50 * 2, p99: p50 * 3, max: p50 * 4 });
const HOLDS = { what: undefined, metric: 'p95', value: 100, text: 'p95<100ms', holds: true };

/** A minute with 100 answers a second, which get slower. One of them fails in the 30th second. Nothing is answered in the last one. */
function minute(rest: Partial<LoadPageFigures> = {}): LoadPageFigures {
  const intervals = Array.from({ length: 60 }, (_, second) => ({
    at: second * 1_000,
    duration: 1_000,
    answers: second === 59 ? 0 : 100,
    failed: second === 29 ? 1 : 0,
    sessions: 50,
    ...(second !== 59 && { took: took(10 + second) }),
  }));
  const step = {
    title: 'tools/call "weather"',
    file: 'a.yaml',
    line: 7,
    headline: '/result/x (1 → 2)',
    recorded: { x: 1 },
    live: { x: 2 },
  };
  const { what, ...limit } = HOLDS;
  return {
    run: {
      ...{ version: '1.2.0', date: '2026-11-29T04:12:00.000Z', url: 'http://127.0.0.1:3000/mcp' },
      ...{ clients: 20, for: 60_000, ramp: 5_000, workers: 1 },
    },
    files: ['a.yaml'],
    duration: 60_000,
    sessions: 3_000,
    failedSessions: 1,
    answers: 5_900,
    checks: 5_900,
    failed: 1,
    lostStreams: 3,
    resumedStreams: 2,
    calls: [
      { what: 'initialize', answers: 2_950, failed: 0, took: took(3) },
      { what: 'tools/call "weather"', answers: 2_950, failed: 1, took: took(70) },
      { what: 'the server', answers: 0, failed: 1 },
    ],
    intervals,
    failures: [{ step, count: 1, session: 1_500 }],
    thresholds: [limit, { ...limit, text: 'p99<5ms', value: 5, holds: false }],
    notes: ['12 sessions started late.'],
    ...rest,
  };
}

const CHECKS: readonly LoadPageCheck[] = [
  { title: 'tools/call "weather"', status: 'failed', headline: '/result/x (1 → 2) (once, in session 1,500 of 3,000)' },
  { title: 'p95<100ms: it is 80 ms', status: 'passed' },
];
const dataOf = (figures: LoadPageFigures, checks = CHECKS): LoadPageData => ({ version: '1', figures, checks });
const failing = () => pageOf('failing', dataOf(minute()));
const passing = () => {
  const { intervals, calls } = minute();
  const figures = minute({
    ...{ failed: 0, failedSessions: 0, lostStreams: 0, resumedStreams: 0, failures: [], notes: [], thresholds: [] },
    intervals: intervals.map((interval) => ({ ...interval, failed: 0 })),
    calls: calls.slice(0, 2).map((call) => ({ ...call, failed: 0 })),
  });
  return pageOf('passing', dataOf(figures, CHECKS.slice(1)));
};

describe('the page of a load', () => {
  it('says what it came to: checks, figures, kinds of requests, failures and notes', async () => {
    await using opened = await open(browser, failing());
    const { page, troubles } = opened;
    expect(await page.getByRole('status').textContent()).toBe('✗ failed: 1 of 2 in 60.0 s');
    expect(await page.locator('.run').textContent()).toBe(
      'http://127.0.0.1:3000/mcp · 20 clients, for 1 min · ramp of 5 s · 2026-11-29 04:12 UTC · mcp-record 1.2.0',
    );
    expect(await page.getByRole('list', { name: 'Checks' }).locator('li').allTextContents()).toEqual([
      '✗ tools/call "weather": /result/x (1 → 2) (once, in session 1,500 of 3,000)',
      '✓ p95<100ms: it is 80 ms',
    ]);
    expect(await page.locator('.tiles').textContent()).toContain('answers a second98');
    expect(await page.locator('.tiles .is-error').last().textContent()).toBe('3');
    expect(await page.locator('.tiles').textContent()).toContain('lost streams, 2 resumed3');
    const rows = await page.getByRole('region', { name: 'Kinds of requests' }).locator('tbody tr').allTextContents();
    expect(rows).toEqual([
      'initialize2,9503 ms6 ms9 ms12 ms',
      'tools/call "weather"2,950✗ 170 ms140 ms210 ms280 ms',
      'the server0✗ 1',
    ]);
    expect(await page.locator('.failure').textContent()).toContain('once, first in session 1,500 of 3,000, a.yaml:7');
    await page.getByText('Values of the first one').click();
    expect(await page.locator('.failure pre').allTextContents()).toEqual(['{\n  "x": 1\n}', '{\n  "x": 2\n}']);
    expect(await page.locator('.notes').textContent()).toBe('12 sessions started late.');
    expect(troubles).toEqual([]);
  });

  it('says that a load has passed, and has no place for failures then', async () => {
    await using opened = await open(browser, passing());
    const { page } = opened;
    expect(await page.getByRole('status').textContent()).toBe('✓ passed in 60.0 s');
    expect(await page.locator('.failure, .is-error, .figure-failed').count()).toBe(0);
  });

  it('draws answers, failures and times where they were, and a gap where nothing was answered', async () => {
    await using opened = await open(browser, failing());
    const { page } = opened;
    const pathOf = (name: string) => page.locator(`.plot path.figure-${name}`).getAttribute('d');
    // The 30th of 60 seconds is drawn from 483 to 500 of 1,000.
    expect(await pathOf('failed')).toMatch(/^M483\.33 [\d.]+H500V200H483\.33Z$/);
    const p50 = await pathOf('p50');
    expect(p50!.match(/H/g)).toHaveLength(59);
    expect(p50).toMatch(/H983\.33$/);
    const heights = [...p50!.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
    expect(heights.every((y, index) => index === 0 || y < heights[index - 1]!)).toBe(true);
    expect(await page.locator('.plot .limit').evaluateAll((all) => all.map((one) => one.className))).toEqual([
      'limit',
      'limit is-missed',
    ]);
  });

  it('reads the figures of the interval under the pointer', async () => {
    await using opened = await open(browser, failing());
    const { page } = opened;
    const { x, y, width } = (await page.locator('.plot').last().boundingBox())!;
    await page.mouse.move(x + (width * 29.5) / 60, y + 20);
    expect(await page.locator('.reading').textContent()).toBe(
      '29 s to 30 s: 100 answers a second, 50 sessions ended, 1 failed, p50 39 ms, p95 78 ms, p99 117 ms, max 156 ms',
    );
    await page.mouse.move(0, 0);
    expect(await page.locator('.reading').textContent()).toBe('Point at a chart for its figures.');
  });

  it('has all figures as a table', async () => {
    await using opened = await open(browser, failing());
    const { page } = opened;
    await page.getByText('All figures over time').click();
    const rows = page.getByRole('region', { name: 'Figures over time' }).locator('tbody tr');
    expect(await rows.count()).toBe(60);
    expect(await rows.nth(29).textContent()).toBe('29 s to 30 s10010015039 ms78 ms117 ms156 ms');
    expect(await rows.last().textContent()).toBe('59 s to 1 min00050');
  });

  it.each([
    ['instant', minute({ duration: 300, intervals: [{ ...minute().intervals[0]!, duration: 300 }] })],
    ['unanswered', minute({ calls: [], intervals: [minute().intervals[59]!], duration: 1_000 })],
  ])('draws a short load: %s', async (name, figures) => {
    await using opened = await open(browser, pageOf(name, dataOf(figures)));
    expect(await opened.page.locator('.plot').count()).toBe(2);
    expect(await opened.page.locator('#page').textContent()).not.toMatch(/NaN|Infinity|undefined/);
    expect(opened.troubles).toEqual([]);
  });
});

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it.each([
    ['that failed', failing],
    ['that passed', passing],
  ])('axe finds nothing wrong with a load %s, at no width, and nothing is wider than the page', async (_, make) => {
    await using opened = await open(browser, make(), '', { colorScheme });
    const { page } = opened;
    for (const summary of await page.locator('summary').all()) await summary.click();
    for (const width of [420, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});

const ATTACK = '</script><img src=x onerror=alert(1)>"><svg onload=alert(1)>\u2028\u202e\u200b';

it('texts of a hostile cassette and a hostile server run nothing', async () => {
  // A server that answers each request otherwise than recorded.
  await using server = Object.assign(
    createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method } = JSON.parse(body);
      if (id === undefined) return void response.writeHead(202).end();
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const serverInfo = { name: ATTACK, version: ATTACK };
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
          : { content: [{ type: 'text', text: `live ${ATTACK}` }], [`live ${ATTACK}`]: ATTACK };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }),
    {
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        server.close();
      },
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: ATTACK, version: '1' } };
  const events = [
    { client: { id: 1, method: 'initialize', params } },
    {
      server: {
        id: 1,
        result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
      },
    },
    { client: { method: 'notifications/initialized' } },
    { client: { id: 2, method: 'tools/call', params: { name: ATTACK, arguments: {} } } },
    { server: { id: 2, result: { content: [{ type: 'text', text: ATTACK }] } } },
  ].map((event) => Object.entries(event).map(([side, message]) => [side, { jsonrpc: '2.0', ...message }]));
  const lines = events.map(
    (event) => `- ${JSON.stringify(Object.fromEntries(event)).replaceAll('\u2028', '\\u2028')}\n`,
  );
  writeFileSync(join(folder, 'hostile.yaml'), `format: mcp-record/1\nevents:\n${lines.join('')}`);
  const output = join(folder, 'hostile-load.html');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const words = ['load', '--clients', '1', '--for', '300ms', '--html', output, '--http', url, 'hostile.yaml'];
  const { status } = await run({ ...mcpRecord(...words), cwd: folder });
  expect(status).toBe(1);
  await using opened = await open(browser, output);
  const { page, troubles } = opened;
  for (const summary of await page.locator('summary').all()) await summary.click();
  const text = await page.locator('#page').textContent();
  expect(text).toContain('live </script><img src=x onerror=alert(1)>');
  expect(text).not.toMatch(/[\u200b\u202e]/);
  expect(await page.locator('img, iframe, a, form, [onerror], [onload]').count()).toBe(0);
  // The data and the code.
  expect(await page.locator('script').count()).toBe(2);
  expect(troubles).toEqual([]);
});
