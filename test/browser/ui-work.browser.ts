import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordSession, server } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { findings } from './axe.ts';
import { launch, openUrl } from './chromium.ts';
import { ui } from './live.ts';

let browser: Browser;
const recorded = join(temporaryFolder(), 'session.yaml');
beforeAll(async () => {
  browser = await launch();
  await recordSession(recorded);
});
afterAll(() => browser.close());

/** Starts the program on a folder with the recorded session. `drift` says how the server under test has changed. */
function served(drift?: string) {
  const folder = temporaryFolder();
  copyFileSync(recorded, join(folder, 'session.yaml'));
  const { command, args } = server(drift);
  return ui(folder, folder, '--', command, ...args);
}

const session = (url: string) => `${url}?session=session.yaml`;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** What axe finds at each width, in light and dark. */
async function findingsAnyhow(page: Page): Promise<string[]> {
  const all: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [420, 1024, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      // Of all that axe looks at, colours alone depend on the scheme.
      const rules = colorScheme === 'dark' ? ['color-contrast'] : [];
      all.push(...(await findings(page, ...rules)).map((finding) => `${colorScheme}, ${width} px: ${finding}`));
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      if (isWide) all.push(`${width} px: the page scrolls sideways`);
    }
  }
  return all;
}

/** Serves the session by the button of the page, and connects a client of the SDK to it. */
async function connectToServed(page: Page): Promise<Client> {
  await button(page, '⇄ Serve').press('Enter');
  await page.getByText('Served at').waitFor();
  const url = await page.locator('.work .command code').textContent();
  const client = new Client({ name: 'demo-client', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url!)));
  return client;
}

