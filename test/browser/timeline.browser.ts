import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findings } from './axe.ts';
import { launch, open } from './chromium.ts';
import { file, report } from './reports.ts';
import { CALENDAR, WEATHER } from './timeline-sessions.ts';

let browser: Browser;
let timeline: string;
beforeAll(async () => {
  browser = await launch();
  const sessions = [file('weather.yaml', WEATHER), file('calendar.yaml', CALENDAR)];
  timeline = report('timeline', '--timeline', ...sessions);
});
afterAll(() => browser.close());

const search = (page: Page) => page.getByRole('searchbox').or(page.getByRole('combobox'));
const status = (page: Page) => page.getByRole('status').textContent();
/** The visible names of the rows: server, call, arguments. */
const names = (page: Page) => page.getByRole('option').locator('.name').allInnerTexts();
const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });

describe('a timeline of two servers', () => {
  it('shows the calls of both in the order of time, each with its server, and names the client once', async () => {
    await using opened = await open(browser, timeline);
    const { page, troubles } = opened;
    expect(await page.title()).toBe('weather.yaml, calendar.yaml · mcp-record');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Timeline of 2 sessions');
    expect(await page.locator('.title p').textContent()).toBe('weather: weather.yaml · calendar: calendar.yaml');
    expect(await page.locator('.peers dd b').allTextContents()).toEqual([
      'assistant 1.0.0',
      'weather 2.1.0',
      'calendar 2.1.0',
    ]);
    expect(await status(page)).toBe('8 calls in 1120 ms');
    const rows = (await names(page)).map((name) => name.split(/\s+/).slice(0, 2).join(' '));
    expect(rows).toEqual([
      'weather initialize',
      'weather tools/list',
      'calendar initialize',
      'calendar tools/list',
      'weather now',
      'calendar now',
      'calendar server',
      'weather search',
    ]);
    expect(await page.locator('.warning').count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  it('a bar begins where its call began on the common axis', async () => {
    await using opened = await open(browser, timeline);
    const lefts = await opened.page
      .locator('.row .bar')
      .evaluateAll((bars) =>
        bars.map((bar) => Math.round((Number.parseFloat((bar as HTMLElement).style.left) * 1120) / 100)),
      );
    expect(lefts).toEqual([0, 40, 100, 140, 320, 420, 520, 1020]);
  });

  it('the sequence has the messages of both, and a search for a server those of one', async () => {
    await using opened = await open(browser, timeline, '#?view=sequence');
    const { page } = opened;
    expect(await status(page)).toBe('18 events in 1120 ms');
    const shown = await page.getByRole('option').locator('.badge.of-server').allTextContents();
    expect([shown.length, shown.slice(0, 8).join(' ')]).toEqual([
      18,
      'weather weather weather weather weather calendar calendar calendar',
    ]);
    await search(page).fill('server:cal');
    expect(await status(page)).toBe('9 of 18 events in 1120 ms');
    expect(new Set(await page.getByRole('option').locator('.badge.of-server').allTextContents())).toEqual(
      new Set(['calendar']),
    );
    await search(page).fill('server:nobody');
    expect(await page.getByRole('option').count()).toBe(0);
  });

  it('the details are those of the own session: its schema, its relations, its command, and the way to it', async () => {
    await using opened = await open(browser, timeline, '#s2-line-14?tab=Schema', {
      permissions: ['clipboard-write', 'clipboard-read'],
    });
    const { page } = opened;
    expect(await details(page).locator('.direction').textContent()).toBe('request · client → server calendar');
    const schema = await details(page).getByRole('tabpanel').textContent();
    expect(schema).not.toContain('city');
    await details(page).getByRole('button', { name: 'Copy fork' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("'calendar.yaml:");
    await details(page).getByRole('button', { name: 'Answer, line' }).click();
    expect(new URL(page.url()).hash).toMatch(/^#s2-line-\d+/);
    await details(page).getByRole('button', { name: 'Only calendar' }).click();
    expect(new URL(page.url()).hash).toMatch(/^#3\/line-\d+/);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('calendar.yaml');
    await page.getByRole('button', { name: 'Timeline' }).click();
    expect(await status(page)).toBe('8 calls in 1120 ms');
  });

  it('a link to an event opens at it, and one to a line between two events at the one before', async () => {
    for (const [hash, line] of [
      ['#s2-line-7', 7],
      ['#s2-line-8', 7],
      ['#s1-line-7', 7],
    ] as const) {
      await using opened = await open(browser, timeline, `${hash}?view=sequence`);
      const selected = opened.page.getByRole('option', { selected: true }).locator('.sentence');
      expect(await selected.textContent()).toMatch(
        new RegExp(`^Server ${hash.startsWith('#s2') ? 'calendar' : 'weather'}, Line ${line},`),
      );
    }
  });

  it('the table has the tools of each server, and a click searches for the calls of one', async () => {
    await using opened = await open(browser, timeline, '#?view=tools');
    const { page } = opened;
    const cells = await page
      .getByRole('row')
      .evaluateAll((rows) =>
        rows.slice(1).map((row) => [...row.children].slice(0, 3).map(({ textContent }) => textContent)),
      );
    expect(cells).toEqual([
      ['now', 'weather', '1'],
      ['search', 'weather', '1'],
      ['now', 'calendar', '1'],
    ]);
    await page.getByRole('row').nth(3).getByRole('button').click();
    expect(await search(page).inputValue()).toBe('tool:now server:calendar');
    expect(await status(page)).toBe('1 of 8 calls in 1120 ms');
  });

  it('says how exact the times of an older recording are', async () => {
    const older = file('older.yaml', WEATHER.replace('00:00.000Z', '00:00Z'));
    const page = report('timeline-older', '--timeline', older, file('calendar.yaml', CALENDAR));
    await using opened = await open(browser, page);
    expect(await opened.page.locator('.warning').allTextContents()).toEqual([
      'weather: the cassette has its start to the second only, so its calls may be shown up to a second early.',
    ]);
  });
});

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it.each([420, 1440])('axe finds nothing wrong at %i pixels, and nothing is wider than the page', async (width) => {
    const viewport = { width, height: 600 };
    await using opened = await open(browser, timeline, '', { viewport, colorScheme });
    const { page } = opened;
    for (const hash of ['#', '#s2-line-14', '#s2-line-14?view=sequence', '#?view=tools']) {
      await page.evaluate((to) => (location.hash = to), hash);
      await page.waitForFunction((is) => (document.querySelector('aside') !== null) === is, hash.includes('line'));
      expect([hash, await findings(page)]).toEqual([hash, []]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
    const badge = page.locator('.badge.of-server').first();
    await page.evaluate(() => (location.hash = '#'));
    expect((await badge.boundingBox())!.width).toBeGreaterThan(30);
  });
});
