import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { streamable1 } from '../e2e/http/clients.ts';
import { record, serve } from '../e2e/http/processes.ts';
import { recordSession } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';
import { fixture, run } from '../support/process.ts';
import { launch, open, openUrl } from './chromium.ts';
import { ui } from './live.ts';
import { EVERYTHING, file, longCassette, report } from './reports.ts';
import { CALENDAR, WEATHER } from './timeline-sessions.ts';

/** `npm run screenshots` writes the pictures of docs/report.md; the tests only look whether they are there. */
const isWanted = process.env.SCREENSHOTS !== undefined;
const pictures = join(import.meta.dirname, '..', '..', 'docs', 'report');
const BYTES_MAX = 300_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

interface Picture {
  name: string;
  words(): string[];
  hash?: string;
  press?: string;
  options?: BrowserContextOptions;
}

const FAULTED = ['sessions/faulted.yaml', '--journal', 'sessions/faulted.ndjson'];

const PICTURES: Picture[] = [
  { name: 'calls', words: () => [EVERYTHING], hash: '#line-667' },
  { name: 'example-dark', words: () => [EVERYTHING], hash: '#line-667', options: { colorScheme: 'dark' } },
  { name: 'calls-dark', words: () => FAULTED, hash: '#line-501?tab=Messages', options: { colorScheme: 'dark' } },
  { name: 'sequence', words: () => FAULTED, hash: '#line-501?view=sequence' },
  { name: 'streams', words: () => ['sessions/streams.yaml'], hash: '#line-22?view=sequence&q=forecast' },
  { name: 'real-time', words: () => ['sessions/faulted.yaml'], hash: '#?view=sequence', press: 'Real time' },
  { name: 'tools', words: () => [EVERYTHING], hash: '#?view=tools' },
  { name: 'differences', words: () => [EVERYTHING, file('changed.yaml', changed())], hash: '#line-130' },
  {
    name: 'timeline',
    words: () => ['--timeline', file('weather.yaml', WEATHER), file('calendar.yaml', CALENDAR)],
    hash: '#s2-line-14',
    options: { viewport: { width: 1360, height: 620 } },
  },
  { name: 'small', words: () => FAULTED, options: { viewport: { width: 420, height: 850 } } },
  { name: 'ten-thousand', words: () => [longCassette(10_000)], hash: '#line-6000' },
];

it.each(PICTURES)(
  'there is a picture of $name, small enough to be looked at',
  async ({ name, words, hash, press, options }) => {
    const path = join(pictures, `${name}.png`);
    if (isWanted) {
      await using opened = await open(browser, report(`picture-${name}`, ...words()), hash, options);
      const { page } = opened;
      if (press) await page.getByRole('button', { name: press, exact: true }).click();
      await page.screenshot({ path });
    }
    expect(statSync(path).size).toBeLessThan(BYTES_MAX);
  },
);

it('there is a page to try, which the pictures of the README lead to', async () => {
  const path = join(pictures, 'example.html');
  if (isWanted) copyFileSync(report('example', EVERYTHING), path);
  expect(statSync(path).size).toBeLessThan(BYTES_MAX);
  await using opened = await open(browser, path);
  await opened.page.getByRole('option').filter({ hasText: 'get-sum' }).first().click();
  await opened.page.getByRole('complementary').getByText('The sum of 1 and 2.5 is 3.5.').first().waitFor();
  expect(opened.troubles).toEqual([]);
});

it('there is a picture of the page that opens cassettes, with one that was dropped', async () => {
  const path = join(pictures, 'viewer.png');
  if (isWanted) {
    const folder = temporaryFolder();
    await run({ ...mcpRecord('report', '--viewer', '-o', 'viewer.html'), cwd: folder });
    await using opened = await openUrl(browser, `file://${join(folder, 'viewer.html')}#line-667`);
    const { page } = opened;
    await page.locator('input[type=file]').setInputFiles(EVERYTHING);
    await page.getByRole('button', { name: 'Open another cassette' }).waitFor();
    await page.getByRole('option').first().waitFor();
    await page.screenshot({ path });
  }
  expect(statSync(path).size).toBeLessThan(BYTES_MAX);
});

it('there is a picture of a session that grows', async () => {
  const path = join(pictures, 'live.png');
  if (isWanted) {
    const folder = temporaryFolder();
    const text = readFileSync(EVERYTHING, 'utf8');
    const call = text.indexOf('\n      name: trigger-long-running-operation');
    const end = text.indexOf('\n- ', text.indexOf('progress: 2', call)) + 1;
    writeFileSync(join(folder, 'everything.yaml'), text.slice(0, end));
    await using served = await ui(folder);
    await using opened = await openUrl(browser, `${served.url}?session=everything.yaml`);
    await opened.page.getByText('● growing').waitFor();
    await opened.page.getByRole('option').first().waitFor();
    await opened.page.screenshot({ path });
  }
  expect(statSync(path).size).toBeLessThan(BYTES_MAX);
});

it('there is a picture of a verified session', async () => {
  const path = join(pictures, 'verified.png');
  if (isWanted) {
    const folder = temporaryFolder();
    await recordSession(join(folder, 'weather.yaml'));
    await using served = await ui(folder, folder, '--', 'node', join('test', 'fixtures', 'drifts.js'), 'changed-text');
    await using opened = await openUrl(browser, `${served.url}?session=weather.yaml`, { within: served.url });
    const { page } = opened;
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('button', { name: /✗ tools\/call "weather"/ }).click();
    await page.screenshot({ path });
  }
  expect(statSync(path).size).toBeLessThan(BYTES_MAX);
});

it('there is a picture of a load', async () => {
  const path = join(pictures, 'load.png');
  if (isWanted) {
    const folder = temporaryFolder();
    await using server = await serve(fixture('loaded.js', 'wrong', '150'), '/mcp');
    await using recorder = await record(server.url, join(folder, 'weather.yaml'), '--timing', 'none');
    const client = await streamable1(recorder.url);
    await client.request('tools/list');
    await client.request('tools/call', { name: 'weather', arguments: { city: 'Oslo' } });
    await client.close();
    await recorder.stop();
    const words = [
      '--clients',
      '10',
      '--ramp',
      '15s',
      '--for',
      '30s',
      '--threshold',
      'p95<200ms',
      '--html',
      'load.html',
    ];
    await run({ ...mcpRecord('load', ...words, '--http', server.url.href, 'weather.yaml'), cwd: folder });
    await using opened = await open(browser, join(folder, 'load.html'));
    await opened.page.screenshot({ path });
  }
  expect(statSync(path).size).toBeLessThan(BYTES_MAX);
});

/** The session as a later server might have answered it: a tool that is described otherwise, one that is gone, an answer, a call more. */
function changed(): string {
  const text = readFileSync(EVERYTHING, 'utf8');
  const more = [
    {
      client: {
        jsonrpc: '2.0',
        id: 'more',
        method: 'tools/call',
        params: { name: 'echo', arguments: { message: 'and again' } },
      },
    },
    {
      server: {
        jsonrpc: '2.0',
        id: 'more',
        result: { content: [{ type: 'text', text: 'Echo: and again' }] },
      },
    },
  ];
  const lines = more.map((event) => `- ${JSON.stringify(event)}\n`).join('');
  return text
    .replace('Echoes back the input string', 'Says the input again')
    .replace('- name: get-tiny-image\n', '- name: get-small-image\n')
    .replace(/^- client:\n(?= {4}method: ping\n)/m, `${lines}- client:\n`)
    .replace('get-tiny-image', 'get-small-image');
}
