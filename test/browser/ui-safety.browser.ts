import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { call, client, request, result, server, stderr } from '../support/conversation.ts';
import { findings } from './axe.ts';
import { launch, openUrl } from './chromium.ts';
import { END, events, HEAD, ui } from './live.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const ATTACKS = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '</title></style></textarea><iframe srcdoc="<script>alert(1)</script>">',
  "javascript:alert(1)//'",
];

it.each(ATTACKS)('%j in a cassette and in its name is only ever shown, and nothing is loaded', async (attack) => {
  const folder = temporaryFolder();
  const name = `${attack.replaceAll('/', '\u2215')}.yaml`;
  const introduction = {
    protocolVersion: attack,
    capabilities: { [attack]: {} },
    clientInfo: { name: attack, version: '1' },
  };
  const picture = {
    type: 'image',
    mimeType: 'image/svg+xml',
    data: Buffer.from('<svg onload="alert(1)"/>').toString('base64'),
  };
  writeFileSync(
    join(folder, name),
    HEAD +
      events(
        client(request(0, 'initialize', introduction)),
        server(result(0, attack)),
        client(call(1, attack, { [attack]: attack })),
        server({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: attack }, picture] } }),
        stderr(attack),
      ),
  );
  await using served = await ui(folder);
  await using opened = await openUrl(browser, served.url);
  const { page, troubles } = opened;
  await page.getByRole('link').click();
  for (const place of [2, 1]) {
    await page
      .getByRole('option')
      .nth(place - 1)
      .click();
    const marked = 'iframe, form, object, embed, link, [onerror], [onload], [srcdoc], script ~ script';
    expect(await page.locator(`#page :is(${marked}), #page script, #page img:not([src^="data:"])`).count()).toBe(0);
  }
  // The way back is the only link.
  expect(await page.locator('#page a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    new URL(served.url).pathname,
  ]);
  expect(new URL(page.url()).origin).toBe(new URL(served.url).origin);
  expect(troubles).toEqual([]);
});

it('the page cannot ask another server', async () => {
  const folder = temporaryFolder();
  await using served = await ui(folder);
  await using other = await ui(folder);
  await using opened = await openUrl(browser, served.url);
  const ask = (url: string) =>
    opened.page.evaluate(
      (target) =>
        fetch(target).then(
          ({ status }) => String(status),
          (error) => String(error),
        ),
      url,
    );
  expect(await ask('events?session=none')).toBe('200');
  expect(await ask(other.url)).toMatch(/Failed to fetch|violates/);
});

it('a page of another site, or of another server of this machine, does not read it', async () => {
  const folder = temporaryFolder();
  copyFileSync('cassettes/everything.yaml', join(folder, 'one.yaml'));
  await using served = await ui(folder);
  const status = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(url, { headers, method });
    const text = response.status === 403 ? await response.text() : '';
    await response.body?.cancel().catch(() => {});
    return [response.status, /\[(\w+)\]/.exec(text)?.[1]];
  };
  const { origin, port, pathname } = new URL(served.url);
  expect(await status(served.url)).toEqual([200, undefined]);
  expect(await status(`http://localhost:${port}${pathname}`)).toEqual([200, undefined]);
  expect(await status(`${served.url}events?session=one.yaml`, { origin })).toEqual([200, undefined]);
  for (const path of ['/', '/events', `/${'0'.repeat(36)}/`, pathname.slice(0, -2), `${pathname.slice(0, -2)}/`])
    expect(await status(`${origin}${path}`)).toEqual([403, 'UI_WRONG_KEY']);
  for (const stranger of ['http://evil.example', 'null'])
    expect(await status(`${served.url}events`, { origin: stranger })).toEqual([403, 'HTTP_REQUEST_REFUSED']);
  expect(await status(`${served.url}events`, { origin: 'http://localhost:1' })).toEqual([403, 'UI_OTHER_ORIGIN']);
  expect(await status(served.url, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toEqual([
    403,
    'HTTP_REQUEST_REFUSED',
  ]);
  expect(await status(served.url, {}, 'POST')).toEqual([403, 'UI_OTHER_ORIGIN']);
  expect(await status(served.url, { origin }, 'POST')).toEqual([405, undefined]);
  expect((await fetch(`${served.url}one.yaml`)).status).toBe(404);
  const page = await fetch(served.url);
  expect(page.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
  expect(page.headers.get('cache-control')).toBe('no-store');
});

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('axe finds nothing wrong, in no state and at no width', async () => {
    const folder = temporaryFolder();
    const empty = temporaryFolder();
    const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
    const begun = HEAD + events(client(request(0, 'initialize', { clientInfo: { name: 'agent', version: '1' } })));
    const call1 = events(client(call(1, 'echo')), server(result(1, 'x')));
    copyFileSync('cassettes/everything.yaml', join(folder, 'ended.yaml'));
    put('growing.yaml', begun + call1);
    put('damaged.yaml', `${begun}${call1}cliemt:\n    id: 3\n- client:\n`);
    put('foreign.yaml', 'a: 1\n');
    put('removed.yaml', begun + END);
    put('by-hand.yaml', 'format: mcp-record/1\ntransport: stdio\nevents:\n- client: {method: ping}\n');
    await using served = await ui(folder);
    await using none = await ui(empty);
    await using opened = await openUrl(browser, served.url, { colorScheme });
    const { page } = opened;
    await page.getByText('6 cassettes').waitFor();
    rmSync(join(folder, 'removed.yaml'));
    const found: string[] = [];
    const look = async (name: string) => {
      for (const width of [420, 1024, 1440]) {
        await page.setViewportSize({ width, height: 600 });
        if (process.env.SCREENSHOTS)
          await page.screenshot({ path: join(process.env.SCREENSHOTS, `ui-${name}-${colorScheme}-${width}.png`) });
        const rules = colorScheme === 'dark' ? ['color-contrast'] : [];
        found.push(...(await findings(page, ...rules)).map((finding) => `${name}, ${width}: ${finding}`));
      }
    };
    await page.getByText('⊘ removed').waitFor();
    await look('list');
    await page.goto(none.url);
    await page.getByText('no cassette in this folder').waitFor();
    await look('empty');
    for (const name of ['ended', 'growing', 'damaged', 'foreign', 'removed', 'by-hand', 'unknown']) {
      await page.goto(`${served.url}?session=${name}.yaml`);
      await page.locator('nav.live p').first().waitFor();
      await page.waitForFunction(() => document.querySelector('.head, .is-damaged, .is-removed, .is-foreign'));
      await look(name);
    }
    await page.goto(`${served.url}?session=ended.yaml`);
    await page.locator('.head').waitFor();
    await served.stop();
    await page.getByText('does not answer').waitFor();
    await look('gone');
    expect(found).toEqual([]);
  });
});
