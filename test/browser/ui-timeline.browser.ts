import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { findings } from './axe.ts';
import { launch, openUrl } from './chromium.ts';
import { ui } from './live.ts';
import { CALENDAR, WEATHER } from './timeline-sessions.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** A folder with both sessions and a file that does not say when it began. */
function twoServers(weather = WEATHER): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'weather.yaml'), weather);
  writeFileSync(join(folder, 'calendar.yaml'), CALENDAR);
  writeFileSync(join(folder, 'undated.yaml'), 'format: mcp-record/1\nevents:\n- client: { id: 1, method: ping }\n');
  return folder;
}

const timeline = (url: string) => `${url}?session=weather.yaml&session=calendar.yaml`;
const status = (page: Page) => page.locator('header [role=status]');
const servers = (page: Page) => page.getByRole('option').locator('.badge.of-server').allTextContents();
const choice = (page: Page, name: string) => page.getByRole('checkbox', { name: `Choose ${name} for a timeline` });

describe('a timeline in the live page', () => {
  it('has the sessions that were chosen in the list, and an address of its own', async () => {
    await using served = await ui(twoServers());
    await using opened = await openUrl(browser, served.url);
    const { page, troubles } = opened;
    const show = page.getByRole('button', { name: 'Show on one timeline' });
    await choice(page, 'weather.yaml').check();
    expect([await show.isDisabled(), await choice(page, 'undated.yaml').isDisabled()]).toEqual([true, true]);
    await choice(page, 'calendar.yaml').check();
    await show.click();
    await status(page).filter({ hasText: '8 calls in 1120 ms' }).waitFor();
    expect(new URL(page.url()).searchParams.getAll('session').sort()).toEqual(['calendar.yaml', 'weather.yaml']);
    expect(new Set(await servers(page))).toEqual(new Set(['weather', 'calendar']));
    await page.goBack();
    await show.waitFor();
    expect(troubles).toEqual([]);
  });

  it('grows with each of its files, and keeps the selected event and its place', async () => {
    const rest = WEATHER.indexOf("- client: { jsonrpc: '2.0', id: 2");
    const folder = twoServers(`${WEATHER.slice(0, rest)}- `);
    await using served = await ui(folder);
    await using opened = await openUrl(browser, `${timeline(served.url)}#s2-line-14`);
    const { page } = opened;
    await status(page).filter({ hasText: '6 calls' }).waitFor();
    const selected = page.getByRole('option', { selected: true }).locator('.sentence');
    expect(await selected.textContent()).toMatch(/^Server calendar, Line 14,/);
    // The first of these calls is earlier than the selected one.
    appendFileSync(join(folder, 'weather.yaml'), WEATHER.slice(rest + 2).replace('end: complete\n', ''));
    await status(page).filter({ hasText: '8 calls' }).waitFor();
    expect(await selected.textContent()).toMatch(/^Server calendar, Line 14,/);
    expect(new URL(page.url()).hash).toContain('s2-line-14');
    expect((await servers(page)).join(' ')).toBe('weather weather calendar calendar weather calendar calendar weather');
    await page.getByText('weather.yaml: ● growing').waitFor();
    appendFileSync(join(folder, 'weather.yaml'), 'end: complete\n');
    await page.getByText('weather.yaml: ■ ended').waitFor();
  });

  it('leaves a session without a start out, and says so; names a damaged, a removed and an unknown one', async () => {
    const folder = twoServers();
    await using served = await ui(folder);
    await using opened = await openUrl(browser, `${timeline(served.url)}&session=undated.yaml`, { within: served.url });
    const { page } = opened;
    await page.getByText('undated.yaml is left out: its cassette does not say when it began.').waitFor();
    await status(page).filter({ hasText: '8 calls' }).waitFor();
    writeFileSync(join(folder, 'calendar.yaml'), CALENDAR.replace('{ name: now }', '{ name: [now }'));
    await page.getByText(/^calendar\.yaml: .*\[CASSETTE_DAMAGED\]/).waitFor();
    rmSync(join(folder, 'weather.yaml'));
    await page.getByText('weather.yaml: ⊘ removed').waitFor();
    await page.goto(`${served.url}?session=weather.yaml&session=nobody.yaml`);
    await page.getByText('There is no cassette of one of these names').waitFor();
  });

  it('the same session twice is that session', async () => {
    await using served = await ui(twoServers());
    await using opened = await openUrl(browser, `${served.url}?session=weather.yaml&session=weather.yaml`);
    await status(opened.page).filter({ hasText: '4 calls' }).waitFor();
    expect(await opened.page.getByRole('button', { name: 'Serve' }).isVisible()).toBe(true);
  });

  it.each(['light', 'dark'] as const)('axe finds nothing wrong in %s colours, at no width', async (colorScheme) => {
    await using served = await ui(twoServers());
    for (const width of [420, 1440]) {
      const options = { viewport: { width, height: 600 }, colorScheme, within: served.url };
      await using opened = await openUrl(browser, served.url, options);
      const { page } = opened;
      await choice(page, 'calendar.yaml').waitFor();
      expect(await findings(page)).toEqual([]);
      await page.goto(`${timeline(served.url)}#s2-line-14`);
      await page.getByRole('complementary').waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });
});