describe('verify on a page', () => {
  it('shows the differences at their rows, by keys alone', async () => {
    await using program = await served('changed-text');
    await using opened = await openUrl(browser, session(program.url), { within: program.url });
    const { page, troubles } = opened;
    await button(page, 'Verify').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Verified: ✗ 1 differs').waitFor();
    const row = page.getByRole('option').filter({ hasText: 'weather' });
    expect(await row.textContent()).toContain('≠ /result/content/0/text');
    expect(await findingsAnyhow(page)).toEqual([]);

    await button(page, /✗ tools\/call "weather"/).focus();
    await page.keyboard.press('Enter');
    const card = page.getByRole('complementary').locator('.card');
    await card.getByText('The live server said something else').waitFor();
    expect(await card.locator('del').textContent()).toContain('Oslo has 20 degrees');
    expect(await card.locator('ins').textContent()).toContain('Oslo: 20');
    expect(await findingsAnyhow(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  it('is stopped by the same button', async () => {
    await using program = await served('hung');
    await using opened = await openUrl(browser, session(program.url), { within: program.url });
    const { page, troubles } = opened;
    await button(page, 'Verify').click();
    await page.getByText('Waiting for tools/call "add"').waitFor();
    // Once, at one width: the verification waits for 30 s alone.
    expect(await findings(page)).toEqual([]);
    await button(page, 'Stop verifying').press('Enter');
    await page.getByText('Stopped: ').waitFor();
    expect(await button(page, 'Verify').evaluate((element) => element === document.activeElement)).toBe(true);
    expect(troubles).toEqual([]);
  });

  it('says why a server could not be verified', async () => {
    await using program = await served('crash');
    await using opened = await openUrl(browser, session(program.url), { within: program.url });
    const { page } = opened;
    await button(page, 'Verify').click();
    await page.getByRole('alert').filter({ hasText: 'UI_SERVER_ENDED' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/exited with 3.*Start it by itself/);
    expect(await findingsAnyhow(page)).toEqual([]);
  });

  it('says how to name a server when the command line has none', async () => {
    const folder = temporaryFolder();
    copyFileSync(recorded, join(folder, 'session.yaml'));
    await using program = await ui(folder);
    await using opened = await openUrl(browser, session(program.url), { within: program.url });
    const { page, troubles } = opened;
    await button(page, 'Verify').click();
    await page.getByText(`mcp-record ui ${folder} -- node server.js`).waitFor();
    expect(await findingsAnyhow(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });
});

describe('serve on a page', () => {
  it('shows the URL, and counts what a client of the SDK gets and misses', async () => {
    await using program = await served();
    await using opened = await openUrl(browser, session(program.url), { within: program.url });
    const { page, troubles } = opened;
    const client = await connectToServed(page);
    await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
    await page
      .getByRole('option')
      .filter({ hasText: /^.*add.*⇄ 1×/ })
      .waitFor();
    await client.callTool({ name: 'add', arguments: { a: 3, b: 4 } }).catch(() => {});
    await page.getByText(/played, 1 miss/).waitFor();
    await page.getByText(/✗ miss:/).waitFor();
    expect(await findingsAnyhow(page)).toEqual([]);
    await client.close();
    await button(page, 'Stop serving').press('Enter');
    await page.getByText('No longer served').waitFor();
    expect(await findingsAnyhow(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });
});

describe('a fault by a click', () => {
  it('meets a client of the SDK, stands as YAML on the page, and is removed, by keys alone', async () => {
    await using program = await served();
    await using opened = await openUrl(browser, session(program.url), { within: program.url });
    const { page, troubles } = opened;
    const client = await connectToServed(page);
    const add = () => client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });

    await page.getByRole('option').filter({ hasText: 'add' }).click();
    await page.getByText('Inject a fault').press('Enter');
    await button(page, /^error-reply A JSON-RPC error replaces the response/).press('Enter');
    await page.getByText('error-reply is injected from now on.').waitFor();
    await expect(add()).rejects.toThrow();
    await page.getByText('fired 1×').waitFor();
    expect(await page.locator('.rules pre').textContent()).toBe(
      '- do: error-reply\n  when:\n    kind: response\n    method: tools/call\n    tool: add',
    );
    expect(await findingsAnyhow(page)).toEqual([]);
    await button(page, 'Remove error-reply').press('Enter');
    await page.locator('.rules').waitFor({ state: 'detached' });
    expect(await add()).toMatchObject({ content: [{ text: '1 + 2 = 3' }] });
    await client.close();
    expect(troubles).toEqual([]);
  });
});

describe('a question of the server', () => {
  it('is answered by hand: first wrongly, then rightly, by keys alone', async () => {
    await using program = await served();
    await using opened = await openUrl(browser, session(program.url), { within: program.url });
    const { page, troubles } = opened;
    await page.getByRole('checkbox', { name: 'Answer the server’s questions myself' }).press('Space');
    await button(page, 'Verify').press('Enter');
    const card = page.getByRole('region', { name: 'The server asks sampling/createMessage' });
    await card.waitFor();
    const field = card.getByRole('textbox');
    expect(JSON.parse(await field.inputValue())).toMatchObject({ role: 'assistant' });
    expect(await findingsAnyhow(page)).toEqual([]);

    await field.fill('{');
    await button(page, 'Send').press('Enter');
    await page.getByText('This is no JSON').waitFor();
    await field.fill('{}');
    await button(page, 'Send').press('Enter');
    await page.getByRole('alert').filter({ hasText: 'UI_BAD_ANSWER' }).waitFor();
    expect(await findingsAnyhow(page)).toEqual([]);
    await card.getByRole('checkbox', { name: 'Refuse with an error' }).press('Space');
    expect(JSON.parse(await field.inputValue())).toMatchObject({ code: -1 });
    await button(page, 'Send').press('Enter');
    await page.getByText('Verified: ✗ 1 differs').waitFor();
    expect(await page.locator('.differing').textContent()).toContain('tools/call "ask"');
    expect(troubles.filter((trouble) => !trouble.includes('400'))).toEqual([]);
  });
});

describe('a question inside of a result of 2026-07-28', () => {
  it('is answered by hand, and has no error to refuse with', async () => {
    const folder = temporaryFolder();
    copyFileSync(join('cassettes', 'client-2-pinned.yaml'), join(folder, 'session.yaml'));
    const modern = join('test', 'e2e', 'servers', 'modern.js');
    await using program = await ui(folder, folder, '--', process.execPath, modern);
    await using opened = await openUrl(browser, session(program.url), { within: program.url });
    const { page, troubles } = opened;
    await page.getByRole('checkbox', { name: 'Answer the server’s questions myself' }).check();
    await button(page, 'Verify').click();
    const card = (method: string) => page.getByRole('region', { name: `The server asks ${method}` });
    await card('elicitation/create').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Refuse with an error' }).count()).toBe(0);
    expect(await findingsAnyhow(page)).toEqual([]);
    await card('elicitation/create').getByRole('textbox').fill('{ "action": "accept", "content": { "check": false } }');
    await button(page, 'Send').click();
    for (const method of ['sampling/createMessage', 'roots/list'])
      await card(method).getByRole('button', { name: 'Give the recorded answer' }).click();
    await page.getByText('Verified: ✗ 1 differs').waitFor();
    expect(await page.locator('.differing').textContent()).toContain('tools/call "deploy"');
    expect(troubles).toEqual([]);
  });
});

describe('a session that is replayed up to a call', () => {
  it('goes on with the live server, and is a new session of the list, by keys alone', async () => {
    await using program = await served();
    await using opened = await openUrl(browser, session(program.url), { within: program.url });
    const { page, troubles } = opened;
    await page.getByRole('option').filter({ hasText: 'add' }).click();
    await page.getByText('Replay up to here, then live').press('Enter');
    expect(await findingsAnyhow(page)).toEqual([]);
    await button(page, /^Replay up to line \d+$/).press('Enter');
    await page.getByText(/Replayed up to line \d+, then live, at/).waitFor();
    await page.getByText('waits for its client; records to session-fork.yaml').waitFor();
    const url = await page.locator('.work .command code').textContent();
    const client = new Client({ name: 'demo-client', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url!)));
    await page.getByText(/Played session\.yaml:\d+: 3 answers as recorded/).waitFor();
    const answer = await client.callTool({ name: 'weather', arguments: { city: 'Bergen' } });
    expect(answer).toMatchObject({ content: [{ text: 'Bergen has 20 degrees celsius' }] });
    expect(await findingsAnyhow(page)).toEqual([]);
    await client.close();
    await button(page, 'End the session').press('Enter');
    await page.getByText(/The session from line \d+ has ended/).waitFor();
    await page.getByRole('link', { name: 'session-fork.yaml' }).press('Enter');
    await page.getByRole('option').filter({ hasText: 'Bergen' }).waitFor();
    expect(await page.getByRole('option').filter({ hasText: 'add' }).count()).toBe(1);
    expect(troubles).toEqual([]);
  });
});
