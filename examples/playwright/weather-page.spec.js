import { existsSync } from 'node:fs';
import { chromium, expect, test } from '@playwright/test';
import { RpcFailure, tool } from 'mcp-record/mock';
import { playwrightEndpoint } from 'mcp-record/playwright';

// `npx playwright install chromium`, or CHROMIUM=/usr/bin/chromium.
test.skip(!existsSync(process.env.CHROMIUM ?? chromium.executablePath()), 'there is no Chromium');

async function open(page, mock) {
  await page.route('https://example.com/mcp', mock.handler);
  await page.route('http://localhost/', (route) => route.fulfill({ path: 'weather-page.html' }));
  await page.goto('http://localhost/');
  return page.getByRole('status');
}

test('shows the weather', async ({ page }) => {
  const mock = playwrightEndpoint({ handlers: [tool('weather', ({ city }) => `${city} has 20 degrees`)] });
  await expect(await open(page, mock)).toHaveText('Oslo has 20 degrees');
  expect(mock.journal.requests('tools/call', { name: 'weather' })).toHaveLength(1);
  expect(mock.finish().failures).toEqual([]);
});

test('says so where the server has none', async ({ page }) => {
  const busy = tool('weather', () => {
    throw new RpcFailure({ code: -32050, message: 'over quota' });
  });
  await expect(await open(page, playwrightEndpoint({ handlers: [busy] }))).toHaveText('There is no weather now');
});
